import { WebAPIHTTPError, WebAPIRequestError, WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/local/slack/workspace.ts';
import { clientOf, PIXEL, quiet, startTestWorkspace } from './fixture.ts';

let workspace: Workspace;
const channel = 'C0DBONCALL';
const texts = () => workspace.messages(channel).map(({ text }) => text);

beforeEach(async () => {
  workspace = await startTestWorkspace();
});
afterEach(() => workspace.close());

describe('trouble on demand', () => {
  it('429 makes the client wait as long as it is told, and then go on', async () => {
    workspace.faults.rateLimit('chat.postMessage', { retryAfterSeconds: 1 });
    const client = clientOf(workspace, 1);
    await client.chat.postMessage({ channel, text: 'late' });
    const [refused, taken] = workspace.calls('chat.postMessage');
    expect([refused?.outcome, taken?.outcome]).toEqual(['ratelimited', 'ok']);
    expect(taken!.atMillis - refused!.atMillis).toBeGreaterThanOrEqual(1000);
    expect(texts().filter((text) => text === 'late')).toHaveLength(1);
  });

  it('429 can be told apart', async () => {
    workspace.faults.rateLimit('*', { retryAfterSeconds: 7, times: 1 });
    const client = new WebClient(workspace.botToken, {
      slackApiUrl: workspace.apiUrl,
      rejectRateLimitedCalls: true,
      logger: quiet,
    });
    await expect(client.auth.test()).rejects.toMatchObject({ retryAfter: 7 });
    expect(await client.auth.test()).toMatchObject({ ok: true });
  });

  it('500 does nothing, and a retry does it once', async () => {
    workspace.faults.failWith('chat.postMessage', 500);
    await expect(
      clientOf(workspace).chat.postMessage({ channel, text: 'once' }),
    ).rejects.toBeInstanceOf(WebAPIHTTPError);
    expect(texts()).not.toContain('once');
    workspace.faults.failWith('chat.postMessage', 503);
    await clientOf(workspace, 1).chat.postMessage({ channel, text: 'once' });
    expect(texts().filter((text) => text === 'once')).toHaveLength(1);
  });

  it('408 after success posts, though nobody hears of it: a blind retry posts twice', async () => {
    workspace.faults.loseAnswer('chat.postMessage');
    await expect(
      clientOf(workspace).chat.postMessage({ channel, text: 'lost' }),
    ).rejects.toMatchObject({ statusCode: 408 });
    expect(texts()).toContain('lost');
    workspace.faults.loseAnswer('chat.postMessage');
    await clientOf(workspace, 1).chat.postMessage({ channel, text: 'twice' });
    expect(texts().filter((text) => text === 'twice')).toHaveLength(2);
  });

  it('a connection that breaks after the work does the work', async () => {
    workspace.faults.loseAnswer('chat.postMessage', { how: 'connection-dropped' });
    await expect(
      clientOf(workspace).chat.postMessage({ channel, text: 'dropped' }),
    ).rejects.toBeInstanceOf(WebAPIRequestError);
    expect(texts()).toContain('dropped');
  });

  it('a slow answer runs into the deadline of the client, and the work is done all the same', async () => {
    workspace.faults.delay('chat.postMessage', 200);
    const client = new WebClient(workspace.botToken, {
      slackApiUrl: workspace.apiUrl,
      timeout: 50,
      retryConfig: { retries: 0 },
      logger: quiet,
    });
    await expect(client.chat.postMessage({ channel, text: 'slow' })).rejects.toThrow();
    await workspace.waitFor(() => texts().includes('slow'));
  });

  it('an error code of choice is answered as often as ordered', async () => {
    const client = clientOf(workspace);
    workspace.faults.refuse('chat.update', 'internal_error', 2);
    const { ts } = await client.chat.postMessage({ channel, text: 'x' });
    const update = () => client.chat.update({ channel, ts: ts!, text: 'y' });
    await expect(update()).rejects.toMatchObject({ data: { error: 'internal_error' } });
    await expect(update()).rejects.toMatchObject({ data: { error: 'internal_error' } });
    expect(await update()).toMatchObject({ ok: true });
  });

  it('an upload of bytes can fail', async () => {
    workspace.faults.failWith('upload', 500);
    const upload = clientOf(workspace).filesUploadV2({ file: PIXEL, filename: 'f.png' });
    await expect(upload).rejects.toThrow();
    expect(workspace.calls('upload')).toMatchObject([{ outcome: 'http-500' }]);
  });

  it('is over when it is cleared', async () => {
    workspace.faults.failWith('*', 500, 100);
    workspace.faults.neverShare(5);
    workspace.faults.clear();
    expect(await clientOf(workspace).auth.test()).toMatchObject({ ok: true });
  });
});
