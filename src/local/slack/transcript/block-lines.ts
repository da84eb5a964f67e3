import type { Block } from '../state/model.ts';

/** A block as lines of text: what a reader would see, and which alt text a picture has. */
export function blockLines(block: Block): readonly string[] {
  switch (block.type) {
    case 'header':
      return [`# ${textOf(block.text)}`];
    case 'section':
      return [
        ...textOf(block.text).split('\n'),
        ...list(block.fields).map((field) => `| ${textOf(field)}`),
        ...(block.accessory === undefined ? [] : [elementText(block.accessory)]),
      ].filter((line) => line !== '');
    case 'context':
      return [`(${list(block.elements).map(elementText).join(' · ')})`];
    case 'divider':
      return ['---'];
    case 'image':
      return [
        ...(block.title === undefined ? [] : [`picture: ${textOf(block.title)}`]),
        elementText(block),
      ];
    case 'actions':
      return [list(block.elements).map(elementText).join(' ')];
    case 'table':
      return list(block.rows).map((row) => `| ${list(row).map(cellText).join(' | ')} |`);
    case 'rich_text':
      return list(block.elements).flatMap((part) => richLines(part));
    case 'markdown':
      return String(block.text).split('\n');
    default:
      return [`[${block.type}]`];
  }
}

function elementText(element: unknown): string {
  const { type, text, alt_text, slack_file, image_url } = fields(element);
  if (type === 'image') {
    const source = fields(slack_file).id ?? image_url;
    return `[picture ${String(source)}: ${String(alt_text)}]`;
  }
  if (type === 'button') return `[${textOf(text)}]`;
  if (type === 'mrkdwn' || type === 'plain_text') return String(text);
  return `[${String(type)}]`;
}

function cellText(cell: unknown): string {
  const { type, text, value, elements } = fields(cell);
  if (type === 'rich_text') return list(elements).flatMap(richLines).join(' ');
  return String(text ?? value).trim();
}

function richLines(part: unknown): readonly string[] {
  const { type, elements } = fields(part);
  if (type === 'rich_text_list')
    return list(elements)
      .flatMap(richLines)
      .map((line) => `- ${line}`);
  const text = list(elements)
    .map((run) => {
      const { text: words, url, user_id, name } = fields(run);
      return String(words ?? url ?? user_id ?? name ?? '');
    })
    .join('');
  if (type === 'rich_text_preformatted') return ['```', ...text.split('\n'), '```'];
  return text.split('\n').map((line) => (type === 'rich_text_quote' ? `> ${line}` : line));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(fields(value).text ?? '');
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Checked blocks, read without their types. */
function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
