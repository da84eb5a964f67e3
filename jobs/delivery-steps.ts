import type { KnownBlock } from '@slack/types';
import * as z from 'zod';

/**
 * The steps of a delivery as the record keeps them. Each step notes what it is about to do before it does it, and
 * what came of it afterwards, so that whoever continues knows what may have happened.
 */

// What memprof wrote itself; Slack checks it again when it is posted.
const Blocks = z.array(z.custom<KnownBlock>((value) => typeof value === 'object')).readonly();

export const TextStep = z.object({
  finding: z.string(),
  head: Blocks,
  tail: Blocks,
  pictures: z.array(z.object({ name: z.string(), title: z.string(), alt: z.string() })).readonly(),
  /** Files for the thread; 0 for none. */
  fileCount: z.number(),
});
/** The answer's words, noted before they are shown. */
export type TextStep = z.infer<typeof TextStep>;

const PictureStep = z.object({
  /**
   * `reserved`: Slack gave an id, the bytes may not be there. `sent`: they are, the file may have been completed.
   * `ready`: an image block may name it. `given-up`: the answer goes without it.
   */
  step: z.enum(['reserved', 'sent', 'ready', 'given-up']),
  fileId: z.string().optional(),
  /** Upload 1 or 2. */
  upload: z.number(),
  /** Why it was given up. */
  why: z.string().optional(),
});
export type PictureStep = z.infer<typeof PictureStep>;

const FilesStep = z.object({
  /** `sent`: all bytes are there, the files may have been shared. `shared`: people see them. */
  step: z.enum(['reserved', 'sent', 'shared', 'given-up']),
  files: z.array(z.object({ fileId: z.string(), title: z.string() })).readonly(),
  upload: z.number(),
  why: z.string().optional(),
});
/** The group of files that one message of the thread shows. */
export type FilesStep = z.infer<typeof FilesStep>;

const Outcome = z.enum(['answered', 'failed', 'cancelled']);
export type Outcome = z.infer<typeof Outcome>;

export const stepNames = {
  text: 'text',
  picture: (name: string) => `picture:${name}`,
  files: 'files',
  /** The thread has its answer; nothing more is to be done. */
  end: 'end',
  attachment: (channel: string, threadTs: string) => `attached:${channel}:${threadTs}`,
};

export interface DeliverySteps {
  readonly text?: TextStep;
  readonly pictures: ReadonlyMap<string, PictureStep>;
  readonly files?: FilesStep;
  readonly end?: Outcome;
  /** Permalinks of the messages with which it was attached to other threads. */
  readonly attachedTo: readonly string[];
}

/** What the record says, validated: it may have been written by another version. */
export function readSteps(record: Readonly<Record<string, string>>): DeliverySteps {
  const pictures = new Map<string, PictureStep>();
  const attachedTo: string[] = [];
  for (const [step, value] of Object.entries(record)) {
    const [kind, name] = [step.slice(0, step.indexOf(':')), step.slice(step.indexOf(':') + 1)];
    if (kind === 'picture') pictures.set(name, PictureStep.parse(JSON.parse(value)));
    // Until it is posted, the value says who is at it since when.
    if (kind === 'attached' && /^https?:/.test(value)) attachedTo.push(value);
  }
  const { text, files, end } = record;
  return {
    ...(text === undefined ? {} : { text: TextStep.parse(JSON.parse(text)) }),
    pictures,
    ...(files === undefined ? {} : { files: FilesStep.parse(JSON.parse(files)) }),
    ...(end === undefined ? {} : { end: Outcome.parse(JSON.parse(end)) }),
    attachedTo,
  };
}
