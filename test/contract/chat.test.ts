import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkspace, type Workspace } from '../../src/local/slack/workspace.ts';
import type { Chat } from '../../src/ports.ts';
import { createChat } from '../../src/slack/chat.ts';
import { readIdentity } from '../../src/slack/identity.ts';
import { createSlackWeb } from '../../src/slack/web.ts';
import { image, section } from '../../templates/message/blocks.ts';
import { createFakeChat } from '../fakes/fake-chat.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';
import { eventually } from '../support/eventually.ts';
import { samplePicture } from '../support/sample-job.ts';
import { silentLog } from '../support/silent-log.ts';

interface Adapter {
  readonly chat: Chat;
  /** A channel with the bot and this user. */
  readonly channel: string;
  readonly user: string;
  /** One without the bot; the user is in it. */
  readonly elsewhere: string;
  /** In no channel at all. */
  readonly stranger: string;
  /** What one person was told alone. */
  readonly whispersTo: (user: string) => readonly string[];
  /** What everybody sees of a message. */
  readonly textAt: (channel: string, ts: string) => string | undefined;
}

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ fileProcessingMs: 50 });
});
afterAll(() => workspace.close());

const adapters: Record<string, () => Promise<Adapter>> = {
  'in memory': async () => {
    const chat = createFakeChat({
      members: { C0ONCALL01: ['bot', 'U1'], C0OTHER001: ['U1'] },
      looksUntilReady: 2,
    });
    return {
      chat,
      channel: 'C0ONCALL01',
      user: 'U1',
      elsewhere: 'C0OTHER001',
      stranger: 'U9',
      whispersTo: (user) =>
        [...chat.transcript().matchAll(new RegExp(`whisper to ${user} in \\S+: (.*)`, 'g'))].map(
          ([, text = '']) => text,
        ),
      textAt: (channel, ts) => chat.messages.get(`${channel} ${ts}`)?.text,
    };
  },
  'on the local workspace': async () => {
    const { apiUrl, botToken, channels, users } = workspace;
    const web = createSlackWeb({ token: botToken, apiUrl, log: silentLog });
    const { workspaceUrl } = await readIdentity(web);
    return {
      chat: createChat(web, workspaceUrl),
      channel: channels.dbOncall,
      user: users.dana,
      elsewhere: channels.general,
      stranger: 'U0NOBODY01',
      whispersTo: (user) => workspace.ephemerals(user).map(({ text }) => text),
      textAt: (channel, ts) =>
        [...workspace.messages(channel), ...workspace.thread(channel, ts)].find(
          (message) => message.ts === ts,
        )?.text,
    };
  },
};

describe.each(Object.entries(adapters))('the chat %s', (_name, start) => {
  const post = ({ chat, channel }: Adapter, deliveryKey: string, threadTs?: string) =>
    chat.post({
      channel,
      text: `for ${deliveryKey}`,
      blocks: [section('*finding*')],
      deliveryKey,
      ...(threadTs === undefined ? {} : { threadTs }),
    });

  async function upload(
    { chat }: Adapter,
    name: string,
    place?: { channel: string; threadTs: string },
  ) {
    const { png } = await createFakeStudio().draw(samplePicture('x'), new AbortController().signal);
    const slot = await chat.reserveUpload({ name, lengthBytes: png.length });
    await chat.sendUpload(slot, png);
    await chat.completeUpload([{ fileId: slot.fileId, title: 'Memory' }], place);
    return slot.fileId;
  }

  it('finds a message by the key it was posted with, in channel and thread', async () => {
    const adapter = await start();
    const { chat, channel } = adapter;
    const root = await post(adapter, 'key-root');
    const reply = await post(adapter, 'key-reply', root.ts);
    const oldestTs = '1000000000.000000';
    expect(await chat.find({ channel, oldestTs }, 'key-root')).toEqual(root);
    expect(await chat.find({ channel, threadTs: root.ts, oldestTs }, 'key-reply')).toEqual(reply);
    expect(await chat.find({ channel, oldestTs }, 'key-other')).toBeUndefined();
  });

  it('changes a message in place', async () => {
    const adapter = await start();
    const root = await post(adapter, 'key-1');
    await adapter.chat.update(root, 'changed', [section('changed')]);
    expect(adapter.textAt(root.channel, root.ts)).toBe('changed');
  });

  it('refuses to change a message that is not there', async () => {
    const { chat, channel } = await start();
    await expect(
      chat.update({ channel, ts: '1000000000.000001' }, 'x', [section('x')]),
    ).rejects.toMatchObject({ kind: 'slack-refused', why: 'message_not_found' });
  });

  it('posts only where the bot is', async () => {
    const { chat, elsewhere } = await start();
    await expect(
      chat.post({ channel: elsewhere, text: 'x', deliveryKey: 'key-2' }),
    ).rejects.toMatchObject({ kind: 'not-in-channel', what: 'memprof is not in this channel' });
  });

  it('has a picture once it is processed, and shows it in a message only then', async () => {
    const adapter = await start();
    const { chat } = adapter;
    const root = await post(adapter, 'key-3');
    const fileId = await upload(adapter, 'memory.png');
    const show = () =>
      chat.update(root, 'with picture', [image({ fileId, alt: 'Memory rises.', title: 'Memory' })]);
    await expect(show()).rejects.toMatchObject({ kind: 'file-not-ready' });
    await eventually(async () => expect((await chat.fileState(fileId)).kind).toBe('ready'));
    await show();
    expect(adapter.textAt(root.channel, root.ts)).toBe('with picture');
    expect((await chat.fileState(fileId)).sharedIn).toEqual([]);
  });

  it('shows files in a thread, and completes them only once', async () => {
    const adapter = await start();
    const { chat, channel } = adapter;
    const root = await post(adapter, 'key-4');
    const place = { channel, threadTs: root.ts };
    const fileId = await upload(adapter, 'memory.png', place);
    await expect(chat.completeUpload([{ fileId, title: 'Memory' }], place)).rejects.toMatchObject({
      kind: 'slack-refused',
    });
    await eventually(async () =>
      expect(await chat.fileState(fileId)).toEqual({ kind: 'ready', sharedIn: [channel] }),
    );
  });

  it('knows nothing of a file that was reserved and not completed, or deleted', async () => {
    const adapter = await start();
    const { chat } = adapter;
    const slot = await chat.reserveUpload({ name: 'memory.png', lengthBytes: 10 });
    expect(await chat.fileState(slot.fileId)).toEqual({ kind: 'absent', sharedIn: [] });
    const fileId = await upload(adapter, 'memory.png');
    await chat.deleteFile(fileId);
    expect(await chat.fileState(fileId)).toEqual({ kind: 'absent', sharedIn: [] });
  });

  it('knows who is in a channel, itself too', async () => {
    const { chat, channel, user, elsewhere, stranger } = await start();
    expect(await chat.isMember(channel, user)).toBe(true);
    expect(await chat.isMember(channel, stranger)).toBe(false);
    expect(await chat.isMember(channel)).toBe(true);
    expect(await chat.isMember(elsewhere)).toBe(false);
  });

  it('reads the links that it writes', async () => {
    const adapter = await start();
    const root = await post(adapter, 'key-5');
    const { chat } = adapter;
    expect(chat.readPermalink(chat.permalink(root))).toEqual(root);
    const reply = { ...(await post(adapter, 'key-6', root.ts)), threadTs: root.ts };
    expect(chat.readPermalink(chat.permalink(reply))).toEqual(reply);
  });

  it('whispers to one person alone', async () => {
    const { chat, channel, user, stranger, whispersTo } = await start();
    await chat.whisper({ channel, user }, 'for you alone', [section('for you alone')]);
    expect(whispersTo(user)).toEqual(['for you alone']);
    expect(whispersTo(stranger)).toEqual([]);
  });
});
