import type { App, RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Message } from '../../templates/message/blocks.ts';
import { buttonIds } from '../../templates/message/buttons.ts';
import { failureWhisper } from '../../templates/message/failure.ts';
import { attachForm, formIds } from '../../templates/message/form.ts';
import { toFailure } from '../failure.ts';
import type { Place } from '../investigation.ts';
import type { Chat, Log, MessageAddress } from '../ports.ts';
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
  listenToCommands(app, deps);
  listenToMentions(app, deps);
  listenToShortcuts(app, deps);
  listenToButtons(app, deps);
  listenToForms(app, deps);
  app.event('app_home_opened', async ({ event }) => {
    const { tab, user, channel } = event;
    if (tab === 'home') deps.inFlight.start('home', () => deps.forms.publishHome(user, channel));
  });
}

function listenToCommands(app: App, deps: ListenerDeps): void {
  // Whatever the command is called in this workspace: Slack sends only our own.
  app.command(/^\//, async ({ ack, body, respond }) => {
    await ack();
    const place = { channel: body.channel_id };
    const caller = { user: body.user_id, place, teams: [body.team_id], respond };
    if (body.text.trim() === '') {
      return openLater(deps, caller, body.trigger_id, deps.forms.ask(place));
    }
    const runForm = /^run$/i.test(body.text.trim()) ? deps.forms.run(place) : undefined;
    if (runForm !== undefined) return openLater(deps, caller, body.trigger_id, runForm);
    return takeLater(deps, caller, { source: `command:${body.trigger_id}`, text: body.text });
  });
}

function listenToMentions(app: App, deps: ListenerDeps): void {
  // Bolt has acknowledged events before we see them.
  app.event('app_mention', async ({ body }) => {
    const { event, event_id, team_id, is_ext_shared_channel } = Mention.parse(body);
    if (event.user === undefined) return;
    takeLater(
      deps,
      {
        user: event.user,
        place: { channel: event.channel, threadTs: event.thread_ts ?? event.ts },
        teams: [team_id],
        isExternallyShared: is_ext_shared_channel,
      },
      { source: `event:${event_id}`, text: mentionText(event.text, deps.botUserId) },
    );
  });
}

function listenToShortcuts(app: App, deps: ListenerDeps): void {
  app.shortcut({ type: 'message_action' }, async ({ ack, body, respond }) => {
    await ack();
    const { trigger_id, team, user, channel, message } = MessageShortcut.parse(body);
    const place = { channel: channel.id, threadTs: message.thread_ts ?? message.ts };
    const caller = { user: user.id, place, teams: [team?.id], respond };
    openLater(deps, caller, trigger_id, deps.forms.ask(place, queryIdIn(message)));
  });
}

function listenToButtons(app: App, deps: ListenerDeps): void {
  app.action(/^/, async ({ ack, body, respond }) => {
    await ack();
    const { data: press } = ButtonPress.safeParse(body);
    const place = press === undefined ? undefined : placeOf(press);
    // Selects in forms, links: nothing to do.
    if (press === undefined || place === undefined) return;
    const { user, team } = press;
    const caller = { user: user.id, place, teams: [team?.id, user.team_id], respond };
    handlePress(deps, press, caller);
  });
}

function handlePress(deps: ListenerDeps, press: ButtonPress, caller: Caller): void {
  const [{ action_id, value = '' } = { action_id: '' }] = press.actions;
  // "ask:2": buttons of one message have different ids.
  const [kind] = action_id.split(':');
  if (kind === buttonIds.attach) {
    const metadata = { channel: caller.place.channel, investigationId: value };
    openLater(deps, caller, press.trigger_id, attachForm(value, JSON.stringify(metadata)));
    return;
  }
  const source = `button:${press.trigger_id}`;
  if (kind === buttonIds.ask) takeLater(deps, caller, { source, text: value });
  if (kind === buttonIds.cancel) takeLater(deps, caller, { source, text: `cancel ${value}` });
  if (kind === buttonIds.tryAgain) {
    takeLater(deps, caller, {
      // Whoever presses first: one message is tried again once.
      source: `again:${caller.place.channel}:${press.container.message_ts}`,
      text: value,
      onOpened: (opened) => pointToNew(deps.chat, press, { ...caller.place, ...opened }),
    });
  }
}

function listenToForms(app: App, deps: ListenerDeps): void {
  app.view(/-form$/, async ({ ack, body }) => {
    const form = FormSubmission.parse(body);
    const metadata = FormMetadata.parse(JSON.parse(form.view.private_metadata));
    const text = commandOfForm(form, metadata);
    const { user, team, view } = form;
    const isAttach = view.callback_id === formIds.attach;
    const wordsField = view.callback_id === formIds.run ? formIds.sql : formIds.words;
    const filled = { text, user: user.id, channel: metadata.channel, wordsField };
    const faults = isAttach ? undefined : deps.forms.faultsOf(filled);
    if (faults !== undefined) return ack({ response_action: 'errors', errors: faults });
    await ack({ response_action: 'clear' });
    const { channel, threadTs } = metadata;
    const place: Place = threadTs === undefined ? { channel } : { channel, threadTs };
    const caller = { user: user.id, place, teams: [team?.id, user.team_id] };
    return takeLater(deps, caller, { source: `form:${view.id}`, text });
  });
}

/** Who did something in Slack, and where. */
interface Caller {
  readonly user: string;
  readonly place: Place;
  /** Workspaces that the payload names. */
  readonly teams: readonly (string | undefined)[];
  /** What the payload says of the channel; looked up when it says nothing. */
  readonly isExternallyShared?: boolean;
  readonly respond?: RespondFn;
}

interface Typed {
  readonly source: string;
  readonly text: string;
  readonly onOpened?: (root: MessageAddress) => Promise<void>;
}

/** Carries a command out after the acknowledgement. */
function takeLater(deps: ListenerDeps, caller: Caller, typed: Typed): void {
  answerLater(deps, caller, async (whisper) => {
    const { user, place, teams, isExternallyShared } = caller;
    const shared = isExternallyShared === undefined ? {} : { isExternallyShared };
    await deps.door.check({ teams, channel: place.channel, ...shared });
    const { source, text, onOpened } = typed;
    const opened = await deps.frontDesk.take({ source, text, user, place, whisper });
    if (opened !== undefined) await onOpened?.(opened);
  });
}

/** Opens a form; a trigger lives for three seconds, so only what needs no answer of Slack is checked before. */
function openLater(deps: ListenerDeps, caller: Caller, triggerId: string, view: ModalView): void {
  answerLater(deps, caller, async () => {
    if (!deps.door.isOurs(caller.teams)) await deps.door.check({ teams: caller.teams });
    await deps.forms.open(triggerId, view);
  });
}

/** Work after the acknowledgement. Refusals are told to the caller; nothing is thrown at Bolt. */
function answerLater(
  { chat, log, inFlight }: ListenerDeps,
  caller: Caller,
  work: (whisper: (message: Message) => Promise<void>) => Promise<void>,
): void {
  const { user, place, respond } = caller;
  const whisper = createWhisper({
    chat,
    log,
    user,
    place,
    ...(respond === undefined ? {} : { respond }),
  });
  inFlight.start('request', () =>
    work(whisper).catch(async (thrown: unknown) => {
      const failure = toFailure(thrown);
      if (failure.kind === 'bug') log.error({ err: thrown }, 'a fault of memprof');
      await whisper(failureWhisper(failure));
    }),
  );
}
