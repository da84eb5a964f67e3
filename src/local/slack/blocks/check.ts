import * as z from 'zod';
import { newSecret } from '../state/ids.ts';
import type { Block, WorkspaceFile } from '../state/model.ts';
import { isShownAsImage } from '../state/picture.ts';
import { AnyBlock } from './block.ts';
import { complaint, complaintsOf } from './complaint.ts';

export interface BlockRules {
  readonly surface: 'message' | 'modal' | 'home';
  /** Where the blocks stand in the call: "/blocks", "/view/blocks". */
  readonly pointer: string;
  fileById(id: string): WorkspaceFile | undefined;
  /** Files can be named only where the bot speaks for itself, not through a response_url. */
  readonly allowsSlackFiles?: boolean;
}

/** The blocks with their ids filled in, or all complaints about them. */
export type CheckedBlocks =
  | { readonly blocks: readonly Block[] }
  | {
      readonly error: 'invalid_blocks' | 'invalid_attachments';
      readonly errors: readonly string[];
    };

const MAX_BLOCKS = { message: 50, modal: 100, home: 100 } as const;
const MAX_MARKDOWN = 12_000;
const ONLY_IN_MESSAGES: readonly string[] = ['table', 'markdown', 'file'];

/** Checks blocks as Slack does when they are sent: counts, lengths, ids, one table, files that can be shown. */
export function checkBlocks(value: unknown, rules: BlockRules): CheckedBlocks {
  const { pointer, surface } = rules;
  const list = z.array(AnyBlock).max(MAX_BLOCKS[surface]);
  const parsed = list.safeParse(value, { reportInput: true });
  if (parsed.error !== undefined) {
    return { error: 'invalid_blocks', errors: complaintsOf(parsed.error.issues, pointer) };
  }
  const blocks = parsed.data;
  const errors = [
    ...repeatedBlockIds(blocks, pointer),
    ...repeatedActionIds(blocks, pointer),
    ...misplaced(blocks, rules),
    ...tooMuchMarkdown(blocks, pointer),
    ...unusableFiles(blocks, rules),
  ];
  if (errors.length > 0) return { error: 'invalid_blocks', errors };
  if (blocks.filter(({ type }) => type === 'table' || type === 'data_table').length > 1) {
    return { error: 'invalid_attachments', errors: ['only_one_table_allowed'] };
  }
  return { blocks: blocks.map(withIds) };
}

function repeatedBlockIds(blocks: readonly AnyBlock[], pointer: string): readonly string[] {
  const seen = new Set<string>();
  return blocks.flatMap(({ block_id: id }, index) => {
    if (id === undefined) return [];
    if (seen.has(id))
      return complaint(`\`block_id\` "${id}" already exists`, `${pointer}/${index}/block_id`);
    seen.add(id);
    return [];
  });
}

function repeatedActionIds(blocks: readonly AnyBlock[], pointer: string): readonly string[] {
  return blocks.flatMap((block, index) => {
    if (block.type !== 'actions') return [];
    const ids = block.elements.map((element) => element.action_id);
    return ids.flatMap((id, at) =>
      id === undefined || ids.indexOf(id) === at
        ? []
        : complaint(
            `\`action_id\` "${String(id)}" already exists`,
            `${pointer}/${index}/elements/${at}/action_id`,
          ),
    );
  });
}

function misplaced(blocks: readonly AnyBlock[], { surface, pointer }: BlockRules): string[] {
  if (surface === 'message') return [];
  return blocks.flatMap(({ type }, index) =>
    ONLY_IN_MESSAGES.includes(type)
      ? complaint(`unsupported type: ${type}`, `${pointer}/${index}`)
      : [],
  );
}

function tooMuchMarkdown(blocks: readonly AnyBlock[], pointer: string): readonly string[] {
  const length = blocks.reduce(
    (sum, block) => sum + (block.type === 'markdown' ? block.text.length : 0),
    0,
  );
  return length > MAX_MARKDOWN
    ? [complaint(`must be less than ${MAX_MARKDOWN + 1} characters`, pointer)]
    : [];
}

function unusableFiles(blocks: readonly AnyBlock[], rules: BlockRules): readonly string[] {
  return imagesIn(blocks, rules.pointer).flatMap(({ file, pointer }) => {
    const found = file.id === undefined ? undefined : rules.fileById(file.id);
    const isUsable =
      rules.allowsSlackFiles !== false &&
      found?.state === 'ready' &&
      isShownAsImage(found.filetype);
    return isUsable ? [] : complaint('invalid slack file', pointer);
  });
}

/** Every image that names an uploaded file, wherever it stands. */
function imagesIn(blocks: readonly AnyBlock[], pointer: string) {
  return blocks.flatMap((block, index) => {
    const at = `${pointer}/${index}`;
    const images =
      block.type === 'image'
        ? [{ image: block, at }]
        : block.type === 'section' && block.accessory?.type === 'image'
          ? [{ image: block.accessory, at: `${at}/accessory` }]
          : block.type === 'context'
            ? block.elements.flatMap((element, n) =>
                element.type === 'image' ? { image: element, at: `${at}/elements/${n}` } : [],
              )
            : [];
    return images.flatMap(({ image, at: place }) =>
      image.slack_file === undefined
        ? []
        : { file: image.slack_file, pointer: `${place}/slack_file` },
    );
  });
}

/** Slack makes up the ids that an app leaves out. */
function withIds(block: AnyBlock): Block {
  const block_id = block.block_id ?? newSecret().slice(0, 5);
  switch (block.type) {
    case 'actions':
      return { ...block, block_id, elements: block.elements.map(withActionId) };
    case 'section':
      return block.accessory === undefined || block.accessory.type === 'image'
        ? { ...block, block_id }
        : { ...block, block_id, accessory: withActionId(block.accessory) };
    case 'input':
      return { ...block, block_id, element: withActionId(block.element) };
    default:
      return { ...block, block_id };
  }
}

function withActionId<Element extends object>(element: Element) {
  return { action_id: newSecret().slice(0, 5), ...element };
}
