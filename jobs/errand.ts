import { Failure } from '../src/failure.ts';
import type { Investigation } from '../src/investigation.ts';
import { inlineCode, type Message } from '../templates/message/blocks.ts';
import type { CommandWords, Desk, Job, JobContext, Reply } from './job.ts';

/** An errand from its words to a message for the asker alone. */
export interface Errand<Args> extends Pick<Job, 'name' | 'summary' | 'usage' | 'example'> {
  read(command: CommandWords): Args;
  /** The id is that of the request: the same again when it is delivered twice. */
  run(args: Args, desk: Desk, id: string): Promise<Message>;
}

/** Errands are jobs that the bot does itself: nothing of them travels through the queue. */
export function defineErrand<Args extends Readonly<Record<string, unknown>>>(
  errand: Errand<Args>,
): Job {
  const { name, summary, usage, example } = errand;
  return {
    name,
    summary,
    usage,
    example,
    isRestricted: false,
    isErrand: true,
    runsInShell: false,
    read: (command) => ({ args: errand.read(command) }),
    run: async (args, context) =>
      // Never left this process: it is what `read` made.
      toReply(await errand.run(args as Args, requireDesk(name, context), context.investigationId)),
  };
}

/** The investigation that the asker means and may see: it is his, or he is in its channel. */
export async function investigationOf(desk: Desk, id: string): Promise<Investigation> {
  const investigation = await desk.investigations.get(id.toLowerCase());
  const isSeen =
    investigation !== undefined &&
    (investigation.user === desk.user ||
      investigation.channel === desk.place.channel ||
      (await desk.chat.isMember(investigation.channel, desk.user)));
  if (isSeen) return investigation;
  throw new Failure('not-found', {
    what: `There is no investigation ${id} that you may see`,
    why: 'they are kept for two weeks, and can be seen by whoever is in their channel',
    fix: 'Type status for your last ones; the id is in the last line of each message',
  });
}

/** Words of people, read as an investigation's id. */
export function readInvestigationId(
  { words }: CommandWords,
  job: Pick<Job, 'name' | 'usage'>,
): string {
  const id = words[0];
  if (id !== undefined && /^[0-9a-z]{6,16}$/i.test(id)) return id;
  throw new Failure('usage', {
    what:
      id === undefined
        ? `${job.name} needs an investigation`
        : `${id} is not the id of an investigation`,
    why: 'the id is in the last line of each message of memprof, like k7f2m9qd',
    fix: `Usage: ${job.usage}`,
  });
}

/** How messages name an investigation: its id and its command. */
export function nameOf({ id, command }: Investigation): string {
  return `${inlineCode(id)} (${inlineCode(command)})`;
}

function requireDesk(name: string, { desk }: JobContext): Desk {
  if (desk !== undefined) return desk;
  throw new Failure('environment', {
    what: `${name} works in chat only`,
    why: 'it is about the investigations of the bot',
  });
}

function toReply({ text, blocks }: Message): Reply {
  const nothing = { tail: [], pictures: [], files: [], threadPictures: [] };
  return { finding: text, head: blocks, ...nothing, json: { text } };
}
