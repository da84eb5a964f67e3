import type { Block } from '../state/model.ts';

export interface FoundElement {
  readonly block: Block;
  readonly element: InteractiveElement;
}

export interface InteractiveElement {
  readonly type: string;
  readonly action_id: string;
  readonly value?: string;
  readonly [field: string]: unknown;
}

/** Everything in the blocks that people can use, in reading order. */
export function elementsIn(blocks: readonly Block[]): readonly FoundElement[] {
  return blocks.flatMap((block) => {
    const parts = [
      ...(Array.isArray(block.elements) ? block.elements : []),
      block.accessory,
      block.element,
    ];
    return parts.filter(isInteractive).map((element) => ({ block, element }));
  });
}

export interface Wanted {
  readonly actionId: string;
  readonly blockId?: string;
  /** Tells buttons with the same action id apart. */
  readonly value?: string;
}

export function findElement(blocks: readonly Block[], wanted: Wanted): FoundElement {
  const elements = elementsIn(blocks);
  const found = elements
    .filter(({ element }) => element.action_id === wanted.actionId)
    .filter(({ block }) => wanted.blockId === undefined || block.block_id === wanted.blockId);
  const exact = found.find(({ element }) => element.value === wanted.value);
  const first =
    wanted.value === undefined || found[0]?.element.type !== 'button' ? found[0] : exact;
  if (first === undefined) {
    const there = elements.map(({ element }) => element.action_id).join(', ') || 'nothing';
    throw new Error(`there is no "${wanted.actionId}" to use here, only ${there}`);
  }
  return first;
}

function isInteractive(part: unknown): part is InteractiveElement {
  return typeof part === 'object' && part !== null && 'action_id' in part;
}
