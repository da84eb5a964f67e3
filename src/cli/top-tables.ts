import { textTable } from '../../templates/text/table.ts';
import { formatCount, formatShare } from '../format.ts';
import type { NeighbourRow, Neighbours } from '../profile/neighbours.ts';
import { shortenName } from '../profile/short-name.ts';
import type { SubsystemRow } from '../profile/subsystem-shares.ts';
import type { TopRow } from '../profile/top.ts';
import { formatAmount } from './profile-words.ts';
import { shellText } from './shell-text.ts';

type Measure = 'bytes' | 'count';

interface TableOptions {
  readonly measure: Measure;
  /** What 100 % is. */
  readonly total: number;
}

/** Functions with their own amounts and those that pass through them; weak figures are marked. */
export function topTable(
  rows: readonly TopRow[],
  { measure, total, isSampled }: TableOptions & { readonly isSampled: boolean },
): string {
  if (rows.length === 0) return 'No function holds anything.';
  const lines = rows.map((row) => {
    const [self, passing] =
      measure === 'bytes' ? [row.selfBytes, row.totalBytes] : [row.selfCount, row.totalCount];
    return [
      ...[formatAmount(self, measure), shareOf(self, total)],
      ...[formatAmount(passing, measure), shareOf(passing, total)],
      ...(isSampled ? [sampleCell(row)] : []),
      shellText(shortenName(row.name)),
    ];
  });
  const head = ['self', '', 'total', '', ...(isSampled ? ['samples'] : []), 'function'];
  return textTable(
    [head, ...lines],
    head.slice(0, -1).map(() => 'right' as const),
  );
}

export function subsystemTable(rows: readonly SubsystemRow[], measure: Measure): string {
  const lines = rows.map((row) => [
    formatAmount(measure === 'bytes' ? row.bytes : row.count, measure),
    formatShare(row.share),
    `${shellText(row.subsystem)}${row.isWeak && row.samples !== 0 ? ` (weak: ${formatCount(row.samples ?? 0)} samples)` : ''}`,
  ]);
  return textTable([['', '', 'by subsystem'], ...lines], ['right', 'right']);
}

/** Callers, then callees, of the functions that were asked for. */
export function neighbourTable(
  { callers, callees }: Neighbours,
  { measure, total }: TableOptions,
): string {
  if (callers.length === 0) return 'No function matches --pivot.';
  const lines = (rows: readonly NeighbourRow[], nameless: string) =>
    rows.map((row) => {
      const amount = measure === 'bytes' ? row.bytes : row.count;
      const name = row.name === '' ? nameless : shellText(shortenName(row.name));
      return [formatAmount(amount, measure), shareOf(amount, total), name];
    });
  return textTable(
    [
      ['', '', 'callers'],
      ...lines(callers, '(begins stacks)'),
      ['', '', 'callees'],
      ...lines(callees, '(ends in itself)'),
    ],
    ['right', 'right'],
  );
}

function sampleCell({ samples = 0, isWeak }: TopRow): string {
  return `${formatCount(samples)}${isWeak ? ' weak' : ''}`;
}

function shareOf(amount: number, total: number): string {
  return total === 0 ? '' : formatShare(amount / total);
}
