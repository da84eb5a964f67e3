import type { KnownBlock } from '@slack/types';
import { Failure } from '../../src/failure.ts';
import type { Chat, FileState, MessageAddress, OutgoingMessage } from '../../src/ports.ts';
import { messageAsText } from '../../templates/text/message.ts';

type Method = keyof Chat;

export interface FakeChat extends Chat {
  /** What was seen in the channel, in order: one paragraph an event. */
  transcript(): string;
  /** Names of the calls, in order. */
  readonly calls: readonly string[];
  readonly messages: ReadonlyMap<string, FakeMessage>;
  /** Files that were completed. */
  readonly files: ReadonlyMap<string, FakeFile>;
  /** The next call of this method fails: before it does anything, or after it did it and the answer got lost. */
  failNext(method: Method, failure: Failure, when?: 'before' | 'after'): void;
  /** What becomes of the next files: `false` for each that is never processed and never shown. */
  processNext(...willWork: readonly boolean[]): void;
  /** A look at a file before it is processed. */
  onCall(listener: (method: Method) => void): void;
}

export interface FakeMessage extends MessageAddress {
  readonly threadTs?: string;
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  readonly deliveryKey: string;
}

export interface FakeFile {
  readonly fileId: string;
  readonly name: string;
  readonly title: string;
  readonly sharedIn: readonly string[];
  /** Looks until it is processed. */
  looks: number;
}

export interface FakeChatOptions {
  /** Channel to members; "bot" is memprof. Without it everybody is everywhere. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Without the history scope. */
  readonly mayNotLook?: boolean;
  /** How often a file is looked at before it is processed. */
  readonly looksUntilReady?: number;
}

/** A chat in memory that keeps Slack's promises and its surprises. */
export function createFakeChat(options: FakeChatOptions = {}): FakeChat {
  const events: string[] = [];
  const calls: Method[] = [];
  const messages = new Map<string, FakeMessage>();
  const reserved = new Map<string, { name: string; isSent: boolean }>();
  const files = new Map<string, FakeFile>();
  const failures: { method: Method; failure: Failure; when: 'before' | 'after' }[] = [];
  const fates: boolean[] = [];
  const listeners: ((method: Method) => void)[] = [];
  let nextTs = 100;
  let nextFile = 1;

  function call<T>(method: Method, effect: () => T): Promise<T> {
    calls.push(method);
    for (const listener of listeners) listener(method);
    const index = failures.findIndex((planned) => planned.method === method);
    const planned = index < 0 ? undefined : failures.splice(index, 1)[0];
    if (planned?.when === 'before') return Promise.reject(planned.failure);
    try {
      const result = effect();
      return planned === undefined ? Promise.resolve(result) : Promise.reject(planned.failure);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  const requireBot = (channel: string) => {
    const members = options.members?.[channel];
    if (members !== undefined && !members.includes('bot')) {
      throw new Failure('not-in-channel', {
        what: 'memprof is not in this channel',
        fix: 'Type /invite @memprof there, then try again',
      });
    }
  };
  const key = ({ channel, ts }: MessageAddress) => `${channel} ${ts}`;
  const say = (head: string, body = '') =>
    events.push(body === '' ? head : `${head}\n${body.trimEnd().replace(/^(?=.)/gm, '    ')}`);
  const shown = (blocks: readonly KnownBlock[]) =>
    blocks
      .map((block) => {
        if (block.type === 'image') return `[${fileIdOf(block)}: ${block.alt_text}]\n`;
        if (block.type === 'actions') {
          const labels = block.elements.map((element) =>
            element.type === 'button' ? `(${element.text.text})` : element.type,
          );
          return `${labels.join(' ')}\n`;
        }
        return messageAsText([block]);
      })
      .join('');

  return {
    calls,
    messages,
    files,
    transcript: () => `${events.join('\n\n')}\n`,
    failNext: (method, failure, when = 'before') => failures.push({ method, failure, when }),
    processNext: (...willWork) => fates.push(...willWork),
    onCall: (listener) => listeners.push(listener),

    post: (message: OutgoingMessage) =>
      call('post', () => {
        requireBot(message.channel);
        const address = { channel: message.channel, ts: `1790000000.${pad(nextTs)}` };
        nextTs += 100;
        const { text, deliveryKey, threadTs, blocks = [] } = message;
        messages.set(key(address), {
          ...address,
          text,
          blocks,
          deliveryKey,
          ...(threadTs === undefined ? {} : { threadTs }),
        });
        const place = threadTs === undefined ? '' : ` in thread ${threadTs}`;
        say(`post ${address.ts} to ${address.channel}${place}: ${text}`, shown(blocks));
        return address;
      }),

    find: ({ channel }, deliveryKey) =>
      call('find', () => {
        if (options.mayNotLook) {
          throw new Failure('slack-refused', {
            what: 'Slack refused conversations.history',
            why: 'missing_scope: channels:history',
          });
        }
        const found = [...messages.values()].find(
          (message) => message.channel === channel && message.deliveryKey === deliveryKey,
        );
        return found === undefined ? undefined : { channel, ts: found.ts };
      }),

    update: (address, text, blocks) =>
      call('update', () => {
        const before = messages.get(key(address));
        if (before === undefined) {
          throw new Failure('slack-refused', {
            what: 'Slack refused chat.update',
            why: 'message_not_found',
          });
        }
        const unready = blocks.find((block) => {
          const fileId = fileIdOf(block);
          return fileId !== undefined && !isReady(files.get(fileId));
        });
        if (unready !== undefined) {
          throw new Failure('file-not-ready', { what: 'Slack has not processed the picture' });
        }
        messages.set(key(address), { ...before, text, blocks });
        say(`edit ${address.ts}: ${text}`, shown(blocks));
      }),

    whisper: ({ channel, user }, text, blocks = []) =>
      call('whisper', () => {
        say(`whisper to ${user} in ${channel}: ${text}`, shown(blocks));
      }),

    reserveUpload: ({ name }) =>
      call('reserveUpload', () => {
        const fileId = `F${String(nextFile).padStart(8, '0')}`;
        nextFile += 1;
        reserved.set(fileId, { name, isSent: false });
        return { fileId, url: `https://files.example/upload/${fileId}` };
      }),

    sendUpload: ({ fileId }) =>
      call('sendUpload', () => {
        const slot = reserved.get(fileId);
        if (slot !== undefined) slot.isSent = true;
      }),

    completeUpload: (uploads, place) =>
      call('completeUpload', () => {
        for (const { fileId } of uploads) {
          if (files.has(fileId) || reserved.get(fileId)?.isSent !== true) {
            throw new Failure('slack-refused', {
              what: 'Slack refused files.completeUploadExternal',
              why: 'file_not_found',
            });
          }
        }
        const works = fates.shift() ?? true;
        for (const { fileId, title } of uploads) {
          files.set(fileId, {
            fileId,
            name: reserved.get(fileId)?.name ?? '',
            title,
            sharedIn: place === undefined || !works ? [] : [place.channel],
            looks: works ? (options.looksUntilReady ?? 1) : Number.POSITIVE_INFINITY,
          });
        }
        const names = uploads.map(({ fileId }) => `${fileId} ${reserved.get(fileId)?.name}`);
        say(
          place === undefined
            ? `file ${names.join(', ')}`
            : `files in thread ${place.threadTs}${works ? '' : ' (never shown)'}: ${names.join(', ')}`,
        );
      }),

    fileState: (fileId) =>
      call('fileState', (): FileState => {
        const file = files.get(fileId);
        if (file === undefined) return { kind: 'absent', sharedIn: [] };
        file.looks -= 1;
        return isReady(file)
          ? { kind: 'ready', sharedIn: file.sharedIn }
          : { kind: 'processing', sharedIn: [] };
      }),

    deleteFile: (fileId) =>
      call('deleteFile', () => {
        files.delete(fileId);
        say(`delete ${fileId}`);
      }),

    isMember: (channel, user = 'bot') =>
      call('isMember', () => options.members?.[channel]?.includes(user) ?? true),

    permalink: ({ channel, ts, threadTs }) => {
      const thread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channel}`;
      return `https://example.slack.com/archives/${channel}/p${ts.replace('.', '')}${thread}`;
    },

    readPermalink(link) {
      const match =
        /example\.slack\.com\/archives\/([CGD][A-Z0-9]+)\/p(\d{10})(\d{6})(?:\?thread_ts=([\d.]+))?/.exec(
          link,
        );
      if (match === null) return undefined;
      const [, channel = '', seconds, micros, threadTs] = match;
      return {
        channel,
        ts: `${seconds}.${micros}`,
        ...(threadTs === undefined ? {} : { threadTs }),
      };
    },
  };
}

function fileIdOf(block: KnownBlock): string | undefined {
  if (block.type !== 'image' || !('slack_file' in block)) return undefined;
  return 'id' in block.slack_file ? block.slack_file.id : undefined;
}

function isReady(file: FakeFile | undefined): boolean {
  return file !== undefined && file.looks <= 0;
}

function pad(number: number): string {
  return String(number).padStart(6, '0');
}
