import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/local/slack/workspace.ts';
import { clientOf, startSocketApp, startTestWorkspace, widerManifest } from './fixture.ts';

let workspace: Workspace;
const channel = 'C0DBONCALL';
const user = 'U0DANA0001';

beforeEach(async () => {
  workspace = await startTestWorkspace({
    eventRetryMs: [10, 10],
    manifest: await widerManifest({ events: ['message.channels'] }),
  });
});
afterEach(() => workspace.close());

describe('a real Bolt app in socket mode', () => {
  it('takes a slash command, acknowledges, posts and responds', async () => {
    await using _app = await startSocketApp(workspace, (app) => {
      app.command('/memprof', async ({ ack, command, client, respond }) => {
        await ack({ text: 'working', response_type: 'ephemeral' });
        await client.chat.postMessage({ channel: command.channel_id, text: `on ${command.text}` });
        await respond('later');
      });
    });
    const outcome = await workspace.command({ user, channel, text: '/memprof peak  abc' });
    expect(outcome).toMatchObject({ kind: 'acknowledged', answer: { text: 'working' } });
    await workspace.waitFor(() => workspace.ephemerals(user).length === 2);
    expect(workspace.ephemerals(user).map(({ text }) => text)).toEqual(['working', 'later']);
    expect(workspace.messages(channel).at(-1)?.text).toBe('on peak  abc');
  });

  it('shows the command to everybody when it answers in the channel', async () => {
    await using _app = await startSocketApp(workspace, (app) => {
      app.command('/memprof', async ({ ack }) => ack({ text: 'hi', response_type: 'in_channel' }));
    });
    await workspace.command({ user, channel, text: '/memprof help' });
    expect(workspace.messages(channel).slice(-2)).toMatchObject([
      { user, text: '/memprof help' },
      { user: workspace.botUserId, text: 'hi' },
    ]);
  });

  it('that acknowledges too late, answers nonsense or is away fails for the person who typed', async () => {
    const said = () => workspace.ephemerals(user).at(-1)?.text;
    const type = () => workspace.command({ user, channel, text: '/memprof' });
    expect(await type()).toMatchObject({ kind: 'failed', error: 'dispatch_failed' });
    expect(said()).toBe('/memprof failed with the error "dispatch_failed"');
    let answer: Record<string, unknown> | undefined;
    await using _app = await startSocketApp(workspace, (app) => {
      app.command('/memprof', async ({ ack }) => (answer === undefined ? undefined : ack(answer)));
    });
    expect(await type()).toMatchObject({ kind: 'failed', error: 'operation_timeout' });
    answer = { blocks: [{ type: 'nonsense' }] };
    expect(await type()).toMatchObject({ kind: 'failed', error: 'invalid_command_response' });
  });

  it('gets no command that is typed in a thread or that nobody has', async () => {
    const commands: string[] = [];
    await using _app = await startSocketApp(workspace, (app) => {
      app.command(/./, async ({ ack, command }) => {
        commands.push(command.command);
        await ack();
      });
    });
    const [root] = workspace.messages(workspace.channels.incident);
    const inThread = { user, channel: workspace.channels.incident, threadTs: root!.ts };
    expect(await workspace.command({ ...inThread, text: '/memprof peak x' })).toMatchObject({
      error: 'not_supported_in_threads',
    });
    expect(workspace.ephemerals(user).at(-1)).toMatchObject({
      text: '/memprof is not supported in threads. Sorry!',
      threadTs: root!.ts,
    });
    const unknown = await workspace.command({ user, channel, text: '/memprfo x' });
    expect(unknown).toMatchObject({ error: 'unknown_command' });
    expect(commands).toEqual([]);
  });

  it('hears a mention with its thread, and the message beside it', async () => {
    const seen: unknown[] = [];
    await using _app = await startSocketApp(workspace, (app) => {
      app.event('app_mention', async ({ event, say }) => {
        seen.push([event.text, event.thread_ts]);
        await say({ text: 'here', thread_ts: event.thread_ts ?? event.ts });
      });
      app.message('peak', async ({ message }) => {
        seen.push(message.channel_type);
      });
    });
    const { incident } = workspace.channels;
    const [root] = workspace.messages(incident);
    workspace.mention({ user, channel: incident, threadTs: root!.ts, text: 'peak abc' });
    await workspace.waitFor(() => workspace.thread(incident, root!.ts).at(-1)?.text === 'here');
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual([`<@${workspace.botUserId}> peak abc`, root!.ts]);
    expect(seen).toContainEqual('channel');
  });

  it('hears no mention where it is no member; the person is told so', async () => {
    await using _app = await startSocketApp(workspace, () => {});
    workspace.mention({ user, channel: workspace.channels.general, text: 'peak abc' });
    expect(workspace.ephemerals(user).at(-1)?.text).toMatch('/invite @memprof');
    expect(workspace.deliveries()).toEqual([]);
  });

  it('is pressed, with the thread of the message, and replaces it through the response URL', async () => {
    const pressed: unknown[] = [];
    await using _app = await startSocketApp(workspace, (app) => {
      app.action('again', async ({ ack, body, action, respond }) => {
        await ack();
        pressed.push(action, 'container' in body ? body.container : undefined);
        await respond({ text: 'done', replace_original: true });
      });
    });
    const client = clientOf(workspace);
    const root = await client.chat.postMessage({ channel, text: 'root' });
    const button = { type: 'button', action_id: 'again', value: 'v1' };
    const posted = await client.apiCall('chat.postMessage', {
      channel,
      thread_ts: root.ts,
      text: 'again?',
      blocks: [
        {
          type: 'actions',
          elements: [{ ...button, text: { type: 'plain_text', text: 'Again' } }],
        },
      ],
    });
    const message = { channel, ts: 'ts' in posted ? String(posted.ts) : '' };
    const receipt = await workspace.click({ user, message, actionId: 'again' });
    expect(receipt.outcome).toBe('acknowledged');
    await workspace.waitFor(() => workspace.thread(channel, root.ts!).at(-1)?.text === 'done');
    expect(pressed).toMatchObject([
      { type: 'button', value: 'v1' },
      { type: 'message', message_ts: message.ts, thread_ts: root.ts, is_ephemeral: false },
    ]);
    await expect(workspace.click({ user, message, actionId: 'nope' })).rejects.toThrow(
      /there is no "nope" to use here/,
    );
  });

  it('changes what one person alone sees, and nobody else can press it', async () => {
    await using _app = await startSocketApp(workspace, (app) => {
      app.command('/memprof', async ({ ack, respond }) => {
        await ack();
        const text = { type: 'plain_text' as const, text: 'Go' };
        const elements = [{ type: 'button' as const, action_id: 'go', text }];
        await respond({ text: 'go?', blocks: [{ type: 'actions', elements }] });
      });
      app.action('go', async ({ ack, respond, body }) => {
        await ack();
        expect(body).not.toHaveProperty('message');
        await respond({ delete_original: true });
      });
    });
    await workspace.command({ user, channel, text: '/memprof' });
    const whisper = await workspace.waitFor(() => workspace.ephemerals(user)[0]);
    const press = { message: whisper, actionId: 'go' };
    await expect(workspace.click({ ...press, user: workspace.users.mei })).rejects.toThrow(
      /sees no message/,
    );
    await workspace.click({ ...press, user });
    await workspace.waitFor(() => workspace.ephemerals(user).length === 0);
  });

  it('gets the whole message with a shortcut on it', async () => {
    let payload: unknown;
    await using _app = await startSocketApp(workspace, (app) => {
      app.shortcut('profile_this', async ({ ack, shortcut }) => {
        await ack();
        payload = shortcut;
      });
    });
    const { incident } = workspace.channels;
    const reply = workspace.messages(incident)[1]!;
    await workspace.shortcut({ user, message: reply, callbackId: 'profile_this' });
    expect(payload).toMatchObject({
      type: 'message_action',
      channel: { id: incident, name: 'incident-4711' },
      message: { ts: reply.ts, thread_ts: reply.threadTs, text: reply.text },
      response_url: expect.stringContaining(workspace.origin),
    });
  });

  it('gets an event again that it did not acknowledge, with number and reason', async () => {
    const connection = await openRawSocket(workspace);
    const received: { envelope_id: string; retry_attempt?: number; retry_reason?: string }[] = [];
    connection.addEventListener('message', ({ data }) => {
      const envelope = JSON.parse(String(data));
      if (envelope.type !== 'events_api') return;
      received.push(envelope);
      if (envelope.retry_attempt === 2) {
        connection.send(JSON.stringify({ envelope_id: envelope.envelope_id }));
      }
    });
    await workspace.appConnected();
    const { mei } = workspace.users;
    workspace.say({ user: mei, channel, text: 'hello' });
    await workspace.waitFor(() => workspace.deliveries().length === 3);
    expect(received.map((one) => [one.retry_attempt, one.retry_reason])).toEqual([
      [undefined, undefined],
      [1, 'timeout'],
      [2, 'timeout'],
    ]);
    expect(workspace.deliveries().map(({ receipt }) => receipt.outcome)).toEqual([
      'timeout',
      'timeout',
      'acknowledged',
    ]);
    connection.close();
  });

  it('connects again when it is told to, and when it is cut off', async () => {
    await using _app = await startSocketApp(workspace, (app) => {
      app.command('/memprof', async ({ ack }) => ack());
    });
    const opened = () => workspace.calls('apps.connections.open').length;
    for (const reason of ['warning', undefined] as const) {
      const before = opened();
      workspace.disconnect(reason);
      await workspace.waitFor(() => opened() > before && workspace.connectionCount() === 1);
      // Only then the client has taken notice; it must not be stopped half connected.
      const outcome = await workspace.command({ user, channel, text: 'help' });
      expect(outcome.kind).toBe('acknowledged');
    }
  });

  it('shares what comes among several connections', async () => {
    const counts = [0, 0];
    const listen = (index: number) => (app: Parameters<Parameters<typeof startSocketApp>[1]>[0]) =>
      app.command('/memprof', async ({ ack }) => {
        counts[index]! += 1;
        await ack();
      });
    await using _one = await startSocketApp(workspace, listen(0));
    await using _two = await startSocketApp(workspace, listen(1));
    expect(workspace.connectionCount()).toBe(2);
    for (let n = 0; n < 40; n += 1) await workspace.command({ user, channel, text: 'help' });
    expect(counts[0]! + counts[1]!).toBe(40);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it('is told when somebody opens its Home', async () => {
    await using _app = await startSocketApp(workspace, (app) => {
      app.event('app_home_opened', async ({ event, client }) => {
        const again = event.view === undefined ? 'first' : 'again';
        const text = { type: 'mrkdwn' as const, text: again };
        const view = { type: 'home' as const, blocks: [{ type: 'section' as const, text }] };
        await client.views.publish({ user_id: event.user, view });
      });
    });
    const shown = () => JSON.stringify(workspace.home(user)?.definition.blocks);
    workspace.openHome(user);
    await workspace.waitFor(() => shown()?.includes('first'));
    workspace.openHome(user);
    await workspace.waitFor(() => shown()?.includes('again'));
  });

  it('does not start with a token that is none', async () => {
    workspace.faults.refuse('apps.connections.open', 'invalid_auth');
    await expect(startSocketApp(workspace, () => {})).rejects.toMatchObject({
      data: { error: 'invalid_auth' },
    });
  });
});

/** A socket that says nothing by itself. */
async function openRawSocket({ apiUrl, appToken }: Workspace) {
  const { WebSocket } = await import('ws');
  const answer = await fetch(`${apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${appToken}` },
  });
  const { url } = (await answer.json()) as { url: string };
  return new WebSocket(url);
}
