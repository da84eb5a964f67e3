import * as z from 'zod';
import { toFailure } from '../failure.ts';
import type { Chat, FileState, MessageAddress } from '../ports.ts';
import { permalinkOf, readPermalink } from './permalink.ts';
import type { SlackWeb } from './web.ts';

/** Marks memprof's own messages, so that a lost answer can be looked up. Other apps can read it: no secrets. */
const METADATA_TYPE = 'memprof_delivery';

const Posted = z.object({ channel: z.string(), ts: z.string() });
const Slot = z.object({ file_id: z.string(), upload_url: z.string() });
const File = z.object({
  file: z.object({
    /** Empty until Slack has processed the file. */
    mimetype: z.string().default(''),
    /** By visibility, then by channel. */
    shares: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  }),
});
const Messages = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z
        .object({
          event_type: z.string(),
          event_payload: z.object({ delivery_key: z.string().optional() }),
        })
        .optional()
        .catch(undefined),
    }),
  ),
});
const Channel = z.object({ channel: z.object({ is_member: z.boolean().default(false) }) });
const Members = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

/** The chat on Slack's Web API. `workspaceUrl` is what auth.test says: "https://example.slack.com/". */
export function createChat(web: SlackWeb, workspaceUrl: string): Chat {
  return {
    async post({ channel, threadTs, text, blocks, deliveryKey }) {
      const answer = await web.callOnce('chat.postMessage', {
        channel,
        thread_ts: threadTs,
        text,
        blocks,
        ...quiet,
        metadata: { event_type: METADATA_TYPE, event_payload: { delivery_key: deliveryKey } },
      });
      const { channel: posted, ts } = Posted.parse(answer);
      return { channel: posted, ts };
    },

    find: (place, deliveryKey) => findPosted(web, place, deliveryKey),

    async update({ channel, ts }, text, blocks) {
      await web.call('chat.update', { channel, ts, text, blocks, ...quiet });
    },

    async whisper({ channel, user, threadTs }, text, blocks) {
      const args = { channel, user, thread_ts: threadTs, text, blocks };
      await web.callOnce('chat.postEphemeral', args);
    },

    async reserveUpload({ name, lengthBytes }) {
      const args = { filename: name, length: lengthBytes };
      const slot = Slot.parse(await web.call('files.getUploadURLExternal', args));
      return { fileId: slot.file_id, url: slot.upload_url };
    },

    sendUpload: (slot, bytes) => web.sendBytes(slot.url, bytes),

    async completeUpload(files, place) {
      await web.callOnce('files.completeUploadExternal', {
        files: files.map(({ fileId, title }) => ({ id: fileId, title })),
        channel_id: place?.channel,
        thread_ts: place?.threadTs,
      });
    },

    fileState: (fileId) => fileState(web, fileId),

    async deleteFile(fileId) {
      await web.call('files.delete', { file: fileId });
    },

    isMember: (channel, user) =>
      user === undefined ? isBotMember(web, channel) : isUserMember(web, channel, user),

    permalink: (address) => permalinkOf(address, workspaceUrl),

    readPermalink: (link) => readPermalink(link, workspaceUrl),
  };
}

/** No previews: Slack would fetch whatever links a host name or an error holds. */
const quiet = { unfurl_links: false, unfurl_media: false };

async function findPosted(
  web: SlackWeb,
  place: { readonly channel: string; readonly threadTs?: string; readonly oldestTs: string },
  deliveryKey: string,
): Promise<MessageAddress | undefined> {
  const { channel, threadTs, oldestTs } = place;
  const window = { channel, oldest: oldestTs, limit: 200, include_all_metadata: true };
  const answer =
    threadTs === undefined
      ? await web.call('conversations.history', window)
      : await web.call('conversations.replies', { ...window, ts: threadTs });
  const found = Messages.parse(answer).messages.find(
    ({ metadata }) =>
      metadata?.event_type === METADATA_TYPE && metadata.event_payload.delivery_key === deliveryKey,
  );
  return found === undefined ? undefined : { channel, ts: found.ts };
}

async function fileState(web: SlackWeb, fileId: string): Promise<FileState> {
  try {
    const { file } = File.parse(await web.call('files.info', { file: fileId }));
    return {
      kind: file.mimetype === '' ? 'processing' : 'ready',
      sharedIn: Object.values(file.shares).flatMap((byChannel) => Object.keys(byChannel)),
    };
  } catch (thrown) {
    const failure = toFailure(thrown);
    const isAbsent =
      failure.kind === 'slack-refused' && /file_not_found|file_deleted/.test(failure.why ?? '');
    if (isAbsent) return { kind: 'absent', sharedIn: [] };
    throw failure;
  }
}

async function isBotMember(web: SlackWeb, channel: string): Promise<boolean> {
  try {
    const answer = await web.call('conversations.info', { channel });
    return Channel.parse(answer).channel.is_member;
  } catch (thrown) {
    const failure = toFailure(thrown);
    // What the bot cannot see it is not in.
    if (failure.kind === 'not-in-channel') return false;
    throw failure;
  }
}

async function isUserMember(web: SlackWeb, channel: string, user: string): Promise<boolean> {
  for (let cursor = ''; ; ) {
    const args = { channel, limit: 1000, ...(cursor === '' ? {} : { cursor }) };
    const page = Members.parse(await web.call('conversations.members', args));
    if (page.members.includes(user)) return true;
    cursor = page.response_metadata.next_cursor;
    if (cursor === '') return false;
  }
}
