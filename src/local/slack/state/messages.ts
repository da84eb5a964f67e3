import type { Changes } from './changes.ts';
import { compareTs, type Timestamps } from './ids.ts';
import type { Block, Message, Metadata } from './model.ts';

export interface NewMessage {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly threadTs?: string | undefined;
  readonly isBroadcast?: boolean;
  readonly metadata?: Metadata | undefined;
  readonly files?: readonly string[];
  readonly visibleTo?: string;
  /** Only for what was said before the workspace started. */
  readonly ts?: string;
}

export type MessagePatch = { readonly [Field in keyof Message]?: Message[Field] | undefined };

/** All messages, those to everybody and those to one person alone. */
export interface Messages {
  post(message: NewMessage): Message;
  /** Replaces fields; undefined in the patch leaves a field as it is. */
  edit(message: Message, patch: MessagePatch): Message;
  /** Who reacts with this emoji from now on. */
  react(message: Message, name: string, users: readonly string[]): void;
  remove(message: Message): void;
  /** A message that everybody in the channel sees. */
  get(channel: string, ts: string): Message | undefined;
  ephemeral(channel: string, ts: string): Message | undefined;
  /** Everything of a channel in order of time, replies included, without ephemerals. */
  history(channel: string): readonly Message[];
  /** The parent, then its replies in order of time. */
  thread(channel: string, ts: string): readonly Message[];
  ephemeralsTo(user: string): readonly Message[];
}

export function createMessages(timestamps: Timestamps, changes: Changes): Messages {
  const byChannel = new Map<string, Map<string, Message>>();
  const key = (channel: string, isEphemeral: boolean) =>
    isEphemeral ? `${channel} ephemeral` : channel;

  function shelf(channel: string, isEphemeral: boolean): Map<string, Message> {
    const name = key(channel, isEphemeral);
    const found = byChannel.get(name) ?? new Map<string, Message>();
    byChannel.set(name, found);
    return found;
  }

  const shelfOf = (message: Message) => shelf(message.channel, message.visibleTo !== undefined);

  function tell(message: Message, what: 'posted' | 'edited' | 'deleted'): void {
    const { channel, ts, visibleTo, threadTs } = message;
    if (visibleTo !== undefined) {
      changes.publish({ kind: 'ephemeral', what, channel, ts, user: visibleTo });
      return;
    }
    changes.publish({ kind: 'message', what, channel, ts });
    // The parent shows how many replies it has.
    if (threadTs !== undefined && what !== 'edited') {
      changes.publish({ kind: 'message', what: 'counted', channel, ts: threadTs });
    }
  }

  const history = (channel: string) =>
    [...shelf(channel, false).values()].sort((left, right) => compareTs(left.ts, right.ts));

  return {
    post({ blocks = [], files = [], isBroadcast = false, ts, threadTs, metadata, ...rest }) {
      const message: Message = {
        ...rest,
        ts: ts ?? timestamps.next(),
        blocks,
        files,
        isBroadcast,
        reactions: {},
        ...(threadTs === undefined ? {} : { threadTs }),
        ...(metadata === undefined ? {} : { metadata }),
      };
      shelfOf(message).set(message.ts, message);
      tell(message, 'posted');
      return message;
    },
    edit(message, patch) {
      const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
      const edited: Message = { ...message, ...Object.fromEntries(defined) };
      shelfOf(message).set(message.ts, edited);
      tell(edited, 'edited');
      return edited;
    },
    react(message, name, users) {
      const { channel, ts, reactions } = message;
      shelfOf(message).set(ts, { ...message, reactions: { ...reactions, [name]: users } });
      changes.publish({ kind: 'message', what: 'counted', channel, ts });
    },
    remove(message) {
      shelfOf(message).delete(message.ts);
      tell(message, 'deleted');
    },
    get: (channel, ts) => shelf(channel, false).get(ts),
    ephemeral: (channel, ts) => shelf(channel, true).get(ts),
    history,
    thread: (channel, ts) =>
      history(channel).filter((message) => message.ts === ts || message.threadTs === ts),
    ephemeralsTo: (user) =>
      [...byChannel]
        .filter(([name]) => name.endsWith(' ephemeral'))
        .flatMap(([, messages]) => [...messages.values()])
        .filter(({ visibleTo }) => visibleTo === user)
        .sort((left, right) => compareTs(left.ts, right.ts)),
  };
}
