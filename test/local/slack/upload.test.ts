import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/local/slack/workspace.ts';
import { clientOf, PIXEL, refusal, startTestWorkspace } from './fixture.ts';

let workspace: Workspace;
let client: WebClient;
const channel = 'C0DBONCALL';

beforeEach(async () => {
  workspace = await startTestWorkspace();
  client = clientOf(workspace);
});
afterEach(() => workspace.close());

/** Uploads without showing it anywhere; resolves to the file's id. */
async function upload(bytes: Uint8Array = PIXEL, filename = 'flame.png'): Promise<string> {
  const slot = await client.files.getUploadURLExternal({ filename, length: bytes.length });
  const answer = await fetch(slot.upload_url!, { method: 'POST', body: bytes.slice() });
  expect(await answer.text()).toBe(`OK - ${bytes.length}`);
  await client.files.completeUploadExternal({ files: [{ id: slot.file_id!, title: 'Flame' }] });
  return slot.file_id!;
}

const processed = (id: string) =>
  workspace.waitFor(() => workspace.files().find((file) => file.id === id)?.state === 'ready');

const picture = (id: string) => [
  { type: 'image' as const, slack_file: { id }, alt_text: 'who held the memory' },
];

describe('an upload by the client', () => {
  it('arrives byte for byte and is shown in the thread after a while', async () => {
    const { ts } = await client.chat.postMessage({ channel, text: 'root' });
    const bytes = Buffer.concat([PIXEL, Buffer.alloc(200_000, 'x')]);
    await client.filesUploadV2({
      channel_id: channel,
      thread_ts: ts!,
      initial_comment: 'see',
      file: bytes,
      filename: 'flame.png',
      title: 'Flame',
    });
    expect(workspace.thread(channel, ts!)).toHaveLength(1);
    const shown = await workspace.waitFor(() => workspace.thread(channel, ts!)[1]);
    const [file] = workspace.files();
    expect(shown).toMatchObject({ text: 'see', files: [file?.id], threadTs: ts });
    expect(Buffer.from(file!.bytes).equals(bytes)).toBe(true);
    const { file: info } = await client.files.info({ file: file!.id });
    expect(info).toMatchObject({
      mimetype: 'image/png',
      title: 'Flame',
      original_w: 1,
      shares: { public: { [channel]: [{ thread_ts: ts }] } },
    });
  });

  it('of several files is one message', async () => {
    await client.filesUploadV2({
      channel_id: channel,
      initial_comment: 'both',
      file_uploads: [
        { file: PIXEL, filename: 'a.png' },
        { content: 'main;b 3', filename: 'b.txt' },
      ],
    });
    const message = await workspace.waitFor(() =>
      workspace.messages(channel).find(({ files }) => files.length === 2),
    );
    expect(message.text).toBe('both');
  });

  it('without bytes is refused', async () => {
    const slot = client.files.getUploadURLExternal({ filename: 'e.png', length: 0 });
    expect(await refusal(slot)).toBe('invalid_arguments');
  });
});

describe('a file', () => {
  it('is nothing to the Web API before it is completed, and hardly anything before it is processed', async () => {
    workspace.faults.processFilesIn(200);
    const slot = await client.files.getUploadURLExternal({ filename: 'f.png', length: 3 });
    expect(await refusal(client.files.info({ file: slot.file_id! }))).toBe('file_not_found');
    const id = await upload();
    expect((await client.files.info({ file: id })).file).toMatchObject({
      mimetype: '',
      shares: {},
    });
    await processed(id);
    expect((await client.files.info({ file: id })).file?.mimetype).toBe('image/png');
  });

  it('can be completed once', async () => {
    const id = await upload();
    const again = client.files.completeUploadExternal({ files: [{ id }] });
    expect(await refusal(again)).toBe('file_not_found');
  });

  it('that is never shared looks well otherwise', async () => {
    workspace.faults.neverShare();
    await client.filesUploadV2({ channel_id: channel, file: PIXEL, filename: 'f.png' });
    const { id } = workspace.files()[0]!;
    await processed(id);
    expect((await client.files.info({ file: id })).file).toMatchObject({
      mimetype: 'image/png',
      shares: {},
    });
  });

  it('that is deleted disappears from the message that showed it', async () => {
    await client.filesUploadV2({ channel_id: channel, file: PIXEL, filename: 'f.png' });
    const shown = await workspace.waitFor(() =>
      workspace.messages(channel).find(({ files }) => files.length > 0),
    );
    const [id] = shown.files;
    await client.files.delete({ file: id! });
    expect(workspace.messages(channel)).not.toContainEqual(
      expect.objectContaining({ ts: shown.ts }),
    );
    expect(await refusal(client.files.info({ file: id! }))).toBe('file_deleted');
  });

  it('gives its bytes to the bot, and a page to sign in to anybody else', async () => {
    const id = await upload();
    await processed(id);
    const { file } = await client.files.info({ file: id });
    const url = file!.url_private!;
    const authorization = `Bearer ${workspace.botToken}`;
    const own = await fetch(url, { headers: { authorization } });
    expect(Buffer.from(await own.arrayBuffer()).equals(PIXEL)).toBe(true);
    const stranger = await fetch(url);
    expect(stranger.status).toBe(200);
    expect(stranger.headers.get('content-type')).toMatch('text/html');
    expect(await stranger.text()).toMatch('Sign in');
  });

  it('that is no picture is only for downloading', async () => {
    const id = await upload(Buffer.from('<svg onload="alert(1)"/>'), 'flame.svg');
    await processed(id);
    const { file } = await client.files.info({ file: id });
    const headers = { authorization: `Bearer ${workspace.botToken}` };
    const answer = await fetch(file!.url_private!, { headers });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(answer.headers.get('content-security-policy')).toMatch('sandbox');
  });
});

describe('an image block that names a file', () => {
  const post = (id: string) =>
    client.chat.postMessage({ channel, text: 'picture', blocks: picture(id) });

  it('is refused until the file is processed', async () => {
    workspace.faults.processFilesIn(150);
    const id = await upload();
    await expect(post(id)).rejects.toMatchObject({
      data: {
        error: 'invalid_blocks',
        errors: ['invalid slack file [json-pointer:/blocks/0/slack_file]'],
      },
    });
    await processed(id);
    expect(await post(id)).toMatchObject({ ok: true });
  });

  it.each([
    ['that is not there', async () => 'F0NOTHERE01'],
    ['that is no picture', () => upload(Buffer.from('a;b 1'), 'stacks.txt')],
    ['that is an SVG', () => upload(Buffer.from('<svg/>'), 'flame.svg')],
  ])('is refused for a file %s', async (_, make) => {
    const id = await make();
    if (workspace.files().length > 0) await processed(id);
    expect(await refusal(post(id))).toBe('invalid_blocks');
  });

  it('is refused when it names the file twice over', async () => {
    const id = await upload();
    await processed(id);
    const blocks = [
      { type: 'image', slack_file: { id }, image_url: 'https://x/y.png', alt_text: 'a' },
    ];
    const call = client.apiCall('chat.postMessage', { channel, text: 'x', blocks });
    expect(await refusal(call)).toBe('invalid_blocks');
  });
});
