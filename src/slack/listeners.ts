import type { App, RespondFn } from '@slack/bolt';
import type { Message } from '../../templates/message/blocks.ts';
import { buttonIds } from '../../templates/message/buttons.ts';
import { failureWhisper } from '../../templates/message/failure.ts';
import { attachForm, formIds } from '../../templates/message/form.ts';
import { parseCommand } from '../command.ts';
import { toFailure } from '../failure.ts';
import type { Place } from '../investigation.ts';
import type { Chat, Log } from '../ports.ts';
import type { Door } from './door.ts';
import type { FormDesk } from './form-desk.ts';
import type { FrontDesk } from './front-desk.ts';
import type { InFlight } from './in-flight.ts';
import { mentionText, queryIdIn } from './mention-text.ts';
import {
  ButtonPress,
  commandOfForm,
  FormMetadata,
  FormSubmission,
  Mention,
  MessageShortcut,
  placeOf,
} from './payloads.ts';
import { pointToNew } from './retried.ts';
import { createWhisper } from './whisper.ts';

export interface ListenerDeps {
  readonly botUserId: string;
  readonly frontDesk: FrontDesk;
  readonly forms: FormDesk;
  readonly door: Door;
  readonly chat: Chat;
  readonly inFlight: InFlight;
  readonly log: Log;
}

/** Slack allows three seconds for the acknowledgement, so it goes out before anything else is looked at. */
export function registerListeners(app: App, deps: ListenerDeps): void {
  const { door, frontDesk, forms, inFlight } = deps;

  app.command(/^\//, async ({ ack, body, respond }) => {
    await ack();
    const place = { channel: body.channel_id };
    const who = { user: body.user_id, place, teams: [body.team_id] };
    answerLater(deps, 'command', { ...who, respond }, async (whisper) => {
      const command = parseCommand(body.text, []);
      if (command.kind === 'empty' && door.isOurs(who.teams)) {
        return forms.open(body.trigger_id, forms.ask({ channel: body.channel_id }));
      }
      await door.check({ teams: who.teams, channel: body.channel_id });
      const source = `command:${body.trigger_id}`;
      await frontDesk.take({ source, text: body.text, user: body.user_id, place, whisper });
    });
  });

  // Bolt has acknowledged events before we see them.
  app.event('app_mention', async ({ body }) => {
    const { event, event_id, team_id, is_ext_shared_channel } = Mention.parse(body);
    const { user } = event;
    if (user === undefined) return;
    const place = { channel: event.channel, threadTs: event.thread_ts ?? event.ts };
    const who = { user, place, teams: [team_id] };
    answerLater(deps, 'mention', who, async (whisper) => {
      const { channel } = place;
      await door.check({ teams: who.teams, channel, isExternallyShared: is_ext_shared_channel });
      const text = mentionText(event.text, deps.botUserId);
      await frontDesk.take({ source: `event:${event_id}`, text, user, place, whisper });
    });
  });

  app.event('app_home_opened', async ({ event }) => {
    if (event.tab !== 'home') return;
    inFlight.start('home', () => forms.publishHome(event.user));
  });

  app.shortcut({ type: 'message_action' }, async ({ ack, body, respond }) => {
    await ack();
    const { trigger_id, team, user, channel, message } = MessageShortcut.parse(body);
    const place = { channel: channel.id, threadTs: message.thread_ts ?? message.ts };
    const who = { user: user.id, place, teams: [team?.id] };
    answerLater(deps, 'shortcut', { ...who, respond }, async () => {
      if (!door.isOurs(who.teams)) await door.check({ teams: who.teams });
      await forms.open(trigger_id, forms.ask(place, queryIdIn(message)));
    });
  });

  app.action(/^/, async ({ ack, body, respond }) => {
    await ack();
    const press = ButtonPress.safeParse(body);
    // Selects in forms, links: nothing to do.
    if (!press.success) return;
    const place = placeOf(press.data);
    if (place === undefined) return;
    const { team, user } = press.data;
    const who = { user: user.id, place, teams: [team?.id, user.team_id] };
    answerLater(deps, 'button', { ...who, respond }, (whisper) =>
      pressed(deps, press.data, place, whisper),
    );
  });

  app.view(/-form$/, async ({ ack, body }) => {
    const form = FormSubmission.parse(body);
    const metadata = FormMetadata.parse(JSON.parse(form.view.private_metadata));
    const text = commandOfForm(form, metadata);
    const isAsk = form.view.callback_id === formIds.ask;
    const faults = isAsk ? forms.faultsOf(text, form.user.id, metadata.channel) : undefined;
    if (faults !== undefined) return ack({ response_action: 'errors', errors: faults });
    await ack({ response_action: 'clear' });
    const { channel, threadTs } = metadata;
    const place: Place = threadTs === undefined ? { channel } : { channel, threadTs };
    const who = { user: form.user.id, place, teams: [form.team?.id, form.user.team_id] };
    return answerLater(deps, 'form', who, async (whisper) => {
      await door.check({ teams: who.teams, channel });
      const source = `form:${form.view.id}`;
      await frontDesk.take({ source, text, user: form.user.id, place, whisper });
    });
  });
}

async function pressed(
  { door, frontDesk, forms, chat }: ListenerDeps,
  press: ButtonPress,
  place: Place,
  whisper: (message: Message) => Promise<void>,
): Promise<void> {
  const { user, team, trigger_id, container } = press;
  const teams = [team?.id, user.team_id];
  const [{ action_id, value = '', action_ts } = { action_id: '', action_ts: '' }] = press.actions;
  const [kind] = action_id.split(':');
  if (kind === buttonIds.attach) {
    if (!door.isOurs(teams)) await door.check({ teams });
    const metadata = { channel: place.channel, investigationId: value };
    return forms.open(trigger_id, attachForm(value, JSON.stringify(metadata)));
  }
  await door.check({ teams, channel: place.channel });
  const ask = { user: user.id, place, whisper };
  const once = `button:${place.channel}:${container.message_ts}:${action_ts}`;
  switch (kind) {
    case buttonIds.ask:
      await frontDesk.take({ ...ask, source: once, text: value });
      return;
    case buttonIds.cancel:
      await frontDesk.take({ ...ask, source: once, text: `cancel ${value}` });
      return;
    case buttonIds.tryAgain: {
      // Whoever presses first: one message is tried again once.
      const source = `again:${place.channel}:${container.message_ts}`;
      const opened = await frontDesk.take({ ...ask, source, text: value });
      if (opened !== undefined) await pointToNew(chat, press, { ...place, ...opened });
      return;
    }
  }
}

interface Who {
  readonly user: string;
  readonly place: Place;
  readonly respond?: RespondFn;
}

/** The work after the acknowledgement. Refusals are told to the asker; nothing is thrown at Bolt. */
function answerLater(
  { chat, log, inFlight }: ListenerDeps,
  what: string,
  who: Who,
  work: (whisper: (message: Message) => Promise<void>) => Promise<void>,
): void {
  const whisper = createWhisper({ chat, log, ...who });
  inFlight.start(what, () =>
    work(whisper).catch(async (thrown: unknown) => {
      const failure = toFailure(thrown);
      if (failure.kind === 'bug') log.error({ err: thrown }, 'a fault of memprof');
      await whisper(failureWhisper(failure));
    }),
  );
}
