import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/local/slack/workspace.ts';
import { startHttpApp, startTestWorkspace } from './fixture.ts';

let workspace: Workspace;
const channel = 'C0DBONCALL';
const user = 'U0DANA0001';

beforeEach(async () => {
  workspace = await startTestWorkspace({ eventRetryMs: [10, 10] });
});
afterEach(() => workspace.close());

describe('a real Bolt app that takes signed requests', () => {
  it('proves that the URL is its own', async () => {
    await using app = await startHttpApp(workspace, () => {});
    expect(await workspace.verifyUrl()).toBe(true);
    workspace.setDelivery({ mode: 'http', url: app.url.replace('events', 'nowhere') });
    expect(await workspace.verifyUrl()).toBe(false);
  });

  it('takes commands, interactions, forms and events by one URL', async () => {
    const seen: string[] = [];
    await using _app = await startHttpApp(workspace, (app: App) => {
      app.command('/memprof', async ({ ack, command, client }) => {
        await ack('on it');
        seen.push(`command ${command.text} in ${command.channel_name}`);
        await client.chat.postMessage({
          channel: command.channel_id,
          text: 'press',
          blocks: [
            {
              type: 'actions',
              elements: [
                { type: 'button', action_id: 'press', text: { type: 'plain_text', text: 'P' } },
              ],
            },
          ],
        });
      });
      app.action('press', async ({ ack, body, client }) => {
        await ack();
        seen.push('press');
        const label = { type: 'plain_text' as const, text: 'L' };
        await client.views.open({
          trigger_id: 'trigger_id' in body ? body.trigger_id : '',
          view: {
            type: 'modal',
            callback_id: 'form',
            title: label,
            submit: label,
            blocks: [
              {
                type: 'input',
                block_id: 'b',
                label,
                element: { type: 'plain_text_input', action_id: 'a' },
              },
            ],
          },
        });
      });
      app.view('form', async ({ ack, view }) => {
        const { value } = view.state.values.b!.a!;
        seen.push(`form ${value}`);
        if (value === 'bad') await ack({ response_action: 'errors', errors: { b: 'no' } });
        else await ack();
      });
      app.event('app_mention', async ({ event }) => {
        seen.push(`mention ${event.text}`);
      });
    });
    const outcome = await workspace.command({ user, channel, text: 'peak abc' });
    expect(outcome).toMatchObject({ kind: 'acknowledged', answer: { text: 'on it' } });
    const message = await workspace.waitFor(() =>
      workspace.messages(channel).find(({ text }) => text === 'press'),
    );
    await workspace.click({ user, message, actionId: 'press' });
    await workspace.waitFor(() => workspace.views(user).length === 1);
    expect(await workspace.submitView(user, { b: 'bad' })).toEqual({
      kind: 'errors',
      errors: { b: 'no' },
    });
    expect(await workspace.submitView(user, { b: 'good' })).toEqual({ kind: 'accepted' });
    workspace.mention({ user, channel, text: 'hi' });
    await workspace.waitFor(() => seen.length === 5);
    expect(seen).toEqual([
      'command peak abc in db-oncall',
      'press',
      'form bad',
      'form good',
      `mention <@${workspace.botUserId}> hi`,
    ]);
  });

  it('refuses a signature that is not of its secret', async () => {
    await using app = await startHttpApp(workspace, () => {});
    const answer = await fetch(app.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
        'x-slack-signature': 'v0=00',
      },
      body: 'command=%2Fmemprof',
    });
    expect(answer.status).toBe(401);
  });

  it('gets an event again when it was away, with number and reason', async () => {
    const seen: unknown[] = [];
    await using app = await startHttpApp(workspace, () => {});
    app.app.use(async ({ next, context }) => {
      seen.push([context.retryNum, context.retryReason]);
      await next();
    });
    // At first an address at which nobody answers.
    workspace.setDelivery({ mode: 'http', url: 'http://127.0.0.1:9/' });
    workspace.mention({ user, channel, text: 'hi' });
    await workspace.waitFor(() => workspace.deliveries().length === 1);
    workspace.setDelivery({ mode: 'http', url: app.url });
    await workspace.waitFor(() => workspace.deliveries().length === 2);
    expect(seen).toEqual([[1, 'connection_failed']]);
    expect(workspace.deliveries().map(({ attempt }) => attempt)).toEqual([0, 1]);
  });

  it('that has no listener for a command fails for the person who typed', async () => {
    await using _app = await startHttpApp(workspace, () => {});
    expect(await workspace.command({ user, channel, text: 'peak' })).toMatchObject({
      kind: 'failed',
      error: 'dispatch_failed',
    });
  });
});
