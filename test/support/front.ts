import { createHmac } from 'node:crypto';
import { jobs as table } from '../../jobs/index.ts';
import type { Job } from '../../jobs/job.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createSlackApp } from '../../src/slack/app.ts';
import { createHttpConnection } from '../../src/slack/receiver.ts';
import type { SlackWeb } from '../../src/slack/web.ts';
import { createFakeChat, type FakeChatOptions } from '../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../fakes/fake-delivery-record.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { createFakeLeases } from '../fakes/fake-leases.ts';
import { createFakeQueue } from '../fakes/fake-queue.ts';
import { createFakeSchedules } from '../fakes/fake-schedules.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { samplePeak } from './sample-job.ts';
import { silentLog } from './silent-log.ts';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

export interface FrontOptions {
  readonly settings?: string;
  readonly chat?: FakeChatOptions;
  /** What Slack's Web API answers beyond messages and files. */
  readonly answers?: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => object>>;
}

/** Investigations that the Slack edge treats in a way of their own. */
const OWN_FORMS: ReadonlySet<string> = new Set(['run', 'approve', 'sample']);

export type Front = Awaited<ReturnType<typeof startFront>>;

/** The Slack edge with the real Bolt on a port of its own, signed requests, and fakes behind it. */
export async function startFront(options: FrontOptions = {}) {
  const config: Config = readConfig(
    options.settings ?? 'targets:\n  prod: { url: "http://prod:8123" }\n',
    {},
    'memprof.yaml',
  );
  const chat = createFakeChat(options.chat);
  const queue = createFakeQueue();
  const investigations = createFakeInvestigations();
  const deliveries = createFakeDeliveryRecord();
  const leases = createFakeLeases();
  const calls: { method: string; args: Readonly<Record<string, unknown>> }[] = [];
  const call: SlackWeb['call'] = async (method, args) => {
    calls.push({ method, args });
    return { ok: true, ...options.answers?.[method]?.(args) };
  };
  const web: SlackWeb = { call, callOnce: call, sendBytes: async () => undefined };
  const connection = createHttpConnection({
    signingSecret: SECRET,
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
  });
  const jobs: readonly Job[] = [
    samplePeak(),
    ...table.filter(({ name, isErrand }) => isErrand || OWN_FORMS.has(name)),
  ];
  const app = createSlackApp({
    config,
    token: 'xoxb-test',
    identity: {
      workspaceUrl: 'https://example.slack.com/',
      teamId: 'T1',
      botUserId: 'UBOT',
      botId: 'BBOT',
    },
    connection,
    web,
    jobs,
    ports: {
      chat,
      queue,
      investigations,
      deliveries,
      schedules: createFakeSchedules(),
      leases,
      store: createFakeStore(),
      clock: { nowMicros: () => 1_790_000_000_000_000 },
      log: silentLog,
    },
  });
  const port = await app.start();

  async function send(body: string, contentType: string, at = Math.floor(Date.now() / 1000)) {
    const signature = createHmac('sha256', SECRET).update(`v0:${at}:${body}`).digest('hex');
    const response = await fetch(`http://127.0.0.1:${port}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        'x-slack-request-timestamp': String(at),
        'x-slack-signature': `v0=${signature}`,
      },
      body,
    });
    return { status: response.status, body: await response.text() };
  }

  const form = (fields: Readonly<Record<string, string>>, at?: number) =>
    send(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded', at);
  let count = 0;
  const unique = (prefix: string) => {
    count += 1;
    return `${prefix}${count}`;
  };

  return {
    chat,
    queue,
    investigations,
    deliveries,
    leases,
    /** Calls beyond messages and files: forms, Home, groups. */
    calls,
    send,
    stop: () => app.stop(5000),

    /** Types a slash command. The answer of Slack's `respond` goes nowhere, so whispers go through the chat. */
    command: (text: string, fields: Readonly<Record<string, string>> = {}, at?: number) =>
      form(
        {
          command: '/memprof',
          text,
          team_id: 'T1',
          channel_id: 'C1',
          user_id: 'U1',
          trigger_id: unique('trigger.'),
          response_url: 'https://hooks.example/nowhere',
          ...fields,
        },
        at,
      ),

    mention: (event: Readonly<Record<string, unknown>>, envelope = {}) =>
      send(
        JSON.stringify({
          type: 'event_callback',
          team_id: 'T1',
          event_id: unique('Ev'),
          ...envelope,
          event: {
            type: 'app_mention',
            user: 'U1',
            channel: 'C1',
            ts: '1790000000.000001',
            ...event,
          },
        }),
        'application/json',
      ),

    event: (event: Readonly<Record<string, unknown>>) =>
      send(
        JSON.stringify({ type: 'event_callback', team_id: 'T1', event_id: unique('Ev'), event }),
        'application/json',
      ),

    interaction: (payload: Readonly<Record<string, unknown>>) =>
      form({
        payload: JSON.stringify({
          team: { id: 'T1' },
          user: { id: 'U1', team_id: 'T1' },
          trigger_id: unique('trigger.'),
          ...payload,
        }),
      }),
  };
}

/** A press of a button of a message in C1. */
export function press(actionId: string, value: string, changes: object = {}) {
  return {
    type: 'block_actions',
    channel: { id: 'C1' },
    container: { type: 'message', message_ts: '1790000000.000100', channel_id: 'C1' },
    actions: [{ type: 'button', action_id: actionId, block_id: 'b', value, action_ts: '1.1' }],
    response_url: 'https://hooks.example/nowhere',
    ...changes,
  };
}
