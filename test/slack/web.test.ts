import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPinnedFetch } from '../../src/slack/pinned-fetch.ts';
import { createSlackWeb, type SlackWeb } from '../../src/slack/web.ts';
import { eventually, pause } from '../support/eventually.ts';
import { silentLog } from '../support/silent-log.ts';

/** One answer of Slack: status, headers, body; `undefined` drops the connection. */
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | undefined;

let server: Server;
let origin: string;
let web: SlackWeb;
let answers: Answer[];
let requests: { path: string; authorization: string | undefined; body: string }[];

beforeEach(async () => {
  answers = [];
  requests = [];
  server = createServer(async (request, response) => {
    const body = await read(request);
    const { authorization } = request.headers;
    requests.push({ path: request.url ?? '', authorization, body });
    const answer = answers.length === 0 ? { body: { ok: true } } : answers.shift();
    if (answer === undefined) return void request.socket.destroy();
    response.writeHead(answer.status ?? 200, {
      'content-type': 'application/json',
      ...answer.headers,
    });
    response.end(JSON.stringify(answer.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  web = createSlackWeb({ token: 'xoxb-test', apiUrl: `${origin}/api/`, log: silentLog });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('a call', () => {
  it('that may be made twice is repeated while Slack has troubles', async () => {
    answers = [{ status: 500 }, undefined, { body: { ok: true, ts: '1' } }];
    expect(await web.call('chat.update', { channel: 'C1' })).toMatchObject({ ts: '1' });
    expect(requests).toHaveLength(3);
  });

  it('that shows is made once, and nobody knows whether Slack acted', async () => {
    answers = [{ status: 408 }];
    await expect(web.callOnce('chat.postMessage', { channel: 'C1' })).rejects.toMatchObject({
      kind: 'slack-unavailable',
      what: 'Slack did not answer chat.postMessage',
      why: 'it answered with HTTP 408',
    });
    expect(requests).toHaveLength(1);
  });

  it('gives up after some troubles', async () => {
    answers = [{ status: 503 }, { status: 503 }, { body: { ok: false, error: 'internal_error' } }];
    await expect(web.call('files.info', {})).rejects.toMatchObject({ kind: 'slack-unavailable' });
    expect(requests).toHaveLength(3);
  });

  it('waits when it is told to slow down, and so do all others; none is lost', async () => {
    answers = [{ status: 429, headers: { 'retry-after': '1' } }];
    const calls = [web.callOnce('chat.postMessage', { channel: 'C1' })];
    await eventually(() => expect(requests).toHaveLength(1));
    await pause(100);
    calls.push(web.call('chat.update', { channel: 'C2' }));
    await pause(300);
    expect(requests).toHaveLength(1);
    await Promise.all(calls);
    expect(requests.map(({ path }) => path).sort()).toEqual([
      '/api/chat.postMessage',
      '/api/chat.postMessage',
      '/api/chat.update',
    ]);
  });

  it('also waits when the order to slow down comes as an error of the platform, or without a time', async () => {
    answers = [
      { body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '0' } },
      { status: 429, headers: { 'retry-after': '0' } },
    ];
    await web.callOnce('chat.postMessage', { channel: 'C1' });
    expect(requests).toHaveLength(3);
  });

  it('is refused in words that say what to do', async () => {
    const refusals = [
      [{ ok: false, error: 'not_in_channel' }, 'not-in-channel', /memprof is not in this channel/],
      [{ ok: false, error: 'channel_not_found' }, 'not-in-channel', /cannot see this channel/],
      [
        { ok: false, error: 'missing_scope', needed: 'files:write', provided: 'chat:write' },
        'slack-refused',
        /lacks the scope files:write\. files\.info needs it; the app has chat:write/,
      ],
      [{ ok: false, error: 'token_revoked' }, 'slack-refused', /does not accept the token/],
      [{ ok: false, error: 'is_archived' }, 'slack-refused', /refused files\.info\. is_archived/],
      [{ ok: false, error: 'msg_too_long' }, 'slack-refused', /msg_too_long/],
      [
        {
          ok: false,
          error: 'invalid_blocks',
          errors: ['must be more than 0 characters [json-pointer:/blocks/0/text]'],
        },
        'slack-refused',
        /invalid_blocks; must be more than 0 characters/,
      ],
      [
        {
          ok: false,
          error: 'invalid_blocks',
          errors: ['invalid slack file [json-pointer:/blocks/1]'],
        },
        'file-not-ready',
        /has not processed the picture yet/,
      ],
    ] as const;
    for (const [body, kind, message] of refusals) {
      answers = [{ body }];
      await expect(web.call('files.info', {})).rejects.toMatchObject({
        kind,
        message: expect.stringMatching(message),
      });
    }
  });

  it('never follows a redirect with the token in its hand', async () => {
    answers = [{ status: 302, headers: { location: 'http://evil.example/' } }];
    await expect(web.callOnce('auth.test', {})).rejects.toMatchObject({
      kind: 'slack-unavailable',
    });
  });

  it('says so when nobody listens', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(web.callOnce('chat.postMessage', {})).rejects.toMatchObject({
      kind: 'slack-unavailable',
      why: 'the connection failed (ECONNREFUSED)',
    });
  });
});

describe('bytes', () => {
  it('are sent as they are, without the token', async () => {
    await web.sendBytes(`${origin}/upload/v1/F1`, new TextEncoder().encode('PNG'));
    expect(requests).toEqual([{ path: '/upload/v1/F1', authorization: undefined, body: 'PNG' }]);
  });

  it('are not sent anywhere but to Slack', async () => {
    await expect(
      web.sendBytes('http://evil.example/upload', new Uint8Array(1)),
    ).rejects.toMatchObject({
      kind: 'slack-unavailable',
      why: 'evil.example is not a host of Slack',
    });
  });
});

describe('the pinned fetch', () => {
  const pinned = createPinnedFetch('https://slack.com/api/');

  it.each([
    'https://slack.com.evil.example/',
    'https://evil.example/slack.com',
    'http://files.slack.com/upload',
    'https://127.0.0.1/',
  ])('does not reach %s', async (url) => {
    await expect(pinned(url)).rejects.toThrow('is not a host of Slack');
  });
});
