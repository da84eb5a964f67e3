import { formatUtc } from '../../src/format.ts';
import type { InvestigationState } from '../../src/investigation.ts';
import type { EpochMicros } from '../../src/units.ts';
import { clip, escapeMrkdwn, inlineCode, localTime, type Message, section } from './blocks.ts';

/** An investigation as lists show it. */
export interface InvestigationLine {
  readonly id: string;
  readonly state: InvestigationState;
  readonly command: string;
  readonly openedAtMicros: EpochMicros;
  readonly stage?: string;
  readonly finding?: string;
  readonly link?: string;
}

/** Where investigations stand, for the asker alone. */
export function statusMessage(lines: readonly InvestigationLine[]): Message {
  if (lines.length === 0) {
    const text = 'You have asked for nothing in the last two weeks.';
    return { text, blocks: [section(text)] };
  }
  return {
    text: lines.map(({ id, state }) => `${id}: ${standing(state)}`).join(', '),
    blocks: lines.map((line) => section(investigationLine(line))),
  };
}

/** One investigation in two lines of mrkdwn. */
export function investigationLine(line: InvestigationLine): string {
  const opened = localTime(line.openedAtMicros, formatUtc(line.openedAtMicros));
  const id = line.link === undefined ? inlineCode(line.id) : `<${line.link}|${line.id}>`;
  const what = line.finding ?? (line.state === 'running' ? line.stage : undefined);
  const detail = what === undefined ? '' : `: ${escapeMrkdwn(clip(what, 300))}`;
  return `${id}  ${inlineCode(clip(line.command, 200))}  ${opened}\n*${standing(line.state)}*${detail}`;
}

function standing(state: InvestigationState): string {
  switch (state) {
    case 'opening':
      return 'being opened';
    case 'queued':
      return 'waiting for a worker';
    case 'running':
      return 'under way';
    case 'answered':
      return 'answered';
    case 'failed':
      return 'ended without an answer';
    case 'cancelled':
      return 'cancelled';
  }
}
