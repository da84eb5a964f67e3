/**
 * Every interface to the outside, on one page. Adapters in the edge rooms satisfy these; jobs and the
 * processor know nothing else of the world. Everything that crosses a process takes an AbortSignal.
 */
import type { KnownBlock } from '@slack/types';
import type { DigestJob, DigestSchedule } from './digest-schedule.ts';
import type { Investigation, InvestigationNote, Place, PlainData } from './investigation.ts';
import type { PictureRequest } from './picture-request.ts';
import type { Profile } from './profile/profile.ts';
import type { Query } from './query.ts';
import type { ProfileKey, Reading, ReadingKind } from './reading.ts';
import type { Bytes, Count, EpochMicros, Milliseconds } from './units.ts';

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

/** What a statement of a person may cost a server at most. */
export interface RunCaps {
  readonly seconds: number;
  readonly memoryBytes: Bytes;
  readonly readRows: Count;
  readonly readBytes: Bytes;
}

/** How statements of people are run on a target, by its config. */
export interface RunPolicy {
  /** The ClickHouse user that runs them: read-only, with grants of its own. */
  readonly user: string;
  /** Nobody may ask for more. */
  readonly caps: RunCaps;
  readonly needsApproval: boolean;
}

/** How far the server is with a statement, as it says in its headers. */
export interface RunProgress {
  readonly readRows: Count;
  readonly readBytes: Bytes;
  /** 0 when the server cannot tell. */
  readonly totalRows: Count;
  readonly memoryBytes?: Bytes;
}

export interface Statement {
  readonly sql: string;
  readonly queryId: string;
  readonly caps: RunCaps;
  /** Beyond the caps, as URL settings. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/** Runs statements of people, as a read-only user of the target's own. Throws only `Failure`s. */
export interface QueryRunner {
  /** Undefined where the config does not let people run statements. */
  policy(target: string): RunPolicy | undefined;
  /** The server's own reading of a statement, without running it: the text of EXPLAIN AST. */
  syntaxTree(target: string, sql: string, options: ReadOptions): Promise<string>;
  /** These caps, each no higher than the server lets the user set it. */
  allowedCaps(target: string, caps: RunCaps, options: ReadOptions): Promise<RunCaps>;
  /** Rows that the server expects to read from its tables; undefined where it cannot tell. */
  estimateRows(target: string, sql: string, options: ReadOptions): Promise<Count | undefined>;
  /** Runs it once and throws its rows away. Ended by the signal, it is stopped on the server. */
  run(target: string, statement: Statement, options: RunOptions): Promise<RunProgress>;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

// ---------------------------------------------------------------- Keeper

/** Four-letter words that memprof knows. `jmfp` writes a heap dump on Keeper's disk; before 25.9 `jmep` and `jmdp`
 * switch its profiler on and off; the others only read. */
export type KeeperWord = 'jmst' | 'jmfp' | 'jmep' | 'jmdp' | 'mntr' | 'lgif' | 'ruok';

/** What Keeper's HTTP control gives. */
export type KeeperPage = 'stats' | 'status' | 'raw-profile' | 'collapsed-profile';

/** How a Keeper can be asked, by the config. */
export interface KeeperWays {
  readonly hasWords: boolean;
  readonly hasControl: boolean;
  /** The HTTP control, which knows no password, is on another host than memprof: so anybody may reach it. */
  readonly isControlExposed: boolean;
}

/** Named Keepers. Throws only `Failure`s, whose sentences name the target. */
export interface Keeper {
  /** False for a ClickHouse server. */
  isKeeper(target: string): boolean;
  ways(target: string): KeeperWays;
  /** The answer as text. No answer at all is a refusal: `feature-off`. */
  word(target: string, word: KeeperWord, options: KeeperOptions): Promise<string>;
  /** A page as it came; profiles can have tens of megabytes. */
  page(target: string, page: KeeperPage, options: KeeperOptions): Promise<Uint8Array>;
}

export type KeeperOptions = Pick<ReadOptions, 'signal' | 'deadlineMs'>;

// ---------------------------------------------------------------- Other sources of a target

/** The Prometheus endpoint that the config names for a target. */
export interface MetricsEndpoint {
  isConfigured(target: string): boolean;
  /** The endpoint's text. */
  read(target: string, options: KeeperOptions): Promise<string>;
}

/** A heap dump as memprof finds it in the folder that the config names. */
export interface DumpFile {
  readonly name: string;
  readonly bytes: Bytes;
  readonly writtenAtMicros: EpochMicros;
}

/** Heap dumps of a target in a folder that memprof can read. */
export interface DumpFolder {
  isConfigured(target: string): boolean;
  /** Whether the config says that the server itself reads its dumps, by the table function file(). */
  isReadByServer(target: string): boolean;
  /** Newest first; only files that are named as dumps are. */
  list(target: string): Promise<readonly DumpFile[]>;
  /** The dump that the server wrote at this path of its own; undefined when no such file is there. */
  read(target: string, serverPath: string): Promise<Uint8Array | undefined>;
}

// ---------------------------------------------------------------- Sampling

/** Permission to sample the queries of a ClickHouse user or role until a time. */
export interface SamplingLease {
  /** That of the investigation that asked for it. */
  readonly id: string;
  readonly target: string;
  /** The settings profile that samples. */
  readonly profile: string;
  /** ClickHouse user or role. */
  readonly grantee: string;
  /** As the chat shows it: "<@U123>". */
  readonly startedBy: string;
  readonly startedAtMicros: EpochMicros;
  readonly endsAtMicros: EpochMicros;
  /** Whether it was seen to be switched on; until then only whoever starts it may switch it on. */
  readonly isConfirmed: boolean;
  /** Where its end is said. */
  readonly place: Required<Place>;
}

/** All leases whose end has not been said. Throws `store-unavailable`. */
export interface Leases {
  /** Notes it, and that it is to be ended in time, unless it is noted already; resolves to the one that stands. */
  put(lease: SamplingLease): Promise<SamplingLease>;
  list(): Promise<readonly SamplingLease[]>;
  /** Notes that it was seen to be switched on, if it has not been removed. */
  confirm(id: string): Promise<void>;
  /** Lets it end at this time, if it has not been removed. */
  shorten(id: string, endsAtMicros: EpochMicros): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What the config allows to be sampled on a target. */
export interface SamplingPolicy {
  /** ClickHouse users and roles. */
  readonly grantees: readonly string[];
  readonly maxMinutes: number;
  /** Name of the settings profile, which is memprof's alone. */
  readonly profile: string;
}

/** Who may be sampled, and who is. */
export interface Sampling {
  readonly leases: Leases;
  /** Targets of which the config allows it. */
  readonly targets: readonly string[];
  policy(target: string): SamplingPolicy | undefined;
}

// ---------------------------------------------------------------- Chat

/** Where a message stands; that of its root message is an investigation's address. `ts` is text, never a number. */
export interface MessageAddress {
  readonly channel: string;
  readonly ts: string;
}

export interface OutgoingMessage extends Place {
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

export interface FileState {
  /** `ready`: processed, so that an image block may name it. */
  readonly kind: 'absent' | 'processing' | 'ready';
  /** Channels in which the file is shown. */
  readonly sharedIn: readonly string[];
}

/**
 * The chat. Throws only `Failure`s: after `slack-unavailable` nobody knows whether Slack acted, so whoever repeats
 * something visible looks first; `file-not-ready` passes; the rest are refusals. Being told to slow down is obeyed
 * inside, for all callers at once, and never thrown.
 */
export interface Chat {
  /** Not idempotent in itself: callers record the intent first and use `find` when an answer was lost. */
  post(message: OutgoingMessage): Promise<MessageAddress>;
  /** The message with this delivery key, if it was posted; undefined when it was not; throws `slack-refused` when
   * the bot may not look. */
  find(
    place: Place & { readonly oldestTs: string },
    deliveryKey: string,
  ): Promise<MessageAddress | undefined>;
  update(address: MessageAddress, text: string, blocks: readonly KnownBlock[]): Promise<void>;
  /** To one person alone; gone when the client reloads, so nothing that matters. */
  whisper(
    place: Place & { readonly user: string },
    text: string,
    blocks?: readonly KnownBlock[],
  ): Promise<void>;
  /** Asks for a place to upload to; nothing is visible yet. The id is recorded before the bytes go. */
  reserveUpload(file: { readonly name: string; readonly lengthBytes: Bytes }): Promise<UploadSlot>;
  sendUpload(slot: UploadSlot, bytes: Uint8Array): Promise<void>;
  /** Makes the files exist; with a place they are shown there, all in one message. Allowed once per file. */
  completeUpload(files: readonly UploadedFile[], place?: Required<Place>): Promise<void>;
  fileState(fileId: string): Promise<FileState>;
  /** Takes a file away, so that it cannot appear late beside its replacement. */
  deleteFile(fileId: string): Promise<void>;
  /** Whether the user (without one: the bot itself) is in the channel. */
  isMember(channel: string, user?: string): Promise<boolean>;
  /** A link to the message that people of this workspace can open. */
  permalink(address: MessageAddress & Place): string;
  /** The message that a pasted link of this workspace means, and its thread; undefined for any other text. */
  readPermalink(link: string): (MessageAddress & Place) | undefined;
}

export interface UploadSlot {
  readonly fileId: string;
  readonly url: string;
}

export interface UploadedFile {
  readonly fileId: string;
  readonly title: string;
}

// ---------------------------------------------------------------- Queue

/** Brings requests to the workers. Throws `queue-unavailable` at once when it is away. */
export interface JobQueue {
  /** Twice with the same id is once. */
  enqueue(id: string, data: PlainData): Promise<void>;
  /** Takes back what no worker has begun; false when one has, or there is no such job. */
  withdraw(id: string): Promise<boolean>;
  /** Asks the worker that has it, wherever it runs, to stop. */
  interrupt(id: string): Promise<void>;
}

/** One delivery of a job; the same job may be delivered more than once. */
export interface JobDelivery {
  readonly id: string;
  readonly data: unknown;
  /** From 1; counts the deliveries that ended with a failure and this one. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** How often a worker that had the job was lost. */
  readonly interruptions: number;
  /** When it was to be taken up: long ago if nobody could. */
  readonly dueAtMicros: EpochMicros;
}

/** Why the signal of a delivery was aborted: its `reason`. */
export type StopReason = 'cancelled' | 'lost-lock' | 'shutdown';

/**
 * Does the job. A `Failure` that may be retried, and anything unexpected, brings the job back later; any other
 * failure ends it. The result is small plain data.
 */
export type ProcessJob = (delivery: JobDelivery, signal: AbortSignal) => Promise<PlainData>;

/** What is known of the investigations of the last days. Throws `store-unavailable` when it is away. */
export interface Investigations {
  /** Notes the intent; false when this very request was noted before. */
  open(investigation: Investigation): Promise<boolean>;
  /** Notes what changed. One that a worker has begun does not go back to `queued`; `opening` says that somebody is
   * still at it. */
  note(id: string, note: InvestigationNote): Promise<void>;
  get(id: string): Promise<Investigation | undefined>;
  /** The last ones of a person, newest first. */
  recent(user: string, limit: number): Promise<readonly Investigation[]>;
  /** One opening that nobody has noted since `beforeMicros`; from now on it is the caller's for a while. */
  takeStaleOpening(beforeMicros: EpochMicros): Promise<Investigation | undefined>;
}

/**
 * What was done of an investigation's delivery, step by step, so that a retry continues instead of repeating.
 * Throws `store-unavailable`; a note that could not be written in time is written when the store is back.
 */
export interface DeliveryRecord {
  read(investigationId: string): Promise<Readonly<Record<string, string>>>;
  note(investigationId: string, step: string, value: string): Promise<void>;
  /** Notes a step unless it is noted already; resolves to what stands. */
  claim(investigationId: string, step: string, value: string): Promise<string>;
}

/** Whether one more edit that only shows progress may be sent now, counted over all workers. */
export interface EditBudget {
  take(): Promise<boolean>;
}

// ---------------------------------------------------------------- Schedules

export interface ScheduledDigest {
  readonly schedule: DigestSchedule;
  /** The run that comes next; in the past while nobody takes it up. */
  readonly nextAtMicros?: EpochMicros;
}

/** A run that was asked for and has not ended. */
export interface RunUnderWay {
  /** Slack user id. */
  readonly askedBy?: string;
  readonly askedAtMicros: EpochMicros;
}

/**
 * The digests of all channels. Each run comes as a job with `DigestJob` as its data; runs that nobody could take up
 * come as one when somebody can. Throws `queue-unavailable` when it is away.
 */
export interface Schedules {
  /** Sets one up, or changes it. */
  put(schedule: DigestSchedule): Promise<void>;
  get(id: string): Promise<ScheduledDigest | undefined>;
  /** Of one channel, or all of them, the oldest first. */
  list(channel?: string): Promise<readonly ScheduledDigest[]>;
  /** False when there is none. */
  remove(id: string): Promise<boolean>;
  /**
   * One run at once, beside the schedule. The same request again is no second run, nor is another one before that has
   * ended: then it resolves to the run that is on its way.
   */
  runNow(job: DigestJob & { readonly requestId: string }): Promise<RunUnderWay | undefined>;
  /** Brings what runs in line with what was set up, wherever a crash parted them; resolves to the ids mended. */
  mend(): Promise<readonly string[]>;
}

// ---------------------------------------------------------------- Store

export interface ReadingsWanted {
  readonly target: string;
  readonly kind: ReadingKind;
  /** The server itself unless said. */
  readonly subject?: string;
  readonly sinceMicros?: EpochMicros;
  /** Exclusive. */
  readonly beforeMicros?: EpochMicros;
  readonly limit: Count;
}

export interface KeptProfile {
  readonly key: ProfileKey;
  readonly profile: Profile;
}

export interface Forgotten {
  readonly readings: Count;
  readonly profiles: Count;
}

export interface StoreSize {
  /** "Redis at 10.0.0.5:6379", "ClickHouse database memprof on …": for people, without secrets. */
  readonly place: string;
  readonly readings: Count;
  readonly profiles: Count;
  readonly bytes: Bytes;
  /** What it may grow to; absent when nothing but age limits it. */
  readonly budgetBytes?: Bytes;
  readonly oldestProfileAtMicros?: EpochMicros;
  /** How long profiles are kept; readings are kept for ever. */
  readonly profileDays: Count;
}

/**
 * What memprof remembers beyond the life of a process: readings for ever, profiles by retention. Throws
 * `store-unavailable` when it is away and `store-full` when it may not take more; never pushes what it lives in to
 * its limit.
 */
export interface Store {
  /** The same investigation, target, kind and subject again replaces what was kept. */
  keepReading(reading: Reading): Promise<void>;
  /** Newest first. */
  readings(wanted: ReadingsWanted): Promise<readonly Reading[]>;
  readingsOf(investigationId: string): Promise<readonly Reading[]>;
  /** As `keepReading`; makes room by dropping the oldest profiles. */
  keepProfile(key: ProfileKey, profile: Profile): Promise<void>;
  /** Newest first; only one per kind unless it looked at several targets. */
  profilesOf(investigationId: string): Promise<readonly ProfileKey[]>;
  profile(key: ProfileKey): Promise<Profile | undefined>;
  /** The newest one of the same target, kind and subject before this one. */
  profileBefore(key: ProfileKey): Promise<KeptProfile | undefined>;
  /** What a digest knew when it was last run. */
  digestState(digestId: string): Promise<PlainData | undefined>;
  keepDigestState(digestId: string, state: PlainData): Promise<void>;
  forgetDigest(digestId: string): Promise<void>;
  /** Everything of an investigation. */
  forget(investigationId: string): Promise<Forgotten>;
  size(): Promise<StoreSize>;
}

// ---------------------------------------------------------------- Log

/** One line: data, then a static lower-case message. `warn`: will pass or is retried; `error`: someone should look. */
export interface Log {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
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
  /** The picture as an SVG file for a browser, which needs nothing else; flame graphs can be zoomed into there. */
  drawFile(request: PictureRequest, signal: AbortSignal): Promise<string>;
}
