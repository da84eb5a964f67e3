import type { Covered } from '../../src/digest/targets.ts';
import type { DigestSchedule } from '../../src/digest-schedule.ts';
import { formatDuration, formatShare, formatUtcTime } from '../../src/format.ts';
import type { RunUnderWay } from '../../src/ports.ts';
import type { EpochMicros } from '../../src/units.ts';
import { context, escapeMrkdwn, inlineCode, type Message, section } from './blocks.ts';

/** One digest as lists and read-backs show it. */
export interface DigestLine {
  readonly schedule: DigestSchedule;
  /** In words: "At 09:00, only on Monday". */
  readonly when: string;
  readonly nextAtMicros?: EpochMicros;
  readonly nowMicros: EpochMicros;
}

/** "all servers: At 09:00, only on Monday (Europe/Berlin); next 2026-12-07 08:00 UTC, in 5 d 21 h". */
function digestWords({ schedule, when, nextAtMicros, nowMicros }: DigestLine): string {
  const { targets, timeZone, minChangeShare, isAlwaysPosted, isPaused } = schedule;
  const next = isPaused
    ? 'paused'
    : nextAtMicros === undefined
      ? 'no next run'
      : nextWords(nextAtMicros, nowMicros);
  const change = isAlwaysPosted
    ? 'posts every run'
    : `silent below a change of ${formatShare(minChangeShare)}`;
  return `${targets}: ${when} (${timeZone}); ${next}; ${change}`;
}

function nextWords(nextAtMicros: EpochMicros, nowMicros: EpochMicros): string {
  const at = new Date(nextAtMicros / 1000).toISOString();
  const words = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
  const inMs = (nextAtMicros - nowMicros) / 1000;
  return inMs < 0
    ? `due since ${words}, waiting for a worker`
    : `next ${words}, in ${formatDuration(inMs)}`;
}

/** What was set up, read back. */
export function digestAddedMessage(
  line: DigestLine,
  { servers: covers, keepers }: Covered,
): Message {
  const { id } = line.schedule;
  const servers = covers.length === 1 ? `${covers[0]}` : `${covers.length} servers`;
  const words = digestWords(line);
  const leftOut = keepers.length === 0 ? '' : leftOutWords(keepers);
  return {
    text: ['Digest', id, 'is set up.', words, leftOut].filter((part) => part !== '').join(' '),
    blocks: [
      section(
        `Digest ${inlineCode(id)} is set up for this channel, now of ${escapeMrkdwn(servers)}.`,
      ),
      section(escapeMrkdwn(words)),
      ...(leftOut === '' ? [] : [context(escapeMrkdwn(leftOut))]),
      context(
        `Run it now: ${inlineCode(`digest now ${id}`)}`,
        `pause it: ${inlineCode(`digest pause ${id}`)}`,
        `remove it: ${inlineCode(`digest remove ${id}`)}`,
      ),
    ],
  };
}

const NAMES_SHOWN = 10;

function leftOutWords(keepers: readonly string[]): string {
  const more = keepers.length - NAMES_SHOWN;
  const names = `${keepers.slice(0, NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return keepers.length === 1
    ? `Left out: ${names}, a Keeper, which has no tables that tell of waste by size class; ask stats ${names} for its memory.`
    : `Left out: ${names}, Keepers, which have no tables that tell of waste by size class; ask stats for the memory of one.`;
}

export function digestListMessage(lines: readonly DigestLine[]): Message {
  if (lines.length === 0) {
    return {
      text: 'This channel has no digest.',
      blocks: [
        section('This channel has no digest.'),
        context(`Set one up: ${inlineCode('digest add all every monday 9:00')}`),
      ],
    };
  }
  return {
    text: `This channel has ${lines.length === 1 ? 'one digest' : `${lines.length} digests`}.`,
    blocks: lines.flatMap((line) => [
      section(`${inlineCode(line.schedule.id)} ${escapeMrkdwn(digestWords(line))}`),
      ...(line.schedule.trouble === undefined
        ? []
        : [context(escapeMrkdwn(`Its last run could not be posted. ${line.schedule.trouble}`))]),
      context(`Set up by <@${line.schedule.createdBy}>`),
    ]),
  };
}

/** The digest was asked for, and is being made already. */
export function digestUnderWay(
  schedule: DigestSchedule,
  { askedBy, askedAtMicros }: RunUnderWay,
  where: string,
): Message {
  const { id } = schedule;
  const by = askedBy === undefined ? '' : ` by <@${askedBy}>`;
  const asked = `asked for${by} at ${formatUtcTime(askedAtMicros)}`;
  return {
    text: `Digest ${id} is on its way already, ${asked}; that one will be posted ${where}.`,
    blocks: [
      section(
        `Digest ${inlineCode(id)} is on its way already, ${asked}; that one will be posted ${where}.`,
      ),
    ],
  };
}

/** One sentence about one digest. */
export function digestSaid({ id }: DigestSchedule, words: string): Message {
  return {
    text: `Digest ${id} ${words}`,
    blocks: [section(`Digest ${inlineCode(id)} ${escapeMrkdwn(words)}`)],
  };
}
