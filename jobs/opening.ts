import { Failure, toFailure } from '../src/failure.ts';
import type { Investigation, Place } from '../src/investigation.ts';
import type { Chat, Clock, Investigations, JobQueue, Log, MessageAddress } from '../src/ports.ts';
import type { EpochMicros } from '../src/units.ts';
import { failureMessage } from '../templates/message/failure.ts';
import { startedMessage } from '../templates/message/started.ts';
import type { Admission } from './admission.ts';
import { aboutOf, jobIdOf, requestOf } from './request.ts';
import { findRoot, postRoot } from './root-message.ts';

export interface OpeningPorts {
  readonly chat: Chat;
  readonly queue: JobQueue;
  readonly investigations: Investigations;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Opening {
  readonly investigationId: string;
  readonly verb: string;
  readonly admission: Admission;
  readonly user: string;
  readonly place: Place;
}

/**
 * Opens an investigation: notes the intent, posts the root message, queues the request. Whatever dies in between,
 * `resumeOpening` finishes it. Resolves to the root message; undefined when this very request came before.
 */
export async function openInvestigation(
  ports: OpeningPorts,
  opening: Opening,
): Promise<MessageAddress | undefined> {
  const investigation = investigationOf(opening, ports.clock.nowMicros());
  try {
    if (!(await ports.investigations.open(investigation))) return undefined;
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind !== 'store-unavailable') throw failure;
    // Nothing can be queued, and nothing can be noted: the root message says so and is all there is.
    const message = failureMessage(queueAway(failure), aboutOf(subject(opening)));
    return postRoot(ports.chat, investigation, message);
  }
  try {
    const message = startedMessage(aboutOf(subject(opening)));
    const address = await whileAtIt(ports, investigation.id, () =>
      postRoot(ports.chat, investigation, message),
    );
    await queueUp(ports, investigation, address);
    return address;
  } catch (thrown) {
    // The asker is told by whoever called; nothing is left to finish.
    await noteFailed(ports, investigation, toFailure(thrown));
    throw thrown;
  }
}

/** Finishes one opening that a dead process left behind; false when there is none. */
export async function resumeOpening(
  ports: OpeningPorts,
  beforeMicros: EpochMicros,
): Promise<boolean> {
  const investigation = await ports.investigations.takeStaleOpening(beforeMicros);
  if (investigation === undefined) return false;
  const { id, channel, user, ts, command } = investigation;
  ports.log.warn({ investigationId: id }, 'opening was cut short, finishing it');
  try {
    const message = startedMessage(aboutOf({ command, user, investigationId: id }));
    const standing = ts === undefined ? await findRoot(ports.chat, investigation) : { channel, ts };
    const address = standing ?? (await postRoot(ports.chat, investigation, message));
    await queueUp(ports, investigation, address);
  } catch (thrown) {
    const failure = toFailure(thrown);
    // Slack being away passes: the opening stays, to be taken up again.
    if (failure.retry) throw failure;
    await noteFailed(ports, investigation, failure);
    const thread = investigation.threadTs === undefined ? {} : { threadTs: investigation.threadTs };
    const words = `memprof was restarted while it took up "${command}". If no message of it stands here, type it again.`;
    await ports.chat.whisper({ channel, user, ...thread }, words);
  }
  return true;
}

/** Slack may make us wait; until then nobody else finishes the opening. */
const STILL_AT_IT_MS = 10_000;

async function whileAtIt<T>(
  { investigations }: OpeningPorts,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    investigations.note(id, { state: 'opening' }).catch(() => undefined);
  }, STILL_AT_IT_MS);
  return work().finally(() => clearInterval(timer));
}

function subject({ admission, user, investigationId }: Opening) {
  const { command, understood } = admission;
  return {
    command,
    user,
    investigationId,
    ...(understood === undefined ? {} : { understood }),
  };
}

function investigationOf(opening: Opening, nowMicros: EpochMicros): Investigation {
  const { investigationId, verb, admission, user, place } = opening;
  const { args, target, command, understood } = admission;
  const known = target === undefined ? {} : { target };
  return {
    id: investigationId,
    state: 'opening',
    command,
    verb,
    user,
    openedAtMicros: nowMicros,
    ...known,
    ...place,
    request: {
      investigationId,
      verb,
      args,
      command,
      user,
      askedAtMicros: nowMicros,
      ...known,
      ...(understood === undefined ? {} : { understood }),
      ...(place.threadTs === undefined ? {} : { threadTs: place.threadTs }),
    },
  };
}

async function queueUp(
  ports: OpeningPorts,
  investigation: Investigation,
  address: MessageAddress,
): Promise<void> {
  const { investigations, queue, chat } = ports;
  const { id, user, command } = investigation;
  try {
    await investigations.note(id, { ts: address.ts });
    await queue.enqueue(jobIdOf(address), requestOf(investigation, address.ts));
  } catch (thrown) {
    const failure = queueAway(toFailure(thrown));
    const about = aboutOf({ command, user, investigationId: id });
    const { text, blocks } = failureMessage(failure, about);
    await chat.update(address, text, blocks);
    await noteFailed(ports, investigation, failure);
    return;
  }
  // When this is not noted, the opening is finished once more: queueing twice is queueing once.
  await investigations.note(id, { state: 'queued' }).catch(() => undefined);
}

async function noteFailed(
  { investigations, log }: OpeningPorts,
  { id }: Investigation,
  failure: Failure,
): Promise<void> {
  log.warn({ err: failure, investigationId: id }, 'investigation could not be opened');
  await investigations
    .note(id, { state: 'failed', finding: failure.message })
    .catch(() => undefined);
}

function queueAway(cause: Failure): Failure {
  return new Failure('queue-unavailable', {
    what: 'The queue (Redis) cannot be reached, so no worker can take this up',
    ...(cause.why === undefined ? {} : { why: cause.why }),
    fix: 'Try again in a minute; if it stays, whoever runs memprof should look at Redis',
    cause,
  });
}
