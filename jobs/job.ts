import type { KnownBlock } from '@slack/types';
import type { Place, PlainData } from '../src/investigation.ts';
import type { PictureRequest } from '../src/picture-request.ts';
import type {
  Chat,
  ClickHouse,
  Clock,
  DeliveryRecord,
  DumpFolder,
  Investigations,
  JobQueue,
  Keeper,
  MetricsEndpoint,
  OutgoingFile,
  QueryRunner,
  Sampling,
  Schedules,
  Store,
  Studio,
} from '../src/ports.ts';
import type { Profile } from '../src/profile/profile.ts';
import type { SubsystemRule } from '../src/profile/subsystem-rule.ts';
import type { Reading as ServerReading } from '../src/reading.ts';
import type { EpochMicros, Milliseconds } from '../src/units.ts';

/** What a job may use of the world. It reads; it never posts. */
export interface JobPorts {
  readonly clickhouse: ClickHouse;
  readonly studio: Studio;
  /** The team's own, tried before the bundled ones; none unless said. */
  readonly subsystemRules?: readonly SubsystemRule[];
  readonly clock: Clock;
  /** Waits; rejects when the signal is aborted. Absent in the bot, which reads no server. */
  readonly pause?: (ms: Milliseconds, signal: AbortSignal) => Promise<void>;
  /** Absent in the bot, which reads no server. */
  readonly sources?: SourcePorts;
  /** What was kept of earlier answers; absent where nothing is kept. */
  readonly store?: Store;
}

/** Ways into a target beside ClickHouse's SQL. */
export interface SourcePorts {
  readonly keeper: Keeper;
  readonly metrics: MetricsEndpoint;
  readonly dumps: DumpFolder;
  /** Absent where no statements of people are run. */
  readonly runner?: QueryRunner;
  /** Absent where nobody sees to it that sampling ends: in the shell. */
  readonly sampling?: Sampling;
}

export interface JobContext {
  readonly ports: JobPorts;
  readonly signal: AbortSignal;
  /** Short id that people can paste, printed in the context line. */
  readonly investigationId: string;
  /** Who asked, as the chat shows it ("<@U123>" or "shell"). */
  readonly askedBy: string;
  /** The thread that the answer goes to; absent in the shell. */
  readonly place?: Required<Place>;
  /**
   * Says which stage has begun, in words: "reading samples"; said again with another detail ("40% of the rows"), how far
   * it is. Coalesced by the processor.
   */
  progress(stage: string, detail?: string): void;
  /** Given to errands alone. */
  readonly desk?: Desk;
}

/** What an errand may use beyond reading: the investigations themselves, for the one who asks. */
export interface Desk {
  readonly chat: Chat;
  readonly queue: JobQueue;
  readonly investigations: Investigations;
  readonly deliveries: DeliveryRecord;
  readonly schedules: Schedules;
  readonly store: Store;
  readonly targets: readonly TargetSummary[];
  readonly user: string;
  nowMicros(): EpochMicros;
  /** Where the errand was typed. */
  readonly place: Place;
  /** Throws `not-allowed` unless the asker may use the verb on the target from the channel. */
  requireRight(verb: string, target: string | undefined, channel: string): void;
}

/** What anybody may know of a target. Its address and its user are not for the chat. */
export interface TargetSummary {
  readonly name: string;
  readonly kind: 'clickhouse' | 'keeper';
  readonly group?: string;
}

/** A picture of a reply, drawn after the text was posted. */
export interface ReplyPicture {
  /** File name without extension: "peak-flame". */
  readonly name: string;
  readonly title: string;
  /** States the finding; for screen readers and for whoever sees no picture. */
  readonly alt: string;
  readonly request: PictureRequest;
  /** A picture for the thread can be a file that a browser opens instead of pixels. */
  readonly format?: 'png' | 'svg';
}

/** What a job returns. `jobs/processor.ts` alone delivers it. */
export interface Reply {
  /** The finding: one full plain sentence. Notification, search, pinned text. */
  readonly finding: string;
  /** Blocks above the pictures. */
  readonly head: readonly KnownBlock[];
  /** Blocks below the pictures: table, buttons, context line. */
  readonly tail: readonly KnownBlock[];
  readonly pictures: readonly ReplyPicture[];
  /** Raw files for the thread. Large pictures that only the thread gets are drawn from `threadPictures`. */
  readonly files: readonly OutgoingFile[];
  readonly threadPictures: readonly ReplyPicture[];
  /** What is remembered of it, so that later answers can compare; the processor keeps it. */
  readonly keep?: Kept;
  /** The same answer for `--json`: plain data, bytes as numbers, times as ISO text. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The reading stays for ever; the profile, of the same target, kind and subject, for a while. */
export interface Kept {
  readonly reading: ServerReading;
  readonly profile?: Profile;
}

/** The words after the verb, as typed: `command.ts` makes them. */
export interface CommandWords {
  /** Words that are not `key:value`. Quotes, back-ticks and Slack's link marks are already taken off. */
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  /** The text after the verb, untouched. */
  readonly raw: string;
}

/** A job with its argument type hidden: what the table holds. */
export interface Job {
  readonly name: string;
  /** One line for help, in the imperative: "Show what held the memory of a query at its peak". */
  readonly summary: string;
  /** "peak <query_id> [on:<target>]". */
  readonly usage: string;
  readonly example: string;
  /** True when it changes a server or may cost it much: denied unless the config lists it. */
  readonly isRestricted: boolean;
  /** True when the bot itself answers at once, to the asker alone: it looks things up and queues nothing. */
  readonly isErrand?: boolean;
  /** True for an errand that the form offers among the verbs that open investigations. */
  readonly isInForm?: boolean;
  /** True when `memprof <name>` in the shell can do it without Slack and Redis. */
  readonly runsInShell: boolean;
  /** Words to validated arguments. Throws `usage` with a sentence that says what was expected. */
  read(command: CommandWords): Reading;
  /**
   * For verbs whose command may name no server: finds out which one it concerns, before it is queued; undefined when it
   * concerns all of them. Throws when there is nothing, or the asker may not see it.
   */
  readonly locate?: (args: unknown, desk: Desk) => Promise<string | Located | undefined>;
  /** Runs with arguments that came from `read` or back from the queue; validates them again. */
  run(args: unknown, context: JobContext): Promise<Reply>;
}

/** What a command turned out to mean. */
export interface Located {
  readonly target: string;
  /** Instead of those that were read. */
  readonly args: PlainData;
}

export interface Reading {
  /** Plain data, travels through the queue; has `target` when the job asks one server. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What was understood, when it is not what was typed: "Read as query 8678d8fe". */
  readonly understood?: string;
}
