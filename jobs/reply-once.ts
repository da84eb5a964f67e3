import { Failure } from '../src/failure.ts';
import { formatDuration } from '../src/format.ts';
import type { Chat, EditBudget, Investigations } from '../src/ports.ts';
import type { Milliseconds } from '../src/units.ts';
import { stagesMessage } from '../templates/message/started.ts';
import type { Job, JobPorts, Reply } from './job.ts';
import { createProgress, type Progress } from './progress.ts';
import { remember } from './remember.ts';
import { aboutOf, type Request, threadOf } from './request.ts';

export interface RunPorts extends JobPorts {
  readonly chat: Chat;
  readonly investigations: Investigations;
  readonly edits: EditBudget;
}

export interface Run {
  readonly jobs: readonly Job[];
  readonly request: Request;
  readonly ports: RunPorts;
  readonly signal: AbortSignal;
  readonly timeoutMs: Milliseconds;
  /** What people should know beside the stages: that another worker took over, say. */
  readonly remark?: string;
  /** Whether the root message may show stages; not when the answer stands there already. */
  readonly showsStages: boolean;
}

/** The job's reply, made when it is first asked for and never twice. */
export function replyOnce(run: Run): () => Promise<Reply> {
  let reply: Promise<Reply> | undefined;
  return () => {
    reply ??= runJob(run);
    return reply;
  };
}

async function runJob(run: Run): Promise<Reply> {
  const { request, ports } = run;
  const job = jobOf(run);
  const deadline = AbortSignal.timeout(run.timeoutMs);
  const signal = AbortSignal.any([run.signal, deadline]);
  const progress = run.showsStages ? progressOf(run) : undefined;
  try {
    const reply = await untilAborted(
      signal,
      job.run(request.args, {
        ports: {
          clickhouse: ports.clickhouse,
          studio: ports.studio,
          clock: ports.clock,
          ...(ports.sources === undefined ? {} : { sources: ports.sources }),
          ...(ports.store === undefined ? {} : { store: ports.store }),
          ...(ports.pause === undefined ? {} : { pause: ports.pause }),
        },
        signal,
        investigationId: request.investigationId,
        askedBy: aboutOf(request).askedBy,
        place: threadOf(request),
        progress: (stage, detail) => {
          progress?.say(stage, detail);
          // For whoever takes over; whether it arrives is of no matter.
          ports.investigations.note(request.investigationId, { stage }).catch(() => undefined);
        },
      }),
    );
    // A run for the pictures alone comes after the words were given; they are what is kept.
    return run.showsStages ? await remember(reply, ports.store) : reply;
  } catch (thrown) {
    if (deadline.aborted && !run.signal.aborted) throw tookTooLong(run.timeoutMs);
    throw thrown;
  } finally {
    await progress?.stop();
  }
}

function jobOf({ jobs, request }: Run): Job {
  const job = jobs.find(({ name }) => name === request.verb);
  if (job !== undefined) return job;
  throw new Failure('environment', {
    what: `This worker does not know the verb ${request.verb}`,
    why: 'the bot that queued it is of another version',
    fix: 'Have bot and workers brought to the same version, then try again',
  });
}

function progressOf({ request, ports, remark }: Run): Progress {
  const about = aboutOf(request);
  return createProgress({
    edit: (stages) => {
      const { text, blocks } = stagesMessage(about, stages);
      return ports.chat.update(request.address, text, blocks);
    },
    mayEdit: () => ports.edits.take(),
    ...(remark === undefined ? {} : { remark }),
  });
}

/** Gives up on work that does not listen to the signal itself. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  // Loses the race when the work ends by itself.
  aborted.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function tookTooLong(timeoutMs: Milliseconds): Failure {
  return new Failure('query-timeout', {
    what: `The investigation took longer than ${formatDuration(timeoutMs)} and was stopped`,
    why: 'worker.investigationTimeoutMs in the config ends what takes longer',
    fix: 'Try again when the server is less busy, or have the limit raised',
  });
}
