import type { Investigation } from '../src/investigation.ts';
import type { Chat } from '../src/ports.ts';
import { type InvestigationLine, statusMessage } from '../templates/message/status.ts';
import { defineErrand, investigationOf, readInvestigationId } from './errand.ts';
import type { Job } from './job.ts';

const RECENT_COUNT = 5;

export const status: Job = defineErrand({
  name: 'status',
  summary: 'Show where an investigation stands, or your last ones',
  usage: 'status [investigation]',
  example: 'status k7f2m9qd',
  read: (command) =>
    command.words[0] === undefined ? {} : { id: readInvestigationId(command, status) },
  async run({ id }: { readonly id?: string }, desk) {
    const found =
      id === undefined
        ? await desk.investigations.recent(desk.user, RECENT_COUNT)
        : [await investigationOf(desk, id)];
    return statusMessage(found.map((investigation) => lineOf(investigation, desk.chat)));
  },
});

/** An investigation as lists show it. */
export function lineOf(investigation: Investigation, chat: Chat): InvestigationLine {
  const { id, state, command, openedAtMicros, stage, finding, ts, channel, threadTs } =
    investigation;
  const place = threadTs === undefined ? { channel } : { channel, threadTs };
  return {
    id,
    state,
    command,
    openedAtMicros,
    ...(stage === undefined ? {} : { stage }),
    ...(finding === undefined ? {} : { finding }),
    ...(ts === undefined ? {} : { link: chat.permalink({ ...place, ts }) }),
  };
}
