import type { Milliseconds } from '../../../units.ts';
import { SlackError } from '../api/slack-error.ts';
import type { Core } from '../core.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { SlashCommand } from '../manifest.ts';
import type { Message } from '../state/model.ts';
import { slackbotSays, takeAnswer } from './answers.ts';
import { channelNameFor } from './payload.ts';

export interface TypedCommand {
  readonly user: string;
  readonly channel: string;
  /** "/memprof peak …"; without the slash the app's first command is meant. */
  readonly text: string;
  /** Typed into the composer of a thread: Slack takes no commands there. */
  readonly threadTs?: string;
}

export type CommandOutcome =
  | {
      readonly kind: 'acknowledged';
      readonly latencyMs: Milliseconds;
      /** What the acknowledgement itself said. */
      readonly answer?: Message;
    }
  | { readonly kind: 'failed'; readonly error: string; readonly latencyMs: Milliseconds };

/** Types a slash command; resolves when the app has acknowledged it or Slack has given up waiting. */
export async function typeCommand(
  core: Core,
  delivery: Delivery,
  typed: TypedCommand,
): Promise<CommandOutcome> {
  const { command, name, words } = readCommand(core, typed.text);
  const fail = (error: string, sentence: string, latencyMs = 0): CommandOutcome => {
    slackbotSays(core, typed, sentence);
    return { kind: 'failed', error, latencyMs };
  };
  if (command === undefined) {
    return fail(
      'unknown_command',
      `\`${name}\` is not a valid command. The app knows ${known(core)}.`,
    );
  }
  if (typed.threadTs !== undefined) {
    return fail('not_supported_in_threads', `${name} is not supported in threads. Sorry!`);
  }
  const receipt = await delivery.send({
    kind: 'slash_commands',
    payload: payloadOf(core, typed, command, words),
    acceptsResponse: true,
  });
  const { latencyMs } = receipt;
  if (receipt.outcome !== 'acknowledged') {
    const error = receipt.outcome === 'timeout' ? 'operation_timeout' : 'dispatch_failed';
    return fail(error, `${name} failed with the error "${error}"`, latencyMs);
  }
  try {
    const answer = answerOf(core, typed, receipt.body);
    return { kind: 'acknowledged', latencyMs, ...(answer === undefined ? {} : { answer }) };
  } catch (thrown) {
    if (!(thrown instanceof SlackError)) throw thrown;
    const error = 'invalid_command_response';
    return fail(error, `${name} failed with the error "${error}"`, latencyMs);
  }
}

function readCommand(core: Core, text: string) {
  const { slash_commands: commands } = core.manifest.features;
  const trimmed = text.trim();
  const typed = trimmed.startsWith('/') ? trimmed : `${commands[0]?.command ?? '/'} ${trimmed}`;
  const [name = '', ...words] = typed.split(' ');
  const command = commands.find((one) => one.command === name.toLowerCase());
  return { command, name, words: words.join(' ').trim() };
}

function known(core: Core): string {
  return core.manifest.features.slash_commands.map(({ command }) => `\`${command}\``).join(', ');
}

function payloadOf(core: Core, typed: TypedCommand, command: SlashCommand, words: string) {
  const { user, channel } = typed;
  return {
    token: 'unused',
    team_id: core.team.id,
    team_domain: core.team.domain,
    channel_id: channel,
    channel_name: channelNameFor(core, channel),
    user_id: user,
    user_name: core.directory.user(user)?.name ?? user,
    command: command.command,
    text: command.should_escape ? escaped(core, words) : words,
    api_app_id: core.app.appId,
    is_enterprise_install: 'false',
    response_url: core.origin + core.responseUrls.issue('commands', { channel, user }),
    trigger_id: core.triggers.issue(user),
  };
}

/** With `should_escape`, names become ids and links are wrapped. */
function escaped(core: Core, words: string): string {
  return words
    .replace(/https?:\/\/\S+/g, (url) => `<${url}>`)
    .replace(/(^|\s)@([a-z0-9._-]+)/g, (whole, before: string, name: string) => {
      const user = core.directory.users.find((one) => one.name === name);
      return user === undefined ? whole : `${before}<@${user.id}|${name}>`;
    })
    .replace(/(^|\s)#([a-z0-9._-]+)/g, (whole, before: string, name: string) => {
      const channel = core.directory.channelByName(name);
      return channel === undefined ? whole : `${before}<#${channel.id}|${name}>`;
    });
}

function answerOf(core: Core, typed: TypedCommand, body: unknown): Message | undefined {
  if (body === undefined || body === '') return undefined;
  const answer = typeof body === 'object' && body !== null ? { ...body } : { text: String(body) };
  const { user, channel } = typed;
  if ('response_type' in answer && answer.response_type === 'in_channel') {
    // Then everybody sees what was typed, too.
    core.messages.post({ channel, user, text: typed.text });
  }
  return takeAnswer(core, { channel, user }, answer);
}
