import * as cast from './cast.ts';
import type { Changes } from './changes.ts';
import { newId } from './ids.ts';
import type { Channel, User, UserGroup } from './model.ts';

/** People, user groups and channels: who is where. */
export interface Directory {
  readonly users: readonly User[];
  readonly userGroups: readonly UserGroup[];
  user(id: string): User | undefined;
  channels(): readonly Channel[];
  channel(id: string): Channel | undefined;
  channelByName(name: string): Channel | undefined;
  /** Changes what is said of a channel: topic, archived, shared with another organisation. */
  alter(id: string, patch: Partial<Omit<Channel, 'id' | 'members' | 'kind'>>): void;
  join(channel: string, user: string): void;
  leave(channel: string, user: string): void;
  /** The direct messages of a person with the app; made when there are none yet. */
  directMessages(user: string): Channel;
}

export function createDirectory(changes: Changes): Directory {
  const bot: User = {
    id: cast.app.botUserId,
    name: 'memprof',
    realName: 'memprof',
    title: '',
    isBot: true,
    isAdmin: false,
  };
  const users = [...cast.people, bot, cast.slackbot];
  const channels = new Map(cast.channels.map((channel) => [channel.id, channel]));

  function put(channel: Channel): void {
    channels.set(channel.id, channel);
    changes.publish({ kind: 'channel', channel: channel.id });
  }

  function setMembers(id: string, members: readonly string[]): void {
    const channel = channels.get(id);
    if (channel !== undefined) put({ ...channel, members });
  }

  return {
    users,
    userGroups: cast.userGroups,
    user: (id) => users.find((user) => user.id === id),
    channels: () => [...channels.values()],
    channel: (id) => channels.get(id),
    channelByName: (name) => [...channels.values()].find((channel) => channel.name === name),
    alter(id, patch) {
      const channel = channels.get(id);
      if (channel !== undefined) put({ ...channel, ...patch });
    },
    join(id, user) {
      const members = channels.get(id)?.members ?? [];
      if (!members.includes(user)) setMembers(id, [...members, user]);
    },
    leave(id, user) {
      const members = channels.get(id)?.members ?? [];
      setMembers(
        id,
        members.filter((member) => member !== user),
      );
    },
    directMessages(user) {
      const known = [...channels.values()].find(
        ({ kind, members }) => kind === 'im' && members.includes(user),
      );
      if (known !== undefined) return known;
      const made: Channel = {
        ...cast.danaWithApp,
        id: newId('D'),
        members: [user, cast.app.botUserId],
      };
      put(made);
      return made;
    },
  };
}

/** Whether somebody may know that the channel exists. */
export function isVisibleTo(channel: Channel, user: string): boolean {
  return channel.kind === 'public' || channel.members.includes(user);
}
