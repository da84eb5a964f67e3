import type { KnownBlock } from '@slack/types';
import { toFailure } from '../src/failure.ts';
import type { Chat, MessageAddress } from '../src/ports.ts';
import { type Answer, answerMessage } from '../templates/message/answer.ts';
import {
  context as contextBlock,
  type Message,
  plainSection,
} from '../templates/message/blocks.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { deliverFiles } from './delivery-files.ts';
import { deliverPictures } from './delivery-pictures.ts';
import type { DeliverySteps } from './delivery-steps.ts';
import type { Reply } from './job.ts';
import { requireGoing } from './upload.ts';

/**
 * Delivers an answer: the text into the root message, then its pictures by edits of it, then files into the thread.
 * Continues where an earlier delivery stopped. Resolves to the finding.
 */
export async function deliver(context: DeliveryContext): Promise<string> {
  const text = context.steps().text ?? (await noteText(context));
  requireGoing(context.signal);
  const show = createShow(context);
  await show();
  if (text.pictures.length > 0) {
    await deliverPictures(context, text.pictures);
    requireGoing(context.signal);
    await show();
  }
  if (text.fileCount > 0) {
    await deliverFiles(context);
    await show();
  }
  return text.finding;
}

async function noteText(context: DeliveryContext) {
  const reply: Reply = await context.reply();
  const text = {
    finding: reply.finding,
    head: reply.head,
    tail: reply.tail,
    pictures: reply.pictures.map(({ name, title, alt }) => ({ name, title, alt })),
    fileCount: reply.files.length + reply.threadPictures.length,
  };
  await context.noteText(text);
  return text;
}

/** Shows the answer as far as it has come; an edit that would change nothing is not sent. */
function createShow(context: DeliveryContext): () => Promise<void> {
  const { chat, request } = context;
  let shown: string | undefined;
  return async () => {
    const message = answerMessage(answerOf(request.investigationId, context.steps()));
    const now = JSON.stringify(message);
    if (now === shown) return;
    await updateAnyhow(chat, request.address, message);
    shown = now;
  };
}

/** The answer as the steps tell it. */
export function answerOf(investigationId: string, steps: DeliverySteps): Answer {
  const { text, pictures, files, attachedTo } = steps;
  const planned = text?.pictures ?? [];
  const withStep = planned.map((picture) => ({ picture, step: pictures.get(picture.name) }));
  return {
    investigationId,
    finding: text?.finding ?? '',
    head: text?.head ?? [],
    tail: text?.tail ?? [],
    pictures: withStep.flatMap(({ picture: { title, alt }, step }) =>
      step?.step === 'ready' && step.fileId !== undefined
        ? [{ fileId: step.fileId, title, alt }]
        : [],
    ),
    pendingCount: withStep.filter(({ step }) => step?.step !== 'ready' && step?.step !== 'given-up')
      .length,
    remarks: [
      ...withStep.flatMap(({ picture, step }) =>
        step?.step === 'given-up'
          ? [`The picture "${picture.title}" could not be shown: ${step.why ?? 'no reason given'}`]
          : [],
      ),
      ...(files?.step === 'given-up'
        ? [`The files for the thread could not be shown: ${files.why ?? 'no reason given'}`]
        : []),
    ],
    attachedTo,
  };
}

/**
 * Edits a message so that its words stand whatever Slack thinks of the layout: when the blocks are refused, the
 * plain sentence is shown and says so.
 */
export async function updateAnyhow(
  chat: Chat,
  address: MessageAddress,
  { text, blocks }: Message,
): Promise<void> {
  try {
    await chat.update(address, text, blocks);
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind !== 'slack-refused' && failure.kind !== 'file-not-ready') throw failure;
    await chat.update(address, text, plainBlocks(text, failure.why ?? failure.what, blocks));
  }
}

function plainBlocks(
  text: string,
  why: string,
  blocks: readonly KnownBlock[],
): readonly KnownBlock[] {
  const small = blocks.filter(({ type }) => type === 'context').slice(-1);
  return [
    plainSection(text),
    contextBlock('Slack refused the full layout of this message', why),
    ...small,
  ];
}
