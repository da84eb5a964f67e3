import * as z from 'zod';
import type { SlackWeb } from './web.ts';

const Identity = z.object({
  url: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string(),
});

/** Who memprof is in Slack, and where. */
export interface SlackIdentity {
  readonly workspaceUrl: string;
  readonly teamId: string;
  readonly botUserId: string;
  readonly botId: string;
}

/** Also tells whether the token is good, before anything else is started. */
export async function readIdentity(web: SlackWeb): Promise<SlackIdentity> {
  const { url, team_id, user_id, bot_id } = Identity.parse(await web.call('auth.test', {}));
  return { workspaceUrl: url, teamId: team_id, botUserId: user_id, botId: bot_id };
}
