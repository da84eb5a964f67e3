import * as z from 'zod';
import { Failure } from '../../src/failure.ts';
import { defineQuery } from '../../src/query.ts';

/** To whom a settings profile is assigned; no row where there is none of this name. */
export const sampleProfile = defineQuery({
  name: 'sample-profile',
  sql: `
SELECT apply_to_all, apply_to_list
FROM system.settings_profiles
WHERE name = {profile: String}`,
  params: z.object({ profile: z.string() }),
  row: z
    .object({
      apply_to_all: z.union([z.number(), z.boolean()]),
      apply_to_list: z.array(z.string()),
    })
    .transform((row) => ({ isForAll: Boolean(row.apply_to_all), grantees: row.apply_to_list })),
});

const SETTINGS = 'jemalloc_enable_profiler = 1, jemalloc_collect_profile_samples_in_trace_log = 1';

/**
 * Assigns a settings profile to exactly these users and roles. Statements of access take no parameters, so the names,
 * which come from the config alone, are held to characters that need no escape.
 */
export function assignProfile(profile: string, grantees: readonly string[]): string {
  return `ALTER SETTINGS PROFILE ${quoted(profile)} SETTINGS ${SETTINGS} TO ${listOf(grantees)}`;
}

/** Makes it, where it is not there. */
export function createProfile(profile: string, grantees: readonly string[]): string {
  return `CREATE SETTINGS PROFILE IF NOT EXISTS ${quoted(profile)} SETTINGS ${SETTINGS} TO ${listOf(grantees)}`;
}

function listOf(grantees: readonly string[]): string {
  return grantees.length === 0 ? 'NONE' : grantees.map(quoted).join(', ');
}

function quoted(name: string): string {
  if (/^[A-Za-z0-9_.@-]{1,64}$/.test(name)) return `\`${name}\``;
  throw new Failure('config', {
    what: `${name} is not a name that memprof assigns a settings profile to`,
    why: 'only letters, digits, dot, dash, underscore and @ are allowed',
    fix: 'Correct sampling.grantees in the config',
  });
}
