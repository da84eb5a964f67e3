import { Failure, toFailure } from '../src/failure.ts';
import type { Investigation } from '../src/investigation.ts';
import type { Chat, JobDelivery, ProcessJob } from '../src/ports.ts';
import type { Milliseconds } from '../src/units.ts';
import { failureWhisper } from '../templates/message/failure.ts';
import { stagesMessage } from '../templates/message/started.ts';
import { deliver, updateAnyhow } from './delivery.ts';
import {
  createDeliveryContext,
  type DeliveryContext,
  type DeliveryPorts,
} from './delivery-context.ts';
import { readSteps } from './delivery-steps.ts';
import { type Ending, endCancelled, endWithFailure, noteEnd } from './ending.ts';
import type { Job } from './job.ts';
import { type RunPorts, replyOnce } from './reply-once.ts';
import { aboutOf, Request } from './request.ts';

export interface ProcessorOptions {
  readonly jobs: readonly Job[];
  readonly ports: RunPorts & DeliveryPorts;
  /** Longest time that a job may run. */
  readonly investigationTimeoutMs: Milliseconds;
}

/** How often a job is run when its failure may pass: three tries within about five seconds. */
const RUNS = 3;
/** From this attempt on an upload that Slack does not take is given up, so that the answer is complete. */
const LAST_UPLOAD_ATTEMPT = 6;
/** A job that takes its worker down this often is not given to another one. */
const INTERRUPTIONS = 4;

/**
 * The one life cycle: a request comes out of the queue, its thread ends with an answer. May be called again for the
 * same request at any moment, also while another worker believes to have it.
 */
export function createProcessor(options: ProcessorOptions): ProcessJob {
  const { ports } = options;
  return async (delivery, signal) => {
    const request = await readRequest(delivery, ports.chat);
    const { investigationId, verb, target } = request;
    const steps = readSteps(await ports.deliveries.read(investigationId));
    if (steps.end !== undefined) return { outcome: steps.end };
    const about = { investigationId, verb, target, attempt: delivery.attempt };
    ports.log.info(about, 'investigation taken up');
    const investigation = await ports.investigations.get(investigationId);
    const startedAt = ports.clock.nowMicros();
    const context = createDeliveryContext({
      ...ports,
      request,
      signal,
      before: steps,
      isLastChance: delivery.attempt >= LAST_UPLOAD_ATTEMPT || delivery.isLastAttempt,
      reply: replyOnce({
        jobs: options.jobs,
        request,
        ports,
        signal,
        timeoutMs: options.investigationTimeoutMs,
        showsStages: steps.text === undefined,
        ...remarkOn(delivery, investigation),
      }),
    });
    const ending = await bringToEnd(context, options, delivery, investigation);
    const elapsedMs = Math.round((ports.clock.nowMicros() - startedAt) / 1000);
    const sinceAskedMs = Math.round((ports.clock.nowMicros() - request.askedAtMicros) / 1000);
    ports.log.info(
      { ...about, outcome: ending.outcome, elapsedMs, sinceAskedMs },
      'investigation ended',
    );
    return { outcome: ending.outcome, elapsedMs };
  };
}

async function bringToEnd(
  context: DeliveryContext,
  { ports }: ProcessorOptions,
  delivery: JobDelivery,
  investigation: Investigation | undefined,
): Promise<Ending> {
  if (investigation?.cancelledBy !== undefined) return endCancelled(context, ports);
  if (delivery.interruptions > INTERRUPTIONS) {
    return endWithFailure(context, ports, tooManyInterruptions(delivery, investigation));
  }
  try {
    await ports.investigations
      .note(context.request.investigationId, { state: 'running' })
      .catch(() => undefined);
    const finding = await deliver(context);
    return await noteEnd(context, ports, { outcome: 'answered', finding });
  } catch (thrown) {
    const { signal } = context;
    if (signal.aborted && signal.reason === 'cancelled') return endCancelled(context, ports);
    if (signal.aborted) throw givenAway(signal.reason);
    const failure = toFailure(thrown);
    if (failure.kind === 'bug') ports.log.error({ err: thrown }, 'a fault of memprof');
    if (isDeliveryTrouble(failure)) throw failure;
    if (failure.retry && delivery.attempt < RUNS && context.steps().text === undefined) {
      await sayTryingAgain(context, failure, delivery.attempt);
      throw failure;
    }
    return endWithFailure(context, ports, failure);
  }
}

/** What stands between memprof and its users passes; until then there is nobody to tell. */
function isDeliveryTrouble({ kind }: Failure): boolean {
  return kind === 'slack-unavailable' || kind === 'store-unavailable';
}

async function sayTryingAgain(
  { chat, request }: DeliveryContext,
  failure: Failure,
  attempt: number,
): Promise<void> {
  const { text, blocks } = stagesMessage(aboutOf(request), {
    passed: [],
    current: `trying again (${attempt + 1} of ${RUNS})`,
    remark: failure.message,
  });
  await chat.update(request.address, text, blocks).catch(() => undefined);
}

/** The request, or a failure that its thread is told of when as much as the address can be read. */
async function readRequest({ id, data }: JobDelivery, chat: Chat): Promise<Request> {
  const request = Request.safeParse(data);
  if (request.success) return request.data;
  const failure = new Failure('bug', {
    what: `Job ${id} does not hold a request that this worker can read`,
    why: request.error.issues
      .map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('; '),
    fix: 'Have bot and workers brought to the same version, then try again',
  });
  const addressed = Request.pick({ address: true }).safeParse(data);
  if (addressed.success) {
    await updateAnyhow(chat, addressed.data.address, failureWhisper(failure));
  }
  throw failure;
}

function remarkOn(
  { attempt, interruptions }: JobDelivery,
  investigation: Investigation | undefined,
): { remark?: string } {
  if (interruptions > 0) {
    const at = investigation?.stage === undefined ? '' : ` while ${investigation.stage}`;
    return { remark: `A worker was lost${at}; another took over` };
  }
  return attempt > 1 ? { remark: `Attempt ${attempt}` } : {};
}

function tooManyInterruptions(
  { interruptions }: JobDelivery,
  investigation: Investigation | undefined,
): Failure {
  return new Failure('interrupted', {
    what: 'Every worker that took this up was lost',
    why: `${interruptions} ended while they had it${
      investigation?.stage === undefined ? '' : `, the last one while ${investigation.stage}`
    }`,
    fix: 'Try again; if it happens again, whoever runs memprof should look at the memory and the logs of the workers',
  });
}

function givenAway(reason: unknown): Failure {
  return new Failure('interrupted', {
    what: 'Another worker goes on with this investigation',
    why:
      reason === 'lost-lock' ? 'this one did not renew its lock in time' : 'this one is stopping',
  });
}
