import type { KnownBlock } from '@slack/types';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatShare,
  formatSignedBytes,
  formatUtc,
} from '../../src/format.ts';
import type { Change, Diff, DiffRow } from '../../src/profile/diff.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import type { ProfileKey } from '../../src/reading.ts';
import { actions, clip, context, escapeMrkdwn, inlineCode, section, table } from './blocks.ts';
import { askButton } from './buttons.ts';

export interface DiffAnswer {
  readonly before: ProfileKey;
  readonly after: ProfileKey;
  readonly diff: Diff;
  readonly unit: 'bytes' | 'count';
  readonly investigationId: string;
  /** mrkdwn. */
  readonly askedBy: string;
}

const ROWS = 10;
const NAME_LENGTH = 70;
/** Totals further apart than this make shares misleading. */
const FAR_APART = 0.2;

const kindWords: Readonly<Record<ProfileKey['kind'], string>> = {
  frag: 'slab waste',
  peak: 'memory at the peak',
  heap: 'live heap',
  stats: 'memory',
};

/** What changed in one sentence: both totals, the direction written out, and what changed most. */
export function diffFinding(answer: DiffAnswer): string {
  const { before, after, diff } = answer;
  const amount = amountOf(answer);
  const change = diff.afterTotal - diff.beforeTotal;
  const subject = `The ${kindWords[after.kind]} of ${scopeOf(before, after)}`;
  const verb = change > 0 ? 'grew' : change < 0 ? 'shrank' : 'stayed at';
  const totals =
    change === 0
      ? amount(diff.afterTotal)
      : `from ${amount(diff.beforeTotal)} to ${amount(diff.afterTotal)} (${signed(answer, change)}${times(diff)})`;
  const [top] = diff.rows;
  const most =
    top === undefined
      ? '; nothing in it changed'
      : `; most of the change is ${shortenName(top.name)}, ${rowWords(top, answer)}`;
  return `${subject} ${verb} ${totals}${most}.`;
}

function scopeOf(before: ProfileKey, after: ProfileKey): string {
  return before.target === after.target
    ? after.target
    : `${before.target} (before) and ${after.target} (after)`;
}

/** ", ×2.4" where one is a multiple of the other. */
function times({ beforeTotal, afterTotal }: Diff): string {
  const factor = afterTotal / beforeTotal;
  return beforeTotal > 0 && factor >= 1.5 ? `, ×${factor.toFixed(1)}` : '';
}

export function diffHead(answer: DiffAnswer): readonly KnownBlock[] {
  const { before, after, diff } = answer;
  const apart = Math.abs(after.atMicros - before.atMicros) / 1000;
  return [
    section(`*${escapeMrkdwn(diffFinding(answer))}*`),
    section(
      [
        `Before: ${inlineCode(before.investigationId)}, ${escapeMrkdwn(formatUtc(before.atMicros))}`,
        `After: ${inlineCode(after.investigationId)}, ${escapeMrkdwn(formatUtc(after.atMicros))}, ${formatDuration(apart)} ${after.atMicros < before.atMicros ? 'earlier: the order is as you gave it' : 'later'}`,
      ].join('\n'),
    ),
    ...warnings(diff).map((warning) => context(escapeMrkdwn(warning))),
  ];
}

function warnings({ isDoubtful, matchedShare, beforeTotal, afterTotal }: Diff): readonly string[] {
  const farApart = beforeTotal > 0 && Math.abs(afterTotal / beforeTotal - 1) > FAR_APART;
  return [
    ...(isDoubtful
      ? [
          `Only ${formatShare(matchedShare)} of the bytes end in functions that both know. They may be of different builds, or one ran what the other did not.`,
        ]
      : []),
    ...(farApart ? ['The totals differ a lot, so amounts say more here than shares.'] : []),
  ];
}

export function diffTail(answer: DiffAnswer): readonly KnownBlock[] {
  const { diff, after, investigationId, askedBy } = answer;
  const amount = amountOf(answer);
  const shown = diff.rows.slice(0, ROWS);
  return [
    ...(shown.length === 0
      ? []
      : [
          table(
            [
              { title: 'Function' },
              { title: 'Before', align: 'right' },
              { title: 'After', align: 'right' },
              { title: 'Change', align: 'right' },
              { title: '' },
            ],
            shown.map((row) => [
              clip(shortenName(row.name), NAME_LENGTH),
              amount(row.before),
              amount(row.after),
              signed(answer, row.change),
              `${changeMark[row.kind]}${row.isWeak ? ', weak' : ''}`,
            ]),
          ),
        ]),
    // A peak is of a query that has ended.
    ...(after.kind === 'peak'
      ? []
      : [actions(askButton('Look again', `${after.kind} ${after.target}`))]),
    context(
      `${formatCount(diff.rows.length)} functions changed`,
      `Investigation ${inlineCode(investigationId)}`,
      `asked by ${askedBy}`,
    ),
  ];
}

const changeMark: Readonly<Record<Change, string>> = {
  grown: 'grown',
  shrunk: 'shrunk',
  new: 'NEW',
  gone: 'GONE',
  same: '',
};

function rowWords(row: DiffRow, answer: DiffAnswer): string {
  const change = signed(answer, row.change);
  return row.kind === 'new' || row.kind === 'gone' ? `${change} (${row.kind})` : change;
}

function amountOf({ unit }: DiffAnswer): (value: number) => string {
  return unit === 'bytes' ? formatBytes : formatCount;
}

function signed({ unit }: DiffAnswer, value: number): string {
  if (unit === 'bytes') return formatSignedBytes(value);
  return value > 0 ? `+${formatCount(value)}` : formatCount(value);
}
