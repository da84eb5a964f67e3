import { Failure, toFailure } from '../../src/failure.ts';
import type { Investigation } from '../../src/investigation.ts';
import type { Chat, Investigations, MessageAddress } from '../../src/ports.ts';
import { answerMessage } from '../../templates/message/answer.ts';
import type { Message } from '../../templates/message/blocks.ts';
import { answerOf, deliver } from '../delivery.ts';
import { createDeliveryContext, type DeliveryPorts } from '../delivery-context.ts';
import { readSteps } from '../delivery-steps.ts';
import type { Reply } from '../job.ts';
import type { Request } from '../request.ts';
import type { DigestTurn } from './turn.ts';

type PostPorts = DeliveryPorts & { readonly investigations: Investigations };

/** Step of the delivery record: the `ts` of the message, once it stands. */
const POSTED = 'digest-posted';
const POSTING = 'posting';

/** From this attempt on an upload that Slack does not take is given up. */
const LAST_UPLOAD_ATTEMPT = 6;

/**
 * Posts a digest as a message of its own and delivers its pictures and files as any answer's. Resolves to the failure
 * when the channel does not take it for good; throws what may pass, to be tried again.
 */
export async function postDigest(
  ports: PostPorts,
  turn: DigestTurn,
  { reply, signal }: { readonly reply: Reply; readonly signal: AbortSignal },
): Promise<Failure | undefined> {
  const { runId, delivery } = turn;
  const before = readSteps(await ports.deliveries.read(runId));
  const bare = createDeliveryContext({
    ...ports,
    request: requestOf(turn, { channel: turn.schedule.channel, ts: '0' }),
    signal,
    before,
    isLastChance: delivery.attempt >= LAST_UPLOAD_ATTEMPT || delivery.isLastAttempt,
    reply: async () => reply,
  });
  if (before.text === undefined) {
    const { finding, head, tail, pictures } = reply;
    await bare.noteText({
      ...{ finding, head, tail },
      pictures: pictures.map(({ name, title, alt }) => ({ name, title, alt })),
      fileCount: reply.files.length + reply.threadPictures.length,
    });
  }
  try {
    const message = answerMessage(answerOf(runId, bare.steps()));
    const address = await postOnce(ports, turn, message);
    await openInvestigation(ports.investigations, turn, address, reply.finding);
    await deliver({
      ...bare,
      request: requestOf(turn, address),
      chat: withoutSameEdits(ports.chat, message),
    });
    return undefined;
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.retry || failure.kind === 'bug' || signal.aborted) throw failure;
    await tellCreator(ports.chat, turn, failure);
    return failure;
  }
}

/** The first edit of a delivery would say what was just posted. */
function withoutSameEdits(chat: Chat, posted: Message): Chat {
  return {
    ...chat,
    async update(address, text, blocks) {
      if (JSON.stringify({ text, blocks }) === JSON.stringify(posted)) return;
      await chat.update(address, text, blocks);
    },
  };
}

/** Posts once: the intent is noted first, and when an answer of Slack got lost, it looks before it posts again. */
async function postOnce(
  { chat, deliveries }: PostPorts,
  { schedule, runId, delivery }: DigestTurn,
  message: Message,
): Promise<MessageAddress> {
  const { channel } = schedule;
  const job = `${POSTING} ${delivery.id} `;
  // A killed worker's job comes back with the same number of attempts and one interruption more.
  const mine = `${job}${delivery.attempt}.${delivery.interruptions}`;
  const noted = await deliveries.claim(runId, POSTED, mine);
  if (!noted.startsWith(POSTING)) return { channel, ts: noted };
  // Another job has the same run and may be posting this very moment: it is looked at again later.
  if (!noted.startsWith(job) && !delivery.isLastAttempt) throw beingPosted();
  if (noted !== mine) {
    const oldestTs = (delivery.dueAtMicros / 1e6).toFixed(6);
    const found = await chat.find({ channel, oldestTs }, runId);
    if (found !== undefined) return found;
  }
  const address = await chat.post({ channel, ...message, deliveryKey: runId });
  await deliveries.note(runId, POSTED, address.ts);
  return address;
}

function beingPosted(): Failure {
  return new Failure('interrupted', {
    what: 'The digest is being posted by another worker',
    why: 'the same run was asked for twice',
  });
}

/** So that people can attach it, ask for its status and compare with it like any other. */
async function openInvestigation(
  investigations: Investigations,
  turn: DigestTurn,
  { channel, ts }: MessageAddress,
  finding: string,
): Promise<void> {
  const { runId, schedule, delivery, askedBy } = turn;
  const investigation: Investigation = {
    id: runId,
    state: 'opening',
    command: `digest now ${schedule.id}`,
    verb: 'digest',
    user: askedBy ?? schedule.createdBy,
    channel,
    openedAtMicros: delivery.dueAtMicros,
    request: {},
  };
  await investigations.open(investigation);
  await investigations.note(runId, { state: 'answered', ts, finding });
}

/** The channel cannot be told, so whoever set it up is. */
async function tellCreator(
  chat: Chat,
  { schedule, runId }: DigestTurn,
  failure: Failure,
): Promise<void> {
  const text = `Digest ${schedule.id} of ${schedule.targets} could not be posted in <#${schedule.channel}>. ${failure.message} It is tried again at its next turn; remove it with "digest remove ${schedule.id}".`;
  await chat
    .post({ channel: schedule.createdBy, text, deliveryKey: `${runId}-trouble` })
    .catch(() => undefined);
}

function requestOf(
  { runId, schedule, delivery, askedBy }: DigestTurn,
  address: MessageAddress,
): Request {
  return {
    investigationId: runId,
    verb: 'digest',
    args: {},
    command: `digest now ${schedule.id}`,
    user: askedBy ?? schedule.createdBy,
    address,
    askedAtMicros: delivery.dueAtMicros,
  };
}
