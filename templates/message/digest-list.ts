import type { DigestSchedule } from '../../src/digest-schedule.ts';
import { formatDuration, formatShare } from '../../src/format.ts';
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
export function digestAddedMessage(line: DigestLine, covers: readonly string[]): Message {
  const { id } = line.schedule;
  const servers = covers.length === 1 ? `${covers[0]}` : `${covers.length} servers`;
  const words = digestWords(line);
  return {
    text: `Digest ${id} is set up. ${words}`,
    blocks: [
      section(
        `Digest ${inlineCode(id)} is set up for this channel, now of ${escapeMrkdwn(servers)}.`,
      ),
      section(escapeMrkdwn(words)),
      context(
        `Run it now: ${inlineCode(`digest now ${id}`)}`,
        `pause it: ${inlineCode(`digest pause ${id}`)}`,
        `remove it: ${inlineCode(`digest remove ${id}`)}`,
      ),
    ],
  };
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

/** One sentence about one digest. */
export function digestSaid({ id }: DigestSchedule, words: string): Message {
  return {
    text: `Digest ${id} ${words}`,
    blocks: [section(`Digest ${inlineCode(id)} ${escapeMrkdwn(words)}`)],
  };
}
