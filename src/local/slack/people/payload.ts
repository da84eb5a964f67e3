import type { Core } from '../core.ts';

/** What every interaction says of who did it and for which app. */
export function whoAndWhere(core: Core, user: string): Record<string, unknown> {
  const { team, app, directory } = core;
  const name = directory.user(user)?.name ?? user;
  return {
    token: 'unused',
    api_app_id: app.appId,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
    user: { id: user, username: name, name, team_id: team.id },
    trigger_id: core.triggers.issue(user),
  };
}

/** `directmessage` and `privategroup` are all that Slack tells of the names of these. */
export function channelNameFor(core: Core, id: string): string {
  const channel = core.directory.channel(id);
  if (channel?.kind === 'im') return 'directmessage';
  return channel?.kind === 'private' ? 'privategroup' : (channel?.name ?? '');
}
