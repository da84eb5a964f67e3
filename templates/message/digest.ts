import type { KnownBlock } from '@slack/types';
import type { DigestPlan, FleetRow, NewPeak } from '../../src/digest/digest.ts';
import type { DigestSchedule } from '../../src/digest-schedule.ts';
import { formatBytes, formatCountOf, formatShare, formatSignedBytes } from '../../src/format.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import type { WasteClassReading } from '../../src/reading.ts';
import type { EpochMicros } from '../../src/units.ts';
import {
  actions,
  clip,
  context,
  escapeMrkdwn,
  header,
  inlineCode,
  section,
  table,
} from './blocks.ts';
import { askButton } from './buttons.ts';
import { dayOf, digestFinding, lateWords, rowNotes, unreadWords } from './digest-words.ts';

export interface DigestAnswer {
  readonly plan: DigestPlan;
  readonly schedule: DigestSchedule;
  /** In words: "At 09:00, only on Monday". */
  readonly when: string;
  readonly dueAtMicros: EpochMicros;
  readonly investigationId: string;
  /** Slack's mark for whoever is called when a threshold is passed. */
  readonly mention?: string;
  /** Who asked for it out of turn, as a mark. */
  readonly askedBy?: string;
}

/** Rows of the message; the others are in a file of the thread. */
export const ROWS_SHOWN = 10;
const UNREAD_SHOWN = 10;
const HOLDER_LENGTH = 40;

export function findingOf({ plan, schedule, mention }: DigestAnswer): string {
  const finding = digestFinding(plan, schedule.targets, schedule.minChangeShare);
  return mention !== undefined && isNewlyLoud(plan) ? `${mention} ${finding}` : finding;
}

/** People are called when a threshold is passed, not for as long as it stays so. */
function isNewlyLoud({ isLoud, reasons }: DigestPlan): boolean {
  return isLoud && reasons.some(({ kind }) => kind === 'loud' || kind === 'first');
}

export function digestHead(answer: DigestAnswer): readonly KnownBlock[] {
  const { plan, schedule } = answer;
  if (plan.kind === 'alive') return [section(escapeMrkdwn(findingOf(answer)))];
  const { mention } = answer;
  const finding = escapeMrkdwn(digestFinding(plan, schedule.targets, schedule.minChangeShare));
  const call = mention !== undefined && isNewlyLoud(plan) ? `${mention} ` : '';
  return [
    header(
      `${plan.isLoud ? 'Beyond the threshold: fragmentation' : 'Fragmentation'} of ${scopeWords(answer)}`,
    ),
    section(`${call}${plan.isLoud ? `*${finding}*` : finding}`),
    ...[movementLines(plan), peakLines(plan), unreadLines(plan)]
      .filter((text) => text !== '')
      .map((text) => section(escapeMrkdwn(text))),
  ];
}

export function digestTail(answer: DigestAnswer): readonly KnownBlock[] {
  const { plan, schedule, dueAtMicros, askedBy } = answer;
  const small = context(
    escapeMrkdwn(lateWords(plan, dueAtMicros)),
    `Digest ${inlineCode(schedule.id)} of ${escapeMrkdwn(schedule.targets)}: ${escapeMrkdwn(answer.when)} ${escapeMrkdwn(schedule.timeZone)}`,
    askedBy === undefined ? '' : `asked for by ${askedBy}`,
    `Investigation ${inlineCode(answer.investigationId)}`,
  );
  const [top] = plan.fleet;
  if (plan.kind === 'alive' || top === undefined) return [small];
  const rest = plan.fleet.length - ROWS_SHOWN;
  return [
    fleetTable(plan),
    ...(rest > 0
      ? [context(`${formatCountOf(rest, 'more server')} in the file of the thread`)]
      : []),
    actions(
      askButton(`Look at ${top.target}`, `frag ${top.target}`),
      askButton('Run it again', `digest now ${schedule.id}`),
    ),
    small,
  ];
}

function scopeWords({ plan, schedule }: DigestAnswer): string {
  const count = plan.fleet.length + plan.unread.length;
  return count === 1 ? (plan.fleet[0]?.target ?? schedule.targets) : formatCountOf(count, 'server');
}

function fleetTable(plan: DigestPlan): KnownBlock {
  return table(
    [
      { title: 'Server' },
      { title: 'Waste', align: 'right' },
      { title: 'Of active', align: 'right' },
      { title: 'Change', align: 'right' },
      { title: 'Against median', align: 'right' },
      { title: 'Most in' },
      { title: 'Held by' },
      { title: 'Note' },
    ],
    plan.fleet.slice(0, ROWS_SHOWN).map((row) => fleetCells(row, plan)),
  );
}

/** One server as cells of a table; the thread's file has the same columns. */
function fleetCells(row: FleetRow, plan: DigestPlan): readonly string[] {
  const [top] = row.topClasses;
  return [
    row.target,
    formatBytes(row.wasteBytes),
    row.wasteShare === undefined ? '' : formatShare(row.wasteShare),
    row.changeBytes === undefined ? '' : formatSignedBytes(row.changeBytes),
    row.againstMedianBytes === undefined ? '' : formatSignedBytes(row.againstMedianBytes),
    top === undefined ? '' : classWords(top),
    top === undefined || top.holder === ''
      ? ''
      : clip(
          `${shortenName(top.holder)}${row.newHolders.includes(top.holder) ? ' (new)' : ''}`,
          HOLDER_LENGTH,
        ),
    rowNotes(row, plan.reasons).join(', '),
  ];
}

function classWords({ sizeBytes, arena }: WasteClassReading): string {
  return arena === undefined ? formatBytes(sizeBytes) : `${formatBytes(sizeBytes)}, arena ${arena}`;
}

function movementLines({ movements }: DigestPlan): string {
  if (movements.length === 0) return '';
  const words = movements.map(
    ({ target, figure, nowBytes, changeBytes }) =>
      `${target} ${figure} ${formatBytes(nowBytes)} (${formatSignedBytes(changeBytes)})`,
  );
  return `Largest movements: ${words.join(', ')}.`;
}

function peakLines({ newPeaks }: DigestPlan): string {
  return newPeaks.length === 0
    ? ''
    : `New peaks of queries: ${newPeaks.map(peakWords).join('; ')}.`;
}

function peakWords({ target, queryId, user, peakBytes, beforeBytes }: NewPeak): string {
  const before =
    beforeBytes === undefined ? 'not seen before' : `${formatBytes(beforeBytes)} before`;
  return `${formatBytes(peakBytes)} on ${target}, query ${clip(queryId, 64)} of ${user} (${before})`;
}

function unreadLines({ unread, gone }: DigestPlan): string {
  const shown = unread.slice(0, UNREAD_SHOWN).map(unreadWords);
  const more = unread.length - shown.length;
  return [
    shown.length === 0
      ? ''
      : `Did not answer: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    gone.length === 0
      ? ''
      : `No longer in the config under this name: ${gone.join(', ')}. If a server was renamed, its new name begins anew.`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** The whole fleet as a table for the thread: what was read, then what did not answer. */
export function fleetFile(plan: DigestPlan): string {
  const titles = [
    ...['server', 'waste_bytes', 'share_of_active', 'change_bytes', 'against_median_bytes'],
    ...['most_in', 'held_by', 'note'],
  ];
  const rows = plan.fleet.map((row) => {
    const cells = fleetCells(row, plan);
    return [
      ...[row.target, row.wasteBytes, row.wasteShare?.toFixed(4) ?? '', row.changeBytes ?? ''],
      ...[row.againstMedianBytes ?? '', cells[5], row.topClasses[0]?.holder ?? '', cells[7]],
    ];
  });
  const unread = plan.unread.map(({ target, why, sinceMicros }) => [
    ...[target, '', '', '', '', '', ''],
    `not read since ${dayOf(sinceMicros)}: ${why}`,
  ]);
  return [titles, ...rows, ...unread]
    .map((row) => `${row.map((cell) => String(cell).replace(/[\t\r\n]/g, ' ')).join('\t')}\n`)
    .join('');
}
