import { ALL_TARGETS } from '../digest-schedule.ts';

interface NamedTarget {
  readonly name: string;
  readonly kind: 'clickhouse' | 'keeper';
  readonly group?: string;
}

/** The servers that the words of a schedule mean in the config as it is now; Keepers have no such tables. */
export function targetsOf(words: string, targets: readonly NamedTarget[]): readonly string[] {
  const servers = targets.filter(({ kind }) => kind === 'clickhouse');
  const named = servers.filter(({ name }) => name === words);
  const meant =
    named.length > 0
      ? named
      : servers.filter(({ group }) => words === ALL_TARGETS || group === words);
  return meant.map(({ name }) => name).sort();
}
