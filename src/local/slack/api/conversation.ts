import type { Core } from '../core.ts';
import { isVisibleTo } from '../state/directory.ts';
import type { Channel } from '../state/model.ts';
import { requireScope } from './method.ts';
import { SlackError } from './slack-error.ts';

const SCOPE_OF = { public: 'channels', private: 'groups', im: 'im' } as const;

/** The conversation, if the bot may know of it and has the scope for its kind. */
export function visibleChannel(core: Core, id: string, right: 'read' | 'history'): Channel {
  const channel = core.directory.channel(id);
  if (channel === undefined || !isVisibleTo(channel, core.app.botUserId)) {
    throw new SlackError('channel_not_found');
  }
  requireScope(core, [`${SCOPE_OF[channel.kind]}:${right}`]);
  return channel;
}

/**
 * The conversation to post in: by id, by name, or the direct messages of a user id. A bot posts only where it is a
 * member, unless the channel is public and it has `chat:write.public`.
 */
export function postableChannel(core: Core, idOrName: string): Channel {
  const { directory, app, manifest } = core;
  const channel = directory.user(idOrName)
    ? directory.directMessages(idOrName)
    : (directory.channel(idOrName) ?? directory.channelByName(idOrName.replace(/^#/, '')));
  if (channel === undefined || !isVisibleTo(channel, app.botUserId)) {
    throw new SlackError('channel_not_found');
  }
  if (channel.isArchived) throw new SlackError('is_archived');
  const maySpeak =
    channel.members.includes(app.botUserId) ||
    manifest.oauth_config.scopes.bot.includes('chat:write.public');
  if (!maySpeak) throw new SlackError('not_in_channel');
  return channel;
}
