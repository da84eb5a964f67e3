import type { Core } from '../core.ts';
import type { Change } from '../state/changes.ts';
import { newId, nowTs } from '../state/ids.ts';
import type { Channel, Message } from '../state/model.ts';
import { messageJson } from '../wire/message.ts';
import { viewJson } from '../wire/view.ts';
import type { Delivery } from './delivery.ts';

const CHANNEL_TYPE = { public: 'channel', private: 'group', im: 'im' } as const;
/** The subscription that a message in such a conversation falls under. */
const MESSAGE_EVENT = {
  public: 'message.channels',
  private: 'message.groups',
  im: 'message.im',
} as const;

/** Tells the app what its manifest subscribes to, as the Events API does. */
export interface Events {
  homeOpened(user: string, channel: string, tab: 'home' | 'messages'): void;
}

export function createEvents(core: Core, delivery: Delivery): Events {
  const subscribed = new Set(core.manifest.settings.event_subscriptions.bot_events);

  function emit(subscription: string, event: Readonly<Record<string, unknown>>): void {
    if (!subscribed.has(subscription)) return;
    // Nobody waits for events; what became of each attempt is kept by the delivery.
    void delivery.sendEvent(envelopeOf(core, event), String(event.type));
  }

  core.changes.subscribe((change) => {
    if (change.kind === 'message') messageChanged(core, change, emit);
    if (change.kind === 'file' && change.what === 'shared') fileShared(core, change.file, emit);
  });

  return {
    homeOpened(user, channel, tab) {
      const view = core.views.home(user);
      emit('app_home_opened', {
        type: 'app_home_opened',
        user,
        channel,
        tab,
        event_ts: nowTs(),
        ...(view === undefined || tab !== 'home' ? {} : { view: viewJson(core, view) }),
      });
    },
  };
}

type Emit = (subscription: string, event: Readonly<Record<string, unknown>>) => void;

function messageChanged(
  core: Core,
  { what, channel: id, ts }: Extract<Change, { kind: 'message' }>,
  emit: Emit,
): void {
  const channel = core.directory.channel(id);
  if (channel === undefined || !channel.members.includes(core.app.botUserId)) return;
  const common = {
    type: 'message',
    channel: id,
    channel_type: CHANNEL_TYPE[channel.kind],
    event_ts: what === 'posted' ? ts : nowTs(),
  };
  const subscription = MESSAGE_EVENT[channel.kind];
  const message = core.messages.get(id, ts);
  if (what === 'deleted') {
    emit(subscription, { ...common, subtype: 'message_deleted', deleted_ts: ts, ts: nowTs() });
  } else if (message !== undefined && what === 'edited') {
    const changed = messageJson(core, message);
    emit(subscription, { ...common, subtype: 'message_changed', message: changed, ts: nowTs() });
  } else if (message !== undefined && what === 'posted') {
    mentioned(core, message, channel, emit);
    emit(subscription, { ...messageJson(core, message), ...common, ...shareMark(message) });
  }
}

/** In direct messages a mention is a message like any other. */
function mentioned(core: Core, message: Message, channel: Channel, emit: Emit): void {
  const { botUserId } = core.app;
  const isMention = message.text.includes(`<@${botUserId}>`) && message.user !== botUserId;
  if (channel.kind === 'im' || !isMention) return;
  emit('app_mention', {
    ...messageJson(core, message),
    type: 'app_mention',
    channel: message.channel,
    event_ts: message.ts,
  });
}

function shareMark({ files }: Message): object {
  return files.length > 0 ? { subtype: 'file_share' } : {};
}

function fileShared(core: Core, id: string, emit: Emit): void {
  const file = core.files.get(id);
  const share = file?.shares.at(-1);
  if (file === undefined || share === undefined || !isMember(core, share.channel)) return;
  emit('file_shared', {
    type: 'file_shared',
    file_id: id,
    file: { id },
    user_id: file.user,
    channel_id: share.channel,
    event_ts: nowTs(),
  });
}

function isMember(core: Core, id: string): boolean {
  const channel: Channel | undefined = core.directory.channel(id);
  return channel?.members.includes(core.app.botUserId) ?? false;
}

function envelopeOf(
  core: Core,
  event: Readonly<Record<string, unknown>>,
): object & Record<string, unknown> {
  const { team, app, directory } = core;
  const channel = typeof event.channel === 'string' ? directory.channel(event.channel) : undefined;
  return {
    token: 'unused',
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: app.appId,
    type: 'event_callback',
    event_id: newId('Ev'),
    event_time: Math.floor(Date.now() / 1000),
    event_context: newId('EC'),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: app.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel?.isExternallyShared ?? false,
    event,
  };
}
