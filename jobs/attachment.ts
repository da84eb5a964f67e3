import { Failure, toFailure } from '../src/failure.ts';
import type { Investigation, Place } from '../src/investigation.ts';
import type { MessageAddress } from '../src/ports.ts';
import { answerMessage, attachedMessage } from '../templates/message/answer.ts';
import type { Message } from '../templates/message/blocks.ts';
import { answerOf, updateAnyhow } from './delivery.ts';
import { readSteps, stepNames } from './delivery-steps.ts';
import type { Desk } from './job.ts';

/** How long a post may take; after this its claim is up for others. */
const POSTING_MICROS = 60_000_000;

/** Posts the finding as a new message, unless it stands there: incident tools do not see later edits. */
export async function attachOnce(
  desk: Desk,
  investigation: Investigation,
  place: Required<Place>,
): Promise<{ readonly link: string; readonly isNew: boolean }> {
  const { deliveries } = desk;
  const step = stepNames.attachment(place.channel, place.threadTs);
  const mine = `posting since ${desk.nowMicros()}`;
  const standing = await deliveries.claim(investigation.id, step, mine);
  if (/^https?:/.test(standing)) return { link: standing, isNew: false };
  if (standing !== mine) {
    const found = await postedBefore(desk, investigation, place, standing);
    if (found !== undefined) {
      await noteAttached(desk, investigation, step, found);
      return { link: found, isNew: false };
    }
    await deliveries.note(investigation.id, step, mine);
  }
  const link = await postNow(desk, investigation, place).catch(async (thrown: unknown) => {
    // The next who asks may try again at once.
    await deliveries.note(investigation.id, step, 'refused');
    throw thrown;
  });
  await noteAttached(desk, investigation, step, link);
  return { link, isNew: true };
}

async function postNow(
  desk: Desk,
  investigation: Investigation,
  place: Required<Place>,
): Promise<string> {
  const { chat } = desk;
  const message = await messageFor(desk, investigation);
  const deliveryKey = keyOf(investigation, place);
  let address: MessageAddress | undefined;
  try {
    address = await chat.post({ ...place, ...message, deliveryKey });
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind !== 'slack-unavailable') throw failure;
    address = await look(desk, investigation, place);
    if (address === undefined) throw failure;
  }
  return chat.permalink({ ...address, threadTs: place.threadTs });
}

/** The link of an attachment whose posting somebody began and did not finish; undefined when it is to be posted. */
async function postedBefore(
  desk: Desk,
  investigation: Investigation,
  place: Required<Place>,
  standing: string,
): Promise<string | undefined> {
  const since = /^posting since (\d+)$/.exec(standing)?.[1];
  if (since === undefined) return undefined;
  const found = await look(desk, investigation, place);
  if (found !== undefined) return desk.chat.permalink({ ...found, threadTs: place.threadTs });
  if (desk.nowMicros() - Number(since) > POSTING_MICROS) return undefined;
  throw new Failure('slack-unavailable', {
    what: 'The finding is being attached to that thread at this moment',
    why: 'somebody asked for the same just before',
    fix: 'Look into the thread; if nothing has come in a minute, attach it again',
  });
}

/** Whether it stands there; a human must look where memprof may not. */
async function look(
  { chat }: Desk,
  investigation: Investigation,
  place: Required<Place>,
): Promise<MessageAddress | undefined> {
  const key = keyOf(investigation, place);
  return chat.find({ ...place, oldestTs: place.threadTs }, key).catch((thrown: unknown) => {
    const failure = toFailure(thrown);
    if (failure.kind !== 'slack-refused') throw failure;
    throw new Failure('slack-unavailable', {
      what: 'Slack did not say whether the finding was posted',
      why: 'memprof may not read that channel to find out (it lacks the history scope)',
      fix: 'Look into the thread, and attach again only if the finding is not there',
      cause: failure,
    });
  });
}

async function messageFor(desk: Desk, investigation: Investigation): Promise<Message> {
  const steps = readSteps(await desk.deliveries.read(investigation.id));
  const { id, channel, ts, threadTs, state } = investigation;
  if (steps.text === undefined || steps.end !== 'answered' || ts === undefined) {
    throw new Failure('usage', {
      what: `Investigation ${id} has no finding to attach`,
      why:
        state === 'failed' || state === 'cancelled'
          ? 'it ended without an answer'
          : 'it is still under way',
      fix: 'Attach it once its message shows the finding',
    });
  }
  const place = threadTs === undefined ? { channel } : { channel, threadTs };
  return attachedMessage(
    answerOf(id, steps),
    desk.chat.permalink({ ...place, ts }),
    `<@${desk.user}>`,
  );
}

/** Notes the link and shows it on the root message, so that each leads to the other. */
async function noteAttached(
  desk: Desk,
  { id, channel, ts }: Investigation,
  step: string,
  link: string,
): Promise<void> {
  await desk.deliveries.note(id, step, link);
  if (ts === undefined) return;
  const steps = readSteps(await desk.deliveries.read(id));
  await updateAnyhow(desk.chat, { channel, ts }, answerMessage(answerOf(id, steps))).catch(
    // The thread has its finding; that the root does not point there yet is of no weight.
    () => undefined,
  );
}

function keyOf({ id }: Investigation, { channel, threadTs }: Required<Place>): string {
  return `${id}:${channel}:${threadTs}`;
}
