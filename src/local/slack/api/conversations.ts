import type { Core } from '../core.ts';
import { isVisibleTo } from '../state/directory.ts';
import type { Channel, Message } from '../state/model.ts';
import { channelJson } from '../wire/directory.ts';
import { messageJson } from '../wire/message.ts';
import type { Arguments } from './arguments.ts';
import { visibleChannel } from './conversation.ts';
import type { ApiMethods } from './method.ts';
import { pageOf } from './page-of.ts';
import { SlackError } from './slack-error.ts';

const ANY_READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const KIND_OF_TYPE: Readonly<Record<string, Channel['kind']>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
};

/** https://docs.slack.dev/reference/methods/conversations.info and its neighbours. */
export const conversationMethods: ApiMethods = {
  'conversations.info': {
    run: (core, args) => ({
      channel: channelJson(core, visibleChannel(core, args.required('channel'), 'read')),
    }),
  },
  'conversations.list': { scopes: ANY_READ, run: list },
  'conversations.members': { run: members },
  'conversations.history': { run: history },
  'conversations.replies': { run: replies },
  'conversations.open': { scopes: ['im:write', 'mpim:write'], run: open },
  'conversations.join': { scopes: ['channels:join'], run: join },
};

function list(core: Core, args: Arguments): object {
  const types = (args.text('types') ?? 'public_channel').split(',').map((type) => type.trim());
  const kinds = types.map((type) => KIND_OF_TYPE[type]);
  const excludesArchived = args.flag('exclude_archived');
  const channels = core.directory
    .channels()
    .filter(
      (channel) =>
        kinds.includes(channel.kind) &&
        isVisibleTo(channel, core.app.botUserId) &&
        !(excludesArchived && channel.isArchived),
    );
  const { items, response_metadata } = pageOf(channels, args, 100);
  return { channels: items.map((channel) => channelJson(core, channel)), response_metadata };
}

function members(core: Core, args: Arguments): object {
  const channel = visibleChannel(core, args.required('channel'), 'read');
  const { items, response_metadata } = pageOf(channel.members, args, 100);
  return { members: items, response_metadata };
}

function history(core: Core, args: Arguments): object {
  const channel = visibleChannel(core, args.required('channel'), 'history');
  requireMembership(core, channel);
  const shown = core.messages
    .history(channel.id)
    .filter((message) => message.threadTs === undefined || message.isBroadcast)
    .filter(isWithin(args))
    .reverse();
  const { items, hasMore, response_metadata } = pageOf(shown, args, 100);
  return { messages: messagesJson(core, items, args), has_more: hasMore, response_metadata };
}

/** A thread by its parent or by any reply; the parent comes first whatever the window is. */
function replies(core: Core, args: Arguments): object {
  const channel = visibleChannel(core, args.required('channel'), 'history');
  requireMembership(core, channel);
  const named = core.messages.get(channel.id, args.required('ts'));
  if (named === undefined) throw new SlackError('thread_not_found');
  const [parent, ...rest] = core.messages.thread(channel.id, named.threadTs ?? named.ts);
  const shown = [...(parent === undefined ? [] : [parent]), ...rest.filter(isWithin(args))];
  const { items, hasMore, response_metadata } = pageOf(shown, args, 1000);
  return { messages: messagesJson(core, items, args), has_more: hasMore, response_metadata };
}

function requireMembership(core: Core, { members: ids }: Channel): void {
  if (!ids.includes(core.app.botUserId)) throw new SlackError('not_in_channel');
}

/** Between `oldest` and `latest`, which themselves count only with `inclusive`. */
function isWithin(args: Arguments): (message: Message) => boolean {
  const oldest = Number(args.text('oldest') ?? 0);
  const latest = Number(args.text('latest') ?? Number.POSITIVE_INFINITY);
  const isInclusive = args.flag('inclusive');
  return ({ ts }) => {
    const at = Number(ts);
    return isInclusive ? at >= oldest && at <= latest : at > oldest && at < latest;
  };
}

function messagesJson(core: Core, messages: readonly Message[], args: Arguments): object[] {
  const withMetadata = args.flag('include_all_metadata');
  return messages.map((message) => messageJson(core, message, { withMetadata }));
}

function open(core: Core, args: Arguments): object {
  const [user, ...others] = (args.text('users') ?? '').split(',').filter((id) => id !== '');
  if (user === undefined || core.directory.user(user) === undefined) {
    throw new SlackError('user_not_found');
  }
  if (others.length > 0) throw new SlackError('method_not_supported_for_channel_type');
  const channel = core.directory.directMessages(user);
  return { channel: args.flag('return_im') ? channelJson(core, channel) : { id: channel.id } };
}

function join(core: Core, args: Arguments): object {
  const channel = core.directory.channel(args.required('channel'));
  if (channel === undefined || !isVisibleTo(channel, core.app.botUserId)) {
    throw new SlackError('channel_not_found');
  }
  if (channel.kind !== 'public') throw new SlackError('method_not_supported_for_channel_type');
  if (channel.isArchived) throw new SlackError('is_archived');
  const wasIn = channel.members.includes(core.app.botUserId);
  core.directory.join(channel.id, core.app.botUserId);
  const joined = core.directory.channel(channel.id) ?? channel;
  return {
    channel: channelJson(core, joined),
    ...(wasIn ? { warning: 'already_in_channel' } : {}),
  };
}
