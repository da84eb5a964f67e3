import type { Core } from '../core.ts';
import { workspaceTruths } from '../emulated.ts';
import type { Channel, Message, View } from '../state/model.ts';
import { messageJson } from '../wire/message.ts';
import { permalinkOf } from '../wire/permalink.ts';
import { viewJson } from '../wire/view.ts';
import type { Notice } from './notice.ts';
import type { ReadMarks } from './read-marks.ts';

/** What the page knows beside messages: who there is, what the app offers. */
export function pageFrame(core: Core, user: string, notice: Notice | undefined): object {
  const { directory, manifest, app, team } = core;
  return {
    team: { name: team.name },
    app: {
      userId: app.botUserId,
      name: manifest.display_information.name,
      description: manifest.display_information.description,
      hasHome: manifest.features.app_home.home_tab_enabled,
    },
    me: user,
    users: directory.users.map(({ id, name, realName, title, isBot, isAdmin }) => ({
      id,
      name,
      realName,
      title,
      isBot,
      isAdmin,
    })),
    people: directory.users.filter(({ isBot }) => !isBot).map(({ id }) => id),
    userGroups: directory.userGroups.map(({ id, handle }) => ({ id, handle })),
    commands: manifest.features.slash_commands.map(({ command, description, usage_hint }) => ({
      command,
      description,
      usageHint: usage_hint,
    })),
    shortcuts: manifest.features.shortcuts
      .filter(({ type }) => type === 'message')
      .map(({ name, callback_id }) => ({ name, callbackId: callback_id })),
    notice: notice ?? null,
    truths: [...(notice?.truths ?? []), ...workspaceTruths],
  };
}

/** The channels that a person sees, with all that was said there. */
export function pageChannels(core: Core, user: string, marks: ReadMarks): object[] {
  return core.directory
    .channels()
    .filter(({ kind, members }) => kind === 'public' || members.includes(user))
    .map((channel) => pageChannel(core, channel, user, marks));
}

export function pageChannel(
  core: Core,
  channel: Channel,
  user: string,
  marks: ReadMarks,
): Record<string, unknown> {
  const { id, name, kind, topic, members, isArchived } = channel;
  const whispers = core.messages.ephemeralsTo(user).filter((message) => message.channel === id);
  return {
    id,
    name: kind === 'im' ? core.manifest.display_information.name : name,
    kind,
    topic,
    members,
    isArchived,
    isMember: members.includes(user),
    hasApp: members.includes(core.app.botUserId),
    lastReadTs: marks.lastRead(user, id),
    messages: [...core.messages.history(id), ...whispers].map((message) =>
      pageMessage(core, message),
    ),
  };
}

export function pageMessage(core: Core, message: Message): object {
  return {
    ...messageJson(core, message),
    channel: message.channel,
    visible_to: message.visibleTo ?? null,
    permalink: permalinkOf(core.origin, message),
  };
}

export function pageViews(core: Core, user: string): object[] {
  return core.views.stack(user).map((view) => viewJson(core, view));
}

export function pageHome(core: Core, user: string): object | null {
  const view: View | undefined = core.views.home(user);
  return view === undefined ? null : viewJson(core, view);
}
