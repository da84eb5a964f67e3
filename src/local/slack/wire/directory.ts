import type { Core } from '../core.ts';
import type { Channel, Team, User, UserGroup } from '../state/model.ts';

export function userJson(team: Team, user: User): object {
  return {
    id: user.id,
    team_id: team.id,
    name: user.name,
    real_name: user.realName,
    deleted: false,
    is_bot: user.isBot,
    is_admin: user.isAdmin,
    is_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_app_user: false,
    tz: 'Etc/UTC',
    tz_offset: 0,
    profile: { display_name: user.name, real_name: user.realName, title: user.title },
  };
}

/** A conversation as the bot sees it; direct messages have no `is_member`, as in Slack. */
export function channelJson(core: Core, channel: Channel): object {
  const { id, name, kind, topic, members, isArchived, isExternallyShared } = channel;
  const bot = core.app.botUserId;
  if (kind === 'im') {
    return {
      id,
      is_im: true,
      is_channel: false,
      is_group: false,
      user: members.find((member) => member !== bot),
      is_archived: isArchived,
    };
  }
  return {
    id,
    name,
    name_normalized: name,
    is_channel: kind === 'public',
    is_group: kind === 'private',
    is_im: false,
    is_mpim: false,
    is_private: kind === 'private',
    is_archived: isArchived,
    is_general: name === 'general',
    is_member: members.includes(bot),
    is_shared: isExternallyShared,
    is_ext_shared: isExternallyShared,
    is_org_shared: false,
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: members.length,
  };
}

export function userGroupJson(team: Team, group: UserGroup, includeUsers: boolean): object {
  return {
    id: group.id,
    team_id: team.id,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    date_delete: 0,
    user_count: group.users.length,
    ...(includeUsers ? { users: group.users } : {}),
  };
}
