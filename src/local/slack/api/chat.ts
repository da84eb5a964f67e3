import type { Core } from '../core.ts';
import { isVisibleTo } from '../state/directory.ts';
import { nowTs } from '../state/ids.ts';
import type { Message } from '../state/model.ts';
import { messageJson } from '../wire/message.ts';
import { permalinkOf } from '../wire/permalink.ts';
import type { Arguments } from './arguments.ts';
import { contentOf, metadataOf, requireContent } from './chat-arguments.ts';
import { postableChannel } from './conversation.ts';
import type { ApiMethods } from './method.ts';
import { SlackError } from './slack-error.ts';

/** `chat.update` refuses longer texts; `chat.postMessage` does not. */
const MAX_UPDATE_TEXT = 4000;

/** https://docs.slack.dev/reference/methods/chat.postMessage and its neighbours. */
export const chatMethods: ApiMethods = {
  'chat.postMessage': { scopes: ['chat:write'], run: postMessage },
  'chat.update': { scopes: ['chat:write'], run: update },
  'chat.delete': { scopes: ['chat:write'], run: remove },
  'chat.postEphemeral': { scopes: ['chat:write'], run: postEphemeral },
  'chat.getPermalink': {
    run(core, args) {
      const channel = core.directory.channel(args.required('channel'));
      if (channel === undefined || !isVisibleTo(channel, core.app.botUserId)) {
        throw new SlackError('channel_not_found');
      }
      const message = core.messages.get(channel.id, args.required('message_ts'));
      if (message === undefined) throw new SlackError('message_not_found');
      return { channel: channel.id, permalink: permalinkOf(core.origin, message) };
    },
  },
};

function postMessage(core: Core, args: Arguments): object {
  const channel = postableChannel(core, args.required('channel'));
  const content = contentOf(core, args);
  requireContent(content);
  const metadata = metadataOf(args);
  const threadTs = threadOf(core, channel.id, args);
  const message = core.messages.post({
    channel: channel.id,
    user: core.app.botUserId,
    text: content.text,
    blocks: content.blocks ?? [],
    threadTs,
    metadata,
    isBroadcast: threadTs !== undefined && args.flag('reply_broadcast'),
  });
  return posted(core, message);
}

function posted(core: Core, message: Message): object {
  const { channel, ts } = message;
  return { channel, ts, message: messageJson(core, message, { withMetadata: true }) };
}

/** A reply's `ts` is taken too, and misfiles the message: Slack shows it nowhere that anybody looks. */
function threadOf(core: Core, channel: string, args: Arguments): string | undefined {
  const threadTs = args.text('thread_ts');
  if (threadTs === undefined || threadTs === '') return undefined;
  if (core.messages.get(channel, threadTs) === undefined) {
    throw new SlackError('cannot_reply_to_message');
  }
  return threadTs;
}

function update(core: Core, args: Arguments): object {
  const message = ownMessage(core, args, 'cant_update_message');
  const { text, blocks } = contentOf(core, args);
  if (text.length > MAX_UPDATE_TEXT) throw new SlackError('msg_too_long');
  const files = args.json('file_ids');
  const hasText = args.has('text') || args.has('markdown_text');
  if (!hasText && blocks === undefined && files === undefined) throw new SlackError('no_text');
  const edited = core.messages.edit(message, {
    text: hasText ? text : undefined,
    // Text alone takes the blocks away.
    blocks: blocks ?? (hasText ? [] : undefined),
    files: Array.isArray(files) ? files.map(String) : undefined,
    // An edit of blocks leaves no mark.
    editedTs: blocks === undefined ? nowTs() : undefined,
    metadata: metadataOf(args),
  });
  return { ...posted(core, edited), text: edited.text };
}

function remove(core: Core, args: Arguments): object {
  const message = ownMessage(core, args, 'cant_delete_message');
  core.messages.remove(message);
  return { channel: message.channel, ts: message.ts };
}

/** Bots change their own messages only. Ephemerals cannot be found by the Web API. */
function ownMessage(core: Core, args: Arguments, refusal: string): Message {
  const channel = core.directory.channel(args.required('channel'));
  if (channel === undefined) throw new SlackError('channel_not_found');
  const message = core.messages.get(channel.id, args.required('ts'));
  if (message === undefined) throw new SlackError('message_not_found');
  if (message.user !== core.app.botUserId) throw new SlackError(refusal);
  return message;
}

function postEphemeral(core: Core, args: Arguments): object {
  const channel = postableChannel(core, args.required('channel'));
  const user = args.required('user');
  if (!channel.members.includes(user)) throw new SlackError('user_not_in_channel');
  const content = contentOf(core, args);
  requireContent(content);
  const message = core.messages.post({
    channel: channel.id,
    user: core.app.botUserId,
    text: content.text,
    blocks: content.blocks ?? [],
    threadTs: threadOf(core, channel.id, args),
    visibleTo: user,
  });
  return { message_ts: message.ts };
}
