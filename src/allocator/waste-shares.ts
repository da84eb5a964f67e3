import type { Bytes, Count } from '../units.ts';
import { apportion } from './apportion.ts';
import { type AgeCounts, addAges, noAges } from './object-age.ts';
import { evidenceOf, type SampleEvidence } from './sample-evidence.ts';
import type { SlabBin, WasteClass } from './waste.ts';

/**
 * Who keeps slabs alive: sampled objects of a class that are older than the age asked for, by the stack that
 * allocated them. Sampled objects lie outside the slabs themselves; they stand for their likes inside.
 */
export interface OldObjects {
  /** Absent when the source does not tell: the objects then speak for their class in every arena. */
  readonly arena?: number;
  readonly classIndex: number;
  /** Root first. Empty: the rest, which was not listed stack by stack. */
  readonly stack: readonly string[];
  /** Un-sampled: how many real objects the samples stand for. */
  readonly objectCount: Count;
  readonly sampleCount: Count;
  readonly ages: AgeCounts;
}

/** A stack, root first, and the waste that is put down to it. */
export interface WasteStack {
  readonly stack: readonly string[];
  readonly wasteBytes: Bytes;
}

/** A stack and the part of a class's waste that its old objects hold. */
export interface WasteHolder extends WasteStack {
  readonly objectCount: Count;
  readonly sampleCount: Count;
  readonly ages: AgeCounts;
}

export interface HeldClass extends WasteClass {
  /** Most waste first; empty when no old object of the class was sampled. */
  readonly holders: readonly WasteHolder[];
  readonly sampleCount: Count;
  readonly evidence: SampleEvidence;
}

export interface WasteShares {
  readonly classes: readonly HeldClass[];
  /** Waste of the classes that have holders. */
  readonly attributedBytes: Bytes;
  readonly totalBytes: Bytes;
}

/** Stands for holders that a query returned as one rest. */
export const OTHER_HOLDERS = '[other holders]';

/**
 * Splits the waste of each class over the stacks of its old objects in proportion to their number, as ClickHouse's
 * documentation does; the shares of a class add up to its waste to the byte.
 */
export function shareWaste(
  classes: readonly WasteClass[],
  objects: readonly OldObjects[],
): WasteShares {
  const byClass = groupByClass(objects);
  const held = classes.map((wasteClass) => {
    const own = byClass.get(wasteClass.classIndex)?.filter((one) => isIn(one, wasteClass)) ?? [];
    return holdClass(wasteClass, mergeStacks(own));
  });
  return {
    classes: held,
    attributedBytes: sumBytes(held.filter(({ holders }) => holders.length > 0)),
    totalBytes: sumBytes(held),
  };
}

/**
 * Sampled objects of classes that no bin knows, un-sampled. Some are normal: the two sources are a moment apart, and
 * a class whose every object is sampled has no slab.
 */
export function objectsWithoutBin(bins: readonly SlabBin[], objects: readonly OldObjects[]): Count {
  const known = new Map<number, SlabBin[]>();
  for (const bin of bins) known.set(bin.classIndex, [...(known.get(bin.classIndex) ?? []), bin]);
  return objects
    .filter((one) => !known.get(one.classIndex)?.some((bin) => isIn(one, bin)))
    .reduce((sum, { objectCount }) => sum + objectCount, 0);
}

/** The stacks of the fragmentation flame graph, root first: its total is the total waste. */
export function wasteStacks(shares: WasteShares): readonly WasteStack[] {
  return shares.classes.flatMap((held): readonly WasteStack[] =>
    held.holders.length > 0
      ? held.holders
      : [{ stack: unattributedStack(held), wasteBytes: held.wasteBytes }],
  );
}

/** Where waste goes whose holders were not sampled, in the words of ClickHouse's documentation. */
function unattributedStack({ arena, sizeBytes }: WasteClass): readonly string[] {
  return [
    '[unattributed]',
    arena === undefined ? `class_${sizeBytes}` : `arena_${arena}_class_${sizeBytes}`,
  ];
}

function holdClass(wasteClass: WasteClass, objects: readonly OldObjects[]): HeldClass {
  const sampleCount = objects.reduce((sum, one) => sum + one.sampleCount, 0);
  const parts = apportion(
    wasteClass.wasteBytes,
    objects.map(({ objectCount }) => objectCount),
  );
  return {
    ...wasteClass,
    holders: objects.map(({ stack, objectCount, sampleCount: samples, ages }, index) => ({
      stack: stack.length === 0 ? [OTHER_HOLDERS] : stack,
      wasteBytes: parts[index] as Bytes,
      objectCount,
      sampleCount: samples,
      ages,
    })),
    sampleCount,
    evidence: evidenceOf(sampleCount),
  };
}

/** One entry a stack, most objects first: different addresses can resolve to the same names. */
function mergeStacks(objects: readonly OldObjects[]): readonly OldObjects[] {
  const merged = new Map<string, OldObjects>();
  for (const one of objects) {
    if (one.objectCount <= 0) continue;
    const key = one.stack.join('\n');
    const known = merged.get(key);
    merged.set(
      key,
      known === undefined
        ? one
        : {
            ...known,
            objectCount: known.objectCount + one.objectCount,
            sampleCount: known.sampleCount + one.sampleCount,
            ages: addAges(known.ages, one.ages),
          },
    );
  }
  return [...merged]
    .sort(
      ([keyA, a], [keyB, b]) =>
        Number(a.stack.length === 0) - Number(b.stack.length === 0) ||
        b.objectCount - a.objectCount ||
        (keyA < keyB ? -1 : 1),
    )
    .map(([, one]) => one);
}

/** Ages of the sampled objects of some classes, un-sampled. */
export function agesOf(objects: readonly OldObjects[]): AgeCounts {
  return objects.reduce((sum, { ages }) => addAges(sum, ages), noAges);
}

/** Where one of the two does not tell the arena, they meet by class alone. */
function isIn(objects: OldObjects, bin: SlabBin): boolean {
  return objects.arena === undefined || bin.arena === undefined || objects.arena === bin.arena;
}

function groupByClass(objects: readonly OldObjects[]): ReadonlyMap<number, OldObjects[]> {
  const groups = new Map<number, OldObjects[]>();
  for (const one of objects) {
    const group = groups.get(one.classIndex);
    if (group === undefined) groups.set(one.classIndex, [one]);
    else group.push(one);
  }
  return groups;
}

function sumBytes(classes: readonly WasteClass[]): Bytes {
  return classes.reduce((sum, { wasteBytes }) => sum + wasteBytes, 0);
}
