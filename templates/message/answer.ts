import type { KnownBlock } from '@slack/types';
import { dotted } from '../../src/sentence.ts';
import type { Message } from './blocks.ts';
import { actions, clip, context, escapeMrkdwn, fitMessage, image, limits } from './blocks.ts';
import { attachButton, buttonIds } from './buttons.ts';

export interface AnswerPicture {
  readonly fileId: string;
  readonly title: string;
  readonly alt: string;
}

/** The answer of an investigation as far as it was delivered. */
export interface Answer {
  readonly investigationId: string;
  readonly finding: string;
  readonly head: readonly KnownBlock[];
  readonly tail: readonly KnownBlock[];
  readonly pictures: readonly AnswerPicture[];
  /** Pictures that are still being drawn. */
  readonly pendingCount: number;
  /** What could not be shown, and why: plain sentences. */
  readonly remarks: readonly string[];
  /** Where it was attached: permalinks. */
  readonly attachedTo: readonly string[];
}

/** The root message of an answered investigation: text first, pictures as they come. */
export function answerMessage(answer: Answer): Message {
  return {
    text: clip(answer.finding, limits.text),
    blocks: fitMessage([
      ...answer.head,
      ...answer.pictures.map(image),
      ...(answer.pendingCount === 0 ? [] : [context(drawing(answer.pendingCount))]),
      ...(answer.remarks.length === 0
        ? []
        : [context(...answer.remarks.map((remark) => escapeMrkdwn(dotted(remark))))]),
      ...(answer.attachedTo.length === 0 ? [] : [context(attachedTo(answer.attachedTo))]),
      ...withAttachButton(answer.tail, answer.investigationId),
    ]),
  };
}

/** The same answer as a new message in another thread: nothing in it refers to where it came from but one link. */
export function attachedMessage(answer: Answer, rootLink: string, attachedBy: string): Message {
  return {
    text: clip(answer.finding, limits.text),
    blocks: fitMessage([
      ...answer.head,
      ...answer.pictures.map(image),
      ...answer.tail.filter(({ type }) => type !== 'actions'),
      context(`Attached by ${attachedBy} from <${rootLink}|the investigation>`),
    ]),
  };
}

function drawing(count: number): string {
  return count === 1 ? 'Drawing the picture…' : `Drawing ${count} pictures…`;
}

function attachedTo(links: readonly string[]): string {
  const named = links.map((link, index) => `<${link}|thread ${index + 1}>`);
  return `Attached to ${links.length === 1 ? `<${links[0]}|a thread>` : named.join(', ')}`;
}

/** Beside the buttons of the job, or before the context line when it has none. */
function withAttachButton(
  tail: readonly KnownBlock[],
  investigationId: string,
): readonly KnownBlock[] {
  const button = attachButton(investigationId);
  const own = tail.findIndex((block) => block.type === 'actions');
  const block = tail[own];
  if (block?.type === 'actions') {
    if (block.elements.some((element) => element.action_id === buttonIds.attach)) return tail;
    return tail.with(own, { ...block, elements: [...block.elements, button] });
  }
  const before = tail.at(-1)?.type === 'context' ? tail.length - 1 : tail.length;
  return [...tail.slice(0, before), actions(button), ...tail.slice(before)];
}
