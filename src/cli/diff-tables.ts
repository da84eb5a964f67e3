import { textTable } from '../../templates/text/table.ts';
import { formatCount, formatShare, formatSignedBytes } from '../format.ts';
import type { Diff, DiffRow } from '../profile/diff.ts';
import { shortenName } from '../profile/short-name.ts';
import type { TopRow } from '../profile/top.ts';
import { formatAmount } from './profile-words.ts';
import { shellText } from './shell-text.ts';

type Measure = 'bytes' | 'count';

/** Which way it went, with both totals: "25.30 MiB → 81.11 MiB: grew by 55.81 MiB (+221%)". */
export function formatChange(
  { beforeTotal, afterTotal }: Pick<Diff, 'beforeTotal' | 'afterTotal'>,
  measure: Measure,
): string {
  const change = afterTotal - beforeTotal;
  const totals = `${formatAmount(beforeTotal, measure)} → ${formatAmount(afterTotal, measure)}`;
  if (change === 0) return `${totals}: the same in all`;
  const share =
    beforeTotal > 0 ? ` (${change > 0 ? '+' : ''}${formatShare(change / beforeTotal)})` : '';
  const way = change > 0 ? 'grew' : 'shrank';
  return `${totals}: ${way} by ${formatAmount(Math.abs(change), measure)}${share}`;
}

/** Functions by the size of their change. */
export function changeTable(rows: readonly DiffRow[], measure: Measure): string {
  if (rows.length === 0) return 'No function holds more or less than before.';
  const lines = rows.map(({ name, before, after, change, kind, isWeak }) => [
    signed(change, measure),
    `${formatAmount(before, measure)} → ${formatAmount(after, measure)}`,
    `${kind}${isWeak ? ', weak' : ''}`,
    shellText(shortenName(name)),
  ]);
  return textTable([['change', 'before → after', '', 'function'], ...lines], ['right', 'right']);
}

/** A row of the table of `top`, with changes for amounts, and both sides of the measure. */
type ChangeJson = Pick<TopRow, 'selfBytes' | 'totalBytes' | 'selfCount' | 'totalCount'> & DiffRow;

/** `changes` are the sites of the difference, which carry bytes and objects. */
export function changeJson(
  rows: readonly DiffRow[],
  changes: readonly TopRow[],
): readonly ChangeJson[] {
  const byName = new Map(changes.map((row) => [row.name, row]));
  return rows.map((row) => {
    const {
      selfBytes = 0,
      totalBytes = 0,
      selfCount = 0,
      totalCount = 0,
    } = byName.get(row.name) ?? {};
    return { ...row, selfBytes, totalBytes, selfCount, totalCount };
  });
}

function signed(amount: number, measure: Measure): string {
  if (measure === 'bytes') return formatSignedBytes(amount);
  return `${amount > 0 ? '+' : ''}${formatCount(amount)}`;
}
