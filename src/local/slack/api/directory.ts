import { userGroupJson, userJson } from '../wire/directory.ts';
import type { ApiMethods } from './method.ts';
import { pageOf } from './page-of.ts';
import { SlackError } from './slack-error.ts';

/** Who is there: auth.test, users and user groups. */
export const directoryMethods: ApiMethods = {
  'api.test': { run: (_, args) => ({ args: args.raw }) },
  'auth.test': {
    run: ({ origin, team, app, manifest }) => ({
      url: `${origin}/`,
      team: team.name,
      user: manifest.features.bot_user.display_name,
      team_id: team.id,
      user_id: app.botUserId,
      bot_id: app.botId,
      is_enterprise_install: false,
    }),
  },
  'users.info': {
    scopes: ['users:read'],
    run({ team, directory }, args) {
      const user = directory.user(args.required('user'));
      if (user === undefined) throw new SlackError('user_not_found');
      return { user: userJson(team, user) };
    },
  },
  'users.list': {
    scopes: ['users:read'],
    run({ team, directory }, args) {
      const { items, response_metadata } = pageOf(directory.users, args, 1000);
      return { members: items.map((user) => userJson(team, user)), response_metadata };
    },
  },
  'usergroups.list': {
    scopes: ['usergroups:read'],
    run: ({ team, directory }, args) => ({
      usergroups: directory.userGroups.map((group) =>
        userGroupJson(team, group, args.flag('include_users')),
      ),
    }),
  },
  'usergroups.users.list': {
    scopes: ['usergroups:read'],
    run({ directory }, args) {
      const id = args.required('usergroup');
      const group = directory.userGroups.find((one) => one.id === id);
      if (group === undefined) throw new SlackError('no_such_subteam');
      return { users: group.users };
    },
  },
};
