import type { KnownBlock, RichTextBlock, RichTextElement } from '@slack/types';
import { plainText } from './mrkdwn.ts';
import { textTable } from './table.ts';

/** A message as a terminal shows it: one paragraph a block, tables in columns, pictures by their alt text. */
export function messageAsText(blocks: readonly KnownBlock[]): string {
  return `${blocks
    .map(blockAsText)
    .filter((text) => text !== '')
    .join('\n\n')}\n`;
}

function blockAsText(block: KnownBlock): string {
  switch (block.type) {
    case 'header':
      return `${block.text.text}\n${'='.repeat([...block.text.text].length)}`;
    case 'section':
      return [block.text, ...(block.fields ?? [])]
        .flatMap((field) => (field === undefined ? [] : [textOf(field)]))
        .join('\n');
    case 'context':
      return block.elements
        .map((element) => (element.type === 'image' ? element.alt_text : textOf(element)))
        .join(' · ');
    case 'image':
      return `[picture] ${block.alt_text}`;
    case 'table':
      return tableAsText(block);
    case 'rich_text':
      return richAsText(block);
    case 'divider':
      return '---';
    default:
      // Buttons and inputs are for the chat; there is nothing to read in them.
      return '';
  }
}

function textOf(text: { readonly type: string; readonly text: string }): string {
  return text.type === 'mrkdwn' ? plainText(text.text) : text.text;
}

function tableAsText(block: Extract<KnownBlock, { type: 'table' }>): string {
  const rows = block.rows.map((row) =>
    row.map((cell) => {
      if (cell.type === 'rich_text') return richAsText(cell);
      return cell.type === 'raw_number' ? String(cell.value) : cell.text;
    }),
  );
  return textTable(
    rows,
    (block.column_settings ?? []).map((column) => (column?.align === 'right' ? 'right' : 'left')),
  );
}

function richAsText(block: RichTextBlock): string {
  return block.elements
    .map((element) =>
      element.type === 'rich_text_list'
        ? element.elements
            .map((item) => `- ${item.elements.map(elementAsText).join('')}`)
            .join('\n')
        : element.elements.map(elementAsText).join(''),
    )
    .join('\n');
}

function elementAsText(element: RichTextElement): string {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return element.text ?? element.url;
    case 'user':
      return `@${element.user_id}`;
    case 'channel':
      return `#${element.channel_id}`;
    default:
      return '';
  }
}
