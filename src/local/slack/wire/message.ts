import type { Core } from '../core.ts';
import type { Message } from '../state/model.ts';
import { fileJson } from './file.ts';

export interface MessageJsonOptions {
  /** Only when the caller asks for `include_all_metadata`. */
  readonly withMetadata?: boolean;
}

/** A message as the Web API, events and interactions show it. */
export function messageJson(
  core: Core,
  message: Message,
  { withMetadata = false }: MessageJsonOptions = {},
): Record<string, unknown> {
  const { ts, text, user, blocks, files, metadata, editedTs, threadTs } = message;
  const isBot = user === core.app.botUserId;
  return {
    type: 'message',
    ...(message.isBroadcast ? { subtype: 'thread_broadcast' } : {}),
    user,
    ts,
    text,
    team: core.team.id,
    ...(isBot ? botFields(core) : {}),
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(files.length > 0 ? { files: files.flatMap((id) => fileOf(core, id)) } : {}),
    ...(threadTs === undefined
      ? {}
      : { thread_ts: threadTs, parent_user_id: parent(core, message) }),
    ...threadFields(core, message),
    ...(editedTs === undefined ? {} : { edited: { user, ts: editedTs } }),
    ...(withMetadata && metadata !== undefined ? { metadata } : {}),
    ...reactionFields(message),
    ...(message.visibleTo === undefined ? {} : { is_ephemeral: true }),
  };
}

function botFields({ app, manifest, team }: Core): object {
  return {
    bot_id: app.botId,
    app_id: app.appId,
    bot_profile: {
      id: app.botId,
      app_id: app.appId,
      name: manifest.display_information.name,
      team_id: team.id,
      deleted: false,
    },
  };
}

function fileOf(core: Core, id: string): readonly object[] {
  const file = core.files.get(id);
  return file === undefined ? [] : [fileJson(core, file)];
}

function parent(core: Core, { channel, threadTs = '' }: Message): string | undefined {
  return core.messages.get(channel, threadTs)?.user;
}

/** What a parent shows of its thread. */
function threadFields(core: Core, { channel, ts, threadTs, visibleTo }: Message): object {
  if (threadTs !== undefined || visibleTo !== undefined) return {};
  const replies = core.messages.thread(channel, ts).slice(1);
  const latest = replies.at(-1);
  if (latest === undefined) return {};
  return {
    thread_ts: ts,
    reply_count: replies.length,
    reply_users: [...new Set(replies.map(({ user }) => user))],
    latest_reply: latest.ts,
  };
}

function reactionFields({ reactions }: Message): object {
  const given = Object.entries(reactions).filter(([, users]) => users.length > 0);
  if (given.length === 0) return {};
  return {
    reactions: given.map(([name, users]) => ({ name, users, count: users.length })),
  };
}
