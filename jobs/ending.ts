import { type Failure, toFailure } from '../src/failure.ts';
import { answerMessage } from '../templates/message/answer.ts';
import type { Message } from '../templates/message/blocks.ts';
import { cancelledMessage } from '../templates/message/cancelled.ts';
import { failureMessage } from '../templates/message/failure.ts';
import { answerOf, updateAnyhow } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { type Outcome, stepNames } from './delivery-steps.ts';
import type { RunPorts } from './reply-once.ts';
import { aboutOf } from './request.ts';

export interface Ending {
  readonly outcome: Outcome;
  /** The sentence the thread ends with. */
  readonly finding: string;
}

type EndingPorts = Pick<RunPorts, 'investigations'>;

/** Ends with a failure: in words of its own, or as remarks when the answer's text stands already. */
export async function endWithFailure(
  context: DeliveryContext,
  ports: EndingPorts,
  failure: Failure,
): Promise<Ending> {
  if (context.steps().text !== undefined) {
    return endWithoutTheRest(context, ports, { outcome: 'answered', why: failure.message });
  }
  await lastWord(context, failureMessage(failure, aboutOf(context.request)));
  return noteEnd(context, ports, { outcome: 'failed', finding: failure.message });
}

/** Ends because somebody asked for it. */
export async function endCancelled(context: DeliveryContext, ports: EndingPorts): Promise<Ending> {
  const { request } = context;
  // Who it was and where it stood are kept elsewhere; without them the words are fewer.
  const known = await ports.investigations.get(request.investigationId).catch(() => undefined);
  const by = known?.cancelledBy === undefined ? {} : { by: `<@${known.cancelledBy}>` };
  if (context.steps().text !== undefined) {
    const why = 'the investigation was cancelled before';
    return endWithoutTheRest(context, ports, { outcome: 'cancelled', why });
  }
  const stage = known?.stage === undefined ? {} : { stage: known.stage };
  const message = cancelledMessage(aboutOf(request), { ...by, ...stage });
  await lastWord(context, message);
  return noteEnd(context, ports, { outcome: 'cancelled', finding: message.text });
}

/** The text stands: what is missing is given up, and the message says why. */
async function endWithoutTheRest(
  context: DeliveryContext,
  ports: EndingPorts,
  { outcome, why }: { readonly outcome: Outcome; readonly why: string },
): Promise<Ending> {
  const { text, pictures, files } = context.steps();
  for (const { name } of text?.pictures ?? []) {
    const step = pictures.get(name);
    if (step?.step === 'ready' || step?.step === 'given-up') continue;
    await context.notePicture(name, { step: 'given-up', upload: step?.upload ?? 1, why });
  }
  if (text !== undefined && text.fileCount > 0 && files?.step !== 'shared') {
    const given = { step: 'given-up', files: files?.files ?? [], upload: 1, why } as const;
    await context.noteFiles(given);
  }
  const answer = answerOf(context.request.investigationId, context.steps());
  await lastWord(context, answerMessage(answer));
  return noteEnd(context, ports, { outcome, finding: answer.finding });
}

/**
 * The last edit of the root message. When Slack refuses it for good (somebody deleted the message), the asker alone
 * is told, so that nobody waits for an answer that cannot come.
 */
async function lastWord(context: DeliveryContext, message: Message): Promise<void> {
  const { chat, log, request } = context;
  try {
    await updateAnyhow(chat, request.address, message);
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.retry) throw failure;
    log.error({ err: failure, investigationId: request.investigationId }, 'root message is lost');
    const thread = request.threadTs === undefined ? {} : { threadTs: request.threadTs };
    await chat.whisper(
      { channel: request.address.channel, user: request.user, ...thread },
      message.text,
      message.blocks,
    );
  }
}

/** Notes that the thread has its answer. Not being able to note it does not take the answer back. */
export async function noteEnd(
  { deliveries, log, request }: DeliveryContext,
  { investigations }: EndingPorts,
  ending: Ending,
): Promise<Ending> {
  const { investigationId } = request;
  const { outcome, finding } = ending;
  try {
    // The record last: once it says so, nobody looks at this investigation again.
    await investigations.note(investigationId, { state: outcome, finding });
    await deliveries.note(investigationId, stepNames.end, JSON.stringify(outcome));
  } catch (thrown) {
    log.warn({ err: toFailure(thrown), investigationId }, 'end not recorded in time');
  }
  return ending;
}
