import type { Milliseconds } from '../../units.ts';
import type { ApiCall } from './calls.ts';
import type { Core } from './core.ts';
import type { Delivery, DeliveryAttempt, DeliveryMode } from './delivery/delivery.ts';
import type { Receipt } from './delivery/parcel.ts';
import type { DisconnectReason } from './delivery/socket.ts';
import type { Faults } from './faults.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { Notice } from './page/notice.ts';
import { closeParts, createParts, type Parts } from './parts.ts';
import { type CommandOutcome, type TypedCommand, typeCommand } from './people/commands.ts';
import { closeForm, type FormInput, type SubmitOutcome, submitForm } from './people/forms.ts';
import {
  type Click,
  clickInMessage,
  type MessageShortcut,
  useGlobalShortcut,
  useMessageShortcut,
} from './people/interactions.ts';
import { type Said, say } from './people/say.ts';
import { listen } from './port.ts';
import * as cast from './state/cast.ts';
import type { Change } from './state/changes.ts';
import type { Directory } from './state/directory.ts';
import type { Message, View, WorkspaceFile } from './state/model.ts';
import type { Mask } from './transcript/transcript.ts';
import { waitFor } from './wait-for.ts';
import { permalinkOf } from './wire/permalink.ts';

export interface WorkspaceOptions {
  /** A free one unless said. */
  readonly port?: number;
  /** The real one of memprof unless said. */
  readonly manifest?: Manifest;
  /** How long Slack takes to know what an uploaded file is. */
  readonly fileProcessingMs?: Milliseconds;
  /** How long Slack waits for an acknowledgement. */
  readonly ackTimeoutMs?: Milliseconds;
  /** When an event that was not acknowledged is sent again. */
  readonly eventRetryMs?: readonly Milliseconds[];
  readonly onEvent?: (change: Change) => void;
}

/** An imitation of a Slack workspace in this process: what an app sees of Slack, and what people do there. */
export interface Workspace extends AsyncDisposable, PeopleActs {
  /** Also the address of the page. */
  readonly origin: string;
  /** For `slackApiUrl`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly botUserId: string;
  readonly users: Readonly<Record<'dana' | 'mei' | 'ivan' | 'sam', string>>;
  readonly userGroups: Readonly<Record<'dbOncall', string>>;
  readonly channels: Readonly<
    Record<'dbOncall' | 'incident' | 'general' | 'securityReviews' | 'danaWithApp', string>
  >;
  /** Who is where, and the ways to change it: join, leave, archive, share with another organisation. */
  readonly directory: Directory;
  /** Troubles to order, beside `disconnect` and the directory's `leave`. */
  readonly faults: Faults;

  messages(channel: string): readonly Message[];
  thread(channel: string, ts: string): readonly Message[];
  ephemerals(user: string): readonly Message[];
  files(): readonly WorkspaceFile[];
  /** The modals that a person has open, the top one last. */
  views(user: string): readonly View[];
  home(user: string): View | undefined;
  permalink(message: Pick<Message, 'channel' | 'ts' | 'threadTs'>): string;
  /** Calls of a method of the Web API, of `upload` or `response_url`; of all of them without a name. */
  calls(method?: string): readonly ApiCall[];
  /** What was sent to the app, attempt by attempt. */
  deliveries(): readonly DeliveryAttempt[];
  /** See `Transcript.of`. */
  transcript(channel: string, masks?: readonly Mask[]): string;
  /** Resolves to the first value that is not undefined, null or false. */
  waitFor<Value>(
    check: (workspace: Workspace) => Value | undefined | null | false,
    timeoutMs?: Milliseconds,
  ): Promise<Value>;

  /** Socket mode unless said. */
  setDelivery(mode: DeliveryMode): void;
  /** HTTP mode: whether the app answers Slack's challenge. */
  verifyUrl(): Promise<boolean>;
  /** Resolves when the app has a connection in socket mode. */
  appConnected(timeoutMs?: Milliseconds): Promise<void>;
  connectionCount(): number;
  /** Asks the app to connect anew; without a reason the connections are cut. */
  disconnect(reason?: DisconnectReason): void;
  /** As if half an hour had gone. */
  expireResponseUrls(): void;
  /** What the page shows beside the workspace. */
  setNotice(notice: Notice): void;
  close(): Promise<void>;
}

/** What people do, as if on the page. */
export interface PeopleActs {
  say(said: Said): Message;
  /** Says the text to the app. */
  mention(said: Said): Message;
  command(typed: TypedCommand): Promise<CommandOutcome>;
  click(click: Click): Promise<Receipt>;
  shortcut(chosen: MessageShortcut): Promise<Receipt>;
  globalShortcut(user: string, callbackId: string): Promise<Receipt>;
  submitView(user: string, input: FormInput): Promise<SubmitOutcome>;
  closeView(user: string): Promise<void>;
  openHome(user: string): void;
}

const DEFAULT_WAIT_MS = 10_000;
const CONNECT_WAIT_MS = 60_000;

/** Starts a workspace on 127.0.0.1; everything in it is in memory and ends with it. */
export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const parts = createParts(options.manifest ?? (await readManifest()), options);
  const { core, delivery, events } = parts;
  if (options.onEvent !== undefined) core.changes.subscribe(options.onEvent);
  core.origin = `http://127.0.0.1:${await listen(parts.server, options.port)}`;
  const workspace: Workspace = {
    ...identity(core),
    ...sights(parts),
    ...acts(core, delivery, (user) => {
      events.homeOpened(user, core.directory.directMessages(user).id, 'home');
    }),
    ...connection(parts),
    waitFor: (check, timeoutMs = DEFAULT_WAIT_MS) =>
      waitFor(core.changes, () => check(workspace), {
        timeoutMs,
        describe: () =>
          core.directory
            .channels()
            .map(({ id, name }) => `#${name}\n${parts.transcript.of(id)}`)
            .join('\n'),
      }),
    close: () => closeParts(parts),
    [Symbol.asyncDispose]: () => closeParts(parts),
  };
  return workspace;
}

/** What can be seen of it. */
function sights({ core, calls, delivery, transcript, setNotice }: Parts) {
  return {
    directory: core.directory,
    faults: core.faults,
    messages: core.messages.history,
    thread: core.messages.thread,
    ephemerals: core.messages.ephemeralsTo,
    files: core.files.all,
    views: core.views.stack,
    home: core.views.home,
    permalink: (message: Pick<Message, 'channel' | 'ts' | 'threadTs'>) =>
      permalinkOf(core.origin, message),
    calls: calls.list,
    deliveries: delivery.attempts,
    transcript: transcript.of,
    expireResponseUrls: core.responseUrls.expireAll,
    setNotice,
  };
}

/** Its lines to the app. */
function connection({ core, delivery }: Parts) {
  const { socketMode } = delivery;
  return {
    setDelivery: delivery.setMode,
    verifyUrl: delivery.verifyUrl,
    connectionCount: socketMode.connectionCount,
    async appConnected(timeoutMs = CONNECT_WAIT_MS) {
      await waitFor(core.changes, () => socketMode.connectionCount() > 0, {
        timeoutMs,
        describe: () => 'The app did not connect.',
      });
    },
    disconnect: socketMode.disconnect,
  };
}

function identity(core: Core) {
  return {
    origin: core.origin,
    apiUrl: `${core.origin}/api/`,
    botToken: 'xoxb-local-workspace',
    appToken: 'xapp-local-workspace',
    signingSecret: core.signingSecret,
    botUserId: core.app.botUserId,
    users: {
      dana: cast.dana.id,
      mei: cast.mei.id,
      ivan: cast.ivan.id,
      sam: cast.sam.id,
    },
    userGroups: { dbOncall: 'S0DBONCALL' },
    channels: {
      dbOncall: cast.dbOncall.id,
      incident: cast.incident.id,
      general: cast.general.id,
      securityReviews: cast.securityReviews.id,
      danaWithApp: cast.danaWithApp.id,
    },
  };
}

function acts(core: Core, delivery: Delivery, openHome: (user: string) => void): PeopleActs {
  return {
    say: (said) => say(core, said),
    mention: (said) => say(core, { ...said, text: `<@${core.app.botUserId}> ${said.text}` }),
    command: (typed) => typeCommand(core, delivery, typed),
    click: (click) => clickInMessage(core, delivery, click),
    shortcut: (chosen) => useMessageShortcut(core, delivery, chosen),
    globalShortcut: (user, callbackId) => useGlobalShortcut(core, delivery, user, callbackId),
    submitView: (user, input) => submitForm(core, delivery, user, input),
    closeView: (user) => closeForm(core, delivery, user),
    openHome,
  };
}
