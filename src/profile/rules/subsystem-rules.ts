import { carrierRules } from './carrier-rules.ts';
import { operatorRules } from './operator-rules.ts';
import { ownerRules } from './owner-rules.ts';

/**
 * Which functions mean which part of ClickHouse; checked against the functions of 26.7 and against stacks of 18.16.
 * Raise the version with every change: pictures and kept numbers name it.
 */
export const SUBSYSTEM_RULES_VERSION = 1;

/**
 * From the weakest to the strongest. A stack belongs to the strongest frame in it; among equally strong ones to the
 * deepest, being the most specific.
 */
export const rulesByStrength = [carrierRules, operatorRules, ownerRules] as const;

/** jemalloc's own doings. They are a stack's subsystem only when a stack begins with them. */
export const JEMALLOC_FRAMES = `
  background_thread* je_background_thread* base_alloc* base_block_alloc je_base_alloc* je_base_new base_new
  je_malloc_init* malloc_init* je_arena_init* arena_init* je_arena_new tsd_init* je_tsd_* prof_dump* je_prof_dump*
  prof_idump je_prof_idump prof_gdump je_prof_gdump prof_mdump je_prof_mdump pac_* je_pac_* decay_* edata_cache_*
`;
