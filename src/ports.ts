/**
 * Every interface to the outside, on one page. Adapters in the edge rooms satisfy these; jobs and the
 * processor know nothing else of the world. Everything that crosses a process takes an AbortSignal.
 */
import type { KnownBlock } from '@slack/types';
import type { PictureRequest } from './picture-request.ts';
import type { Query } from './query.ts';
import type { Bytes, EpochMicros, Milliseconds } from './units.ts';

/** The present moment; the only clock that jobs see. */
export interface Clock {
  nowMicros(): EpochMicros;
}

// ---------------------------------------------------------------- ClickHouse

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** After this the server's work is stopped too, and a `query-timeout` failure is thrown. */
  readonly deadlineMs?: Milliseconds;
  /** Settings for this read only, as URL settings, never inside the SQL. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Named ClickHouse servers. Throws only `Failure`s, whose sentences name the target. */
export interface ClickHouse {
  /** Runs a query and validates each row by its schema. */
  rows<Params, Row>(
    target: string,
    query: Query<Params, Row>,
    params: Params,
    options: ReadOptions,
  ): Promise<readonly Row[]>;
  /** A statement that returns nothing or one short text (SYSTEM …); resolves to the text. */
  statement(target: string, sql: string, options: ReadOptions): Promise<string>;
  /** The answer as raw bytes, streamed, for texts of any length. */
  bytes<Params>(
    target: string,
    query: Query<Params, unknown>,
    params: Params,
    options: ReadOptions,
  ): AsyncIterable<Uint8Array>;
}

// ---------------------------------------------------------------- Chat

/** Where a message stands. `ts` is Slack's text form, never a number. */
export interface MessageAddress {
  readonly channel: string;
  readonly ts: string;
}

export interface OutgoingMessage {
  readonly channel: string;
  readonly threadTs?: string;
  /** Plain sentence: notification, screen reader, search. */
  readonly text: string;
  readonly blocks?: readonly KnownBlock[];
  /** Kept in the message's metadata, so that a lost answer can be looked up instead of posted again. */
  readonly deliveryKey: string;
}

export interface OutgoingFile {
  readonly name: string;
  readonly title: string;
  readonly bytes: Uint8Array;
}

/** The chat. Throws only `Failure`s (`slack-unavailable` may be tried again, the rest not). */
export interface Chat {
  /** Not idempotent in itself: callers record the intent first and use `find` when an answer was lost. */
  post(message: OutgoingMessage): Promise<MessageAddress>;
  /** The message with this delivery key in a channel or thread, if it was posted; undefined when it was
   * not; throws `slack-refused` when the bot may not look. */
  find(
    place: { readonly channel: string; readonly threadTs?: string; readonly oldestTs: string },
    deliveryKey: string,
  ): Promise<MessageAddress | undefined>;
  update(address: MessageAddress, text: string, blocks: readonly KnownBlock[]): Promise<void>;
  whisper(
    place: { channel: string; user: string; threadTs?: string },
    text: string,
    blocks?: readonly KnownBlock[],
  ): Promise<void>;
  /** Asks for a place to upload to; nothing is visible yet. The id is recorded before the bytes go. */
  reserveUpload(file: { readonly name: string; readonly lengthBytes: Bytes }): Promise<UploadSlot>;
  sendUpload(slot: UploadSlot, bytes: Uint8Array): Promise<void>;
  /** Makes the file exist; with a place it is shared there. Allowed once per file. */
  completeUpload(
    fileId: string,
    title: string,
    place?: { channel: string; threadTs: string },
  ): Promise<void>;
  /** Whether a file exists and is processed (has a type), so that an image block may name it. */
  fileState(fileId: string): Promise<'absent' | 'processing' | 'ready'>;
  isMember(channel: string, user: string): Promise<boolean>;
  permalink(address: MessageAddress): Promise<string>;
}

export interface UploadSlot {
  readonly fileId: string;
  readonly url: string;
}

// ---------------------------------------------------------------- Drawing

export interface DrawnPicture {
  readonly svg: string;
  readonly png: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Draws in another thread, so that the event loop stays free. */
export interface Studio {
  draw(request: PictureRequest, signal: AbortSignal): Promise<DrawnPicture>;
}
