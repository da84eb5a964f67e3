import type { Core } from '../core.ts';
import type { Message } from '../state/model.ts';
import { slackbotSays } from './answers.ts';

export interface Said {
  readonly user: string;
  readonly channel: string;
  /** mrkdwn with `<@U…>` for mentions, as a client sends it. */
  readonly text: string;
  readonly threadTs?: string;
}

/** Posts as a person. Whom a mention does not reach, Slack tells the person alone. */
export function say(core: Core, { user, channel, text, threadTs }: Said): Message {
  const place = core.directory.channel(channel);
  if (place === undefined || !place.members.includes(user)) {
    throw new Error(`${user} is not in ${place?.name ?? channel}`);
  }
  const message = core.messages.post({ channel, user, text, threadTs });
  const { botUserId } = core.app;
  if (text.includes(`<@${botUserId}>`) && !place.members.includes(botUserId)) {
    slackbotSays(
      core,
      { user, channel, threadTs },
      `You mentioned <@${botUserId}>, but they are not in this channel. Type \`/invite @${handleOf(core, botUserId)}\` to invite them.`,
    );
  }
  return message;
}

/** `/invite @name`, one of Slack's own commands. */
export function invite(core: Core, user: string, channel: string, handle: string): void {
  const invited = core.directory.users.find(({ name }) => name === handle.replace(/^@/, ''));
  if (invited === undefined) {
    slackbotSays(core, { user, channel }, `There is no ${handle || 'one'} to invite here.`);
    return;
  }
  core.directory.join(channel, invited.id);
  core.messages.post({ channel, user, text: `invited <@${invited.id}> to this channel` });
}

function handleOf(core: Core, user: string): string {
  return core.directory.user(user)?.name ?? user;
}
