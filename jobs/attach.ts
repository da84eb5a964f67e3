import { Failure } from '../src/failure.ts';
import type { Place } from '../src/investigation.ts';
import { type Message, section } from '../templates/message/blocks.ts';
import { attachOnce } from './attachment.ts';
import { defineErrand, investigationOf, nameOf, readInvestigationId } from './errand.ts';
import type { CommandWords, Desk, Job } from './job.ts';

interface Args extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly link: string;
}

export const attach: Job = defineErrand({
  name: 'attach',
  summary: 'Post the finding of an investigation into another thread, an incident say',
  usage: 'attach <investigation> <link to a message>',
  example: 'attach k7f2m9qd https://example.slack.com/archives/C024BE91L/p1790000000000100',
  read(command: CommandWords): Args {
    const id = readInvestigationId(command, attach);
    const link = command.words[1];
    if (link !== undefined) return { id, link };
    throw new Failure('usage', {
      what: 'attach needs a link to a message of the thread',
      why: 'that is how it knows where to post',
      fix: 'Copy the link from the menu of the message (Copy link), then type attach <investigation> <link>',
    });
  },
  async run({ id, link }: Args, desk): Promise<Message> {
    const investigation = await investigationOf(desk, id);
    const place = await placeOf(desk, link);
    desk.requireRight('attach', investigation.target, place.channel);
    const attached = await attachOnce(desk, investigation, place);
    const text = attached.isNew ? 'is attached' : 'was attached before';
    return {
      text: `Investigation ${id} ${text}: ${attached.link}`,
      blocks: [
        section(
          `Investigation ${nameOf(investigation)} ${text}: <${attached.link}|see the thread>`,
        ),
      ],
    };
  },
});

/** The thread that the link means, where both memprof and the asker are. */
async function placeOf(desk: Desk, link: string): Promise<Required<Place>> {
  const message = desk.chat.readPermalink(link);
  if (message === undefined) {
    throw new Failure('usage', {
      what: 'That is not a link to a message of this workspace',
      why: 'such a link reads https://….slack.com/archives/C…/p…',
      fix: 'Copy the link from the menu of the message (Copy link), and paste it whole',
    });
  }
  const { channel, ts, threadTs } = message;
  if (!(await desk.chat.isMember(channel))) {
    throw new Failure('not-in-channel', {
      what: 'memprof is not in the channel of that thread',
      fix: 'Type /invite @memprof there, then attach again',
    });
  }
  if (!(await desk.chat.isMember(channel, desk.user))) {
    throw new Failure('not-allowed', {
      what: 'You are not in the channel of that thread',
      why: 'memprof posts only where whoever asks could post',
      fix: 'Join the channel, or ask someone who is in it',
    });
  }
  return { channel, threadTs: threadTs ?? ts };
}
