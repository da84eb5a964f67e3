import * as z from 'zod';
import type { Core } from '../core.ts';
import type { Message } from '../state/model.ts';
import { messageJson } from '../wire/message.ts';
import type { Arguments } from './arguments.ts';
import { contentOf } from './chat-arguments.ts';
import { postableChannel } from './conversation.ts';
import type { ApiMethods } from './method.ts';
import { SlackError } from './slack-error.ts';

const Chunks = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));

/** Messages that are written while people read: https://docs.slack.dev/reference/methods/chat.startStream */
export function createStreamMethods(): ApiMethods {
  const writing = new Set<string>();

  function streaming(core: Core, args: Arguments): Message {
    const { id } = postableChannel(core, args.required('channel'));
    const message = core.messages.get(id, args.required('ts'));
    if (message === undefined) throw new SlackError('message_not_found');
    if (!writing.has(message.ts)) throw new SlackError('message_not_in_streaming_state');
    return message;
  }

  return {
    'chat.startStream': {
      scopes: ['chat:write'],
      run(core, args) {
        const { id } = postableChannel(core, args.required('channel'));
        const threadTs = args.required('thread_ts');
        const { ts } = core.messages.post({
          channel: id,
          user: core.app.botUserId,
          text: streamed(args),
          threadTs,
        });
        writing.add(ts);
        return { channel: id, ts };
      },
    },
    'chat.appendStream': {
      scopes: ['chat:write'],
      run(core, args) {
        const message = streaming(core, args);
        core.messages.edit(message, { text: message.text + streamed(args) });
        return { channel: message.channel, ts: message.ts };
      },
    },
    'chat.stopStream': {
      scopes: ['chat:write'],
      run(core, args) {
        const message = streaming(core, args);
        const { blocks } = contentOf(core, args);
        const text = message.text + streamed(args);
        const done = core.messages.edit(message, { text, ...(blocks && { blocks }) });
        writing.delete(message.ts);
        return { channel: done.channel, ts: done.ts, message: messageJson(core, done) };
      },
    },
  };
}

/** The client sends `chunks`; `markdown_text` is the older way. */
function streamed(args: Arguments): string {
  const chunks = Chunks.safeParse(args.json('chunks')).data ?? [];
  return [args.text('markdown_text') ?? '', ...chunks.map(({ text = '' }) => text)].join('');
}
