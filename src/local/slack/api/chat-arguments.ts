import { checkBlocks } from '../blocks/check.ts';
import type { Core } from '../core.ts';
import type { Block, Metadata } from '../state/model.ts';
import type { Arguments } from './arguments.ts';
import { refusedBecause, SlackError } from './slack-error.ts';

/** What is to be shown, checked. */
export interface Content {
  readonly text: string;
  /** Undefined when the call says nothing of blocks. */
  readonly blocks: readonly Block[] | undefined;
}

const MAX_TEXT = 40_000;
const MAX_MARKDOWN = 12_000;
const MAX_METADATA_BYTES = 8000;

/** Text, blocks or markdown of a call; throws what Slack would say of them. */
export function contentOf(core: Core, args: Arguments, allowsSlackFiles = true): Content {
  const markdown = args.text('markdown_text');
  if (markdown !== undefined) {
    if (args.has('text') || args.has('blocks')) throw new SlackError('markdown_text_conflict');
    if (markdown.length > MAX_MARKDOWN) throw new SlackError('msg_too_long');
  }
  const text = (markdown ?? args.text('text') ?? '').slice(0, MAX_TEXT);
  const given = args.json('blocks', 'invalid_blocks_format');
  if (given === undefined) return { text, blocks: undefined };
  const checked = checkBlocks(given, {
    surface: 'message',
    pointer: '/blocks',
    fileById: core.files.get,
    allowsSlackFiles,
  });
  if ('error' in checked) throw refusedBecause(checked.error, checked.errors);
  return { text, blocks: checked.blocks };
}

export function requireContent({ text, blocks }: Content): void {
  if (text.trim() === '' && (blocks === undefined || blocks.length === 0)) {
    throw new SlackError('no_text');
  }
}

export function metadataOf(args: Arguments): Metadata | undefined {
  const given = args.json('metadata', 'invalid_metadata_format');
  if (given === undefined) return undefined;
  if (JSON.stringify(given).length > MAX_METADATA_BYTES) throw new SlackError('metadata_too_large');
  if (!isMetadata(given)) throw new SlackError('invalid_metadata_schema');
  return given;
}

function isMetadata(value: unknown): value is Metadata {
  return (
    typeof value === 'object' &&
    value !== null &&
    'event_type' in value &&
    typeof value.event_type === 'string' &&
    'event_payload' in value &&
    typeof value.event_payload === 'object'
  );
}
