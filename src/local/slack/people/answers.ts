import { createArguments } from '../api/arguments.ts';
import { contentOf, requireContent } from '../api/chat-arguments.ts';
import type { Core } from '../core.ts';
import type { Message } from '../state/model.ts';
import type { ResponsePlace } from '../state/response-urls.ts';

/**
 * An answer of the app that comes with an acknowledgement or through a response_url: for one person alone unless it
 * says `in_channel`. Throws `SlackError` when it shows nothing that Slack would show.
 */
export function takeAnswer(
  core: Core,
  place: ResponsePlace,
  answer: Readonly<Record<string, unknown>>,
): Message | undefined {
  const args = createArguments(answer);
  const original = originalOf(core, place);
  if (args.flag('delete_original')) {
    if (original !== undefined) core.messages.remove(original);
    return undefined;
  }
  // Only the bot's token may name uploaded files.
  const content = contentOf(core, args, false);
  requireContent(content);
  if (args.flag('replace_original') && original !== undefined) {
    return core.messages.edit(original, { text: content.text, blocks: content.blocks ?? [] });
  }
  const isPublic = args.text('response_type') === 'in_channel';
  return core.messages.post({
    channel: place.channel,
    user: core.app.botUserId,
    text: content.text,
    blocks: content.blocks ?? [],
    threadTs: args.text('thread_ts') ?? place.threadTs,
    ...(isPublic ? {} : { visibleTo: place.user }),
  });
}

function originalOf(core: Core, { channel, message }: ResponsePlace): Message | undefined {
  if (message === undefined) return undefined;
  return message.isEphemeral
    ? core.messages.ephemeral(channel, message.ts)
    : core.messages.get(channel, message.ts);
}

/** Slack's own word to one person. */
export function slackbotSays(
  core: Core,
  place: {
    readonly channel: string;
    readonly user: string;
    readonly threadTs?: string | undefined;
  },
  text: string,
): Message {
  return core.messages.post({
    channel: place.channel,
    user: 'USLACKBOT',
    text,
    threadTs: place.threadTs,
    visibleTo: place.user,
  });
}
