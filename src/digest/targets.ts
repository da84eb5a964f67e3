import { ALL_TARGETS } from '../digest-schedule.ts';

interface NamedTarget {
  readonly name: string;
  readonly kind: 'clickhouse' | 'keeper';
  readonly group?: string;
}

/** What the words of a schedule mean in the config as it is now, by name. */
export interface Covered {
  readonly servers: readonly string[];
  /** Left out: a Keeper has no tables that tell of waste by size class. */
  readonly keepers: readonly string[];
}

/** A server of that name comes before a group of that name. */
export function coveredBy(words: string, targets: readonly NamedTarget[]): Covered {
  const named = targets.filter(({ name }) => name === words);
  const meant =
    named.length > 0
      ? named
      : targets.filter(({ group }) => words === ALL_TARGETS || group === words);
  const namesOf = (wanted: NamedTarget['kind']) =>
    meant
      .filter(({ kind }) => kind === wanted)
      .map(({ name }) => name)
      .sort();
  return { servers: namesOf('clickhouse'), keepers: namesOf('keeper') };
}

/** The servers that the words of a schedule mean in the config as it is now. */
export function targetsOf(words: string, targets: readonly NamedTarget[]): readonly string[] {
  return coveredBy(words, targets).servers;
}
