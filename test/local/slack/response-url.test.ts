import type { RespondFn } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/local/slack/workspace.ts';
import { clientOf, PIXEL, type RunningApp, startSocketApp, startTestWorkspace } from './fixture.ts';

let workspace: Workspace;
let app: RunningApp;
let respond: RespondFn;
const channel = 'C0GENERAL1';
const user = 'U0DANA0001';

beforeEach(async () => {
  workspace = await startTestWorkspace();
  app = await startSocketApp(workspace, (bolt) => {
    bolt.command('/memprof', async (args) => {
      respond = args.respond;
      await args.ack();
    });
  });
  await workspace.command({ user, channel, text: 'help' });
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await workspace.close();
});

describe('a response URL', () => {
  it('answers one person, or everybody, even where the bot is no member', async () => {
    await respond('alone');
    await respond({ text: 'all', response_type: 'in_channel' });
    expect(workspace.ephemerals(user).map(({ text }) => text)).toEqual(['alone']);
    expect(workspace.messages(channel).at(-1)).toMatchObject({ text: 'all' });
  });

  it('answers into a thread that it names', async () => {
    const [root] = workspace.messages(channel);
    await respond({
      text: 'there',
      response_type: 'in_channel',
      replace_original: false,
      thread_ts: root!.ts,
    });
    expect(workspace.thread(channel, root!.ts).at(-1)?.text).toBe('there');
  });

  it('is good for five answers', async () => {
    for (let n = 1; n <= 5; n += 1) await respond(`answer ${n}`);
    await expect(respond('answer 6')).rejects.toMatchObject({ statusCode: 404 });
    expect(workspace.ephemerals(user)).toHaveLength(5);
    expect(workspace.calls('response_url').at(-1)?.outcome).toBe('used_url');
  });

  it('is good for half an hour', async () => {
    workspace.expireResponseUrls();
    await expect(respond('late')).rejects.toMatchObject({ statusCode: 404 });
    expect(workspace.calls('response_url').at(-1)?.outcome).toBe('expired_url');
  });

  it('checks blocks, and takes no uploaded file', async () => {
    const client = clientOf(workspace);
    const slot = await client.files.getUploadURLExternal({ filename: 'f.png', length: 70 });
    await fetch(slot.upload_url!, { method: 'POST', body: PIXEL });
    await client.files.completeUploadExternal({ files: [{ id: slot.file_id! }] });
    await workspace.waitFor(() => workspace.files()[0]?.state === 'ready');
    const image = { type: 'image' as const, slack_file: { id: slot.file_id! }, alt_text: 'a' };
    await expect(respond({ text: 'x', blocks: [image] })).rejects.toMatchObject({
      statusCode: 400,
    });
    expect(workspace.calls('response_url').at(-1)?.outcome).toBe('invalid_blocks');
    await expect(respond({ text: '' })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('can be in trouble like any call', async () => {
    workspace.faults.failWith('response_url', 500);
    await expect(respond('x')).rejects.toMatchObject({ statusCode: 500 });
    expect(workspace.ephemerals(user)).toEqual([]);
  });
});
