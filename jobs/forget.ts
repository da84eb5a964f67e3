import { Failure } from '../src/failure.ts';
import { formatCountOf } from '../src/format.ts';
import { inlineCode, type Message, section } from '../templates/message/blocks.ts';
import { defineErrand, investigationOf, readInvestigationId } from './errand.ts';
import type { Desk, Job } from './job.ts';

/**
 * Takes back what was kept of an investigation. Not of its message: that is the channel's. Whoever asked for it may;
 * others need the right by name.
 */
export const forget: Job = {
  ...defineErrand({
    name: 'forget',
    summary: 'Delete what was kept of an investigation: its profile and its reading',
    usage: 'forget <investigation>',
    example: 'forget k7f2m9qd',
    read: (command) => ({ id: readInvestigationId(command, forget).toLowerCase() }),
    async run({ id }: { readonly id: string }, desk): Promise<Message> {
      await requireOwn(id, desk);
      const { readings, profiles } = await desk.store.forget(id);
      if (readings + profiles === 0) return say(id, 'nothing was kept of it');
      return say(
        id,
        `${formatCountOf(readings, 'reading')} and ${formatCountOf(profiles, 'profile')} are deleted; its message and files in Slack are not memprof's to delete`,
      );
    },
  }),
};

async function requireOwn(id: string, desk: Desk): Promise<void> {
  const known = await desk.investigations.get(id);
  if (known === undefined) {
    // Older than the list of investigations, which forgets after two weeks.
    const [reading] = await desk.store.readingsOf(id);
    if (reading === undefined) throw unknown(id);
    desk.requireRight('forget', reading.target, desk.place.channel);
    return;
  }
  const investigation = await investigationOf(desk, id);
  if (investigation.user === desk.user) return;
  desk.requireRight('forget', investigation.target, investigation.channel);
}

function unknown(id: string): Failure {
  return new Failure('not-found', {
    what: `Nothing is kept of an investigation ${id}`,
    why: 'it never was, or it is forgotten already',
  });
}

function say(id: string, words: string): Message {
  return {
    text: `Investigation ${id}: ${words}.`,
    blocks: [section(`Investigation ${inlineCode(id)}: ${words}.`)],
  };
}
