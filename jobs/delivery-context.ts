import { toFailure } from '../src/failure.ts';
import type { Chat, DeliveryRecord, Log, Studio } from '../src/ports.ts';
import {
  type DeliverySteps,
  type FilesStep,
  type PictureStep,
  stepNames,
  type TextStep,
} from './delivery-steps.ts';
import type { Reply } from './job.ts';
import type { Request } from './request.ts';
import type { Pause } from './upload.ts';

export interface DeliveryPorts {
  readonly chat: Chat;
  readonly deliveries: DeliveryRecord;
  readonly studio: Studio;
  readonly pause: Pause;
  readonly log: Log;
}

/** One delivery under way: what was done of it, and how to note what is done next. */
export interface DeliveryContext extends DeliveryPorts {
  readonly request: Request;
  readonly signal: AbortSignal;
  /** Whether Slack being away now should end in words rather than in another try. */
  readonly isLastChance: boolean;
  /** Runs the job, once; only what needs its words, pictures or files asks for it. */
  readonly reply: () => Promise<Reply>;
  readonly steps: () => DeliverySteps;
  readonly noteText: (step: TextStep) => Promise<void>;
  readonly notePicture: (name: string, step: PictureStep) => Promise<void>;
  /** Throws `store-unavailable`: files that people see twice are worse than files that come late. */
  readonly noteFiles: (step: FilesStep) => Promise<void>;
}

/**
 * Keeps the steps in memory and in the record. A record that cannot be reached does not hold up text and pictures:
 * what is done twice for that is invisible (a private upload, an edit with the same words).
 */
export function createDeliveryContext(
  given: DeliveryPorts &
    Pick<DeliveryContext, 'request' | 'signal' | 'isLastChance' | 'reply'> & {
      readonly before: DeliverySteps;
    },
): DeliveryContext {
  const { before, ...context } = given;
  const { log, request } = given;
  let steps = before;

  const noteStrictly = (name: string, step: unknown) =>
    given.deliveries.note(request.investigationId, name, JSON.stringify(step));

  async function note(name: string, step: unknown): Promise<void> {
    try {
      await noteStrictly(name, step);
    } catch (thrown) {
      const investigationId = request.investigationId;
      log.warn(
        { err: toFailure(thrown), investigationId, step: name },
        'step not recorded in time',
      );
    }
  }

  return {
    ...context,
    steps: () => steps,
    async noteText(text) {
      steps = { ...steps, text };
      await note(stepNames.text, text);
    },
    async notePicture(name, picture) {
      steps = { ...steps, pictures: new Map([...steps.pictures, [name, picture]]) };
      await note(stepNames.picture(name), picture);
    },
    async noteFiles(files) {
      await noteStrictly(stepNames.files, files);
      steps = { ...steps, files };
    },
  };
}
