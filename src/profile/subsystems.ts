import type { CallTree } from './call-tree.ts';
import { framePath } from './frame-path.ts';
import { frameName } from './frame-table.ts';
import { AT_LEAF, AT_ROOT, findNoise } from './noise.ts';
import { pathPattern } from './path-pattern.ts';
import { JEMALLOC_FRAMES, rulesByStrength } from './rules/subsystem-rules.ts';
import { type FrameVerdict, verdictOf } from './subsystem-matcher.ts';
import type { SubsystemRule } from './subsystem-rule.ts';

/** What no rule knows. Its share is always shown. */
export const UNEXPLAINED = 'unexplained';
/** The allocator's own doings: background threads, arenas, dumps. */
export const JEMALLOC = 'jemalloc';

/** All subsystems that the bundled rules know, in a fixed order. Teams' own come on top. */
export const bundledSubsystems: readonly string[] = [
  ...new Set(
    rulesByStrength.toReversed().flatMap((rules) => rules.map(({ subsystem }) => subsystem)),
  ),
  JEMALLOC,
  UNEXPLAINED,
];

/** Which subsystem each stack of a tree belongs to. */
export interface Subsystems {
  readonly names: readonly string[];
  /** Index into `names` for what ends in a node, by node id. */
  readonly ofNode: Int16Array;
}

const OWN_RULE_STRENGTH = 4;
const JEMALLOC_STRENGTH = 1;
const NOT_ASKED_YET = 255;

/** Virtual functions that the linker found to be the same code: the name is one of many. */
const SHARED_CODE = /\(shared by \d+\)$/;

const jemallocPattern = pathPattern(JEMALLOC_FRAMES);

/**
 * Tells by rule what each stack is for. Read from root to leaf, the strongest frame decides, and of equally strong
 * ones the deepest: see `rules/subsystem-rules.ts`. A team's own rules are stronger than all bundled ones; on one
 * frame the first of them that matches counts. Frames of the allocator and below say nothing, except to own rules.
 */
export function classify(
  tree: CallTree,
  extraRules: readonly SubsystemRule[] = [],
  noise: Uint8Array = findNoise(tree),
): Subsystems {
  const names = [
    ...new Set([...extraRules.map(({ subsystem }) => subsystem), ...bundledSubsystems]),
  ];
  const frames = new FrameVerdicts(tree, names, extraRules);
  const unexplained = names.indexOf(UNEXPLAINED);
  const jemalloc = names.indexOf(JEMALLOC);
  const ofNode = new Int16Array(tree.nodeCount).fill(unexplained);
  const strengths = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const frame = tree.frame[node] as number;
    ofNode[node] = ofNode[parent] as number;
    strengths[node] = strengths[parent] as number;
    const strength = frames.strengthOf(frame);
    const mayDecide = noise[node] !== AT_LEAF || strength === OWN_RULE_STRENGTH;
    if (strength > 0 && mayDecide && strength >= (strengths[parent] as number)) {
      ofNode[node] = frames.subsystemOf(frame);
      strengths[node] = strength;
    } else if (beginsStack(parent, noise) && jemallocPattern.test(framePath(tree.frames, frame))) {
      ofNode[node] = jemalloc;
      strengths[node] = JEMALLOC_STRENGTH;
    }
  }
  return { names, ofNode };
}

function beginsStack(parent: number, noise: Uint8Array): boolean {
  return parent === 0 || noise[parent] === AT_ROOT;
}

/** Asks the rules once per frame, and only for frames that the tree has. */
class FrameVerdicts {
  readonly #tree: CallTree;
  readonly #names: readonly string[];
  readonly #extraRules: readonly SubsystemRule[];
  readonly #strengths: Uint8Array;
  readonly #subsystems: Int16Array;

  constructor(tree: CallTree, names: readonly string[], extraRules: readonly SubsystemRule[]) {
    this.#tree = tree;
    this.#names = names;
    this.#extraRules = extraRules;
    this.#strengths = new Uint8Array(tree.frames.size).fill(NOT_ASKED_YET);
    this.#subsystems = new Int16Array(tree.frames.size);
  }

  strengthOf(frame: number): number {
    if (this.#strengths[frame] === NOT_ASKED_YET) this.#ask(frame);
    return this.#strengths[frame] as number;
  }

  subsystemOf(frame: number): number {
    return this.#subsystems[frame] as number;
  }

  #ask(frame: number): void {
    const verdict = this.#ownVerdict(frame) ?? this.#bundledVerdict(frame);
    this.#strengths[frame] = verdict?.strength ?? 0;
    if (verdict !== undefined) this.#subsystems[frame] = this.#names.indexOf(verdict.subsystem);
  }

  #ownVerdict(frame: number): FrameVerdict | undefined {
    if (this.#extraRules.length === 0) return undefined;
    const name = frameName(this.#tree.frames, frame);
    const own = this.#extraRules.find(({ pattern }) => matches(pattern, name));
    return own && { subsystem: own.subsystem, strength: OWN_RULE_STRENGTH };
  }

  #bundledVerdict(frame: number): FrameVerdict | undefined {
    const { frames } = this.#tree;
    const verdict = verdictOf(framePath(frames, frame));
    const isKnown = verdict !== undefined && !SHARED_CODE.test(frameName(frames, frame));
    return isKnown ? verdict : undefined;
  }
}

/** A global or sticky expression remembers where it stopped; each name is looked at from its beginning. */
function matches(pattern: RegExp, name: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(name);
}
