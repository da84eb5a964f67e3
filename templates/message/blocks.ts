import type {
  ActionsBlock,
  Button,
  ContextBlock,
  HeaderBlock,
  ImageBlock,
  KnownBlock,
  RichTextBlock,
  SectionBlock,
  TableBlock,
} from '@slack/types';
import type { EpochMicros } from '../../src/units.ts';

/**
 * Slack's blocks with its limits kept: what is too long is cut with an ellipsis, never refused by Slack.
 * Limits: https://docs.slack.dev/reference/block-kit/blocks
 */
export const limits = {
  blocks: 50,
  /** chat.update refuses longer texts. */
  text: 4000,
  header: 150,
  section: 3000,
  contextElements: 10,
  altText: 2000,
  imageTitle: 2000,
  actions: 25,
  buttonText: 75,
  buttonValue: 2000,
  tableRows: 100,
  tableColumns: 20,
  /** Not published; longer preformatted texts have been refused. */
  code: 8000,
} as const;

/** A message: the plain sentence for notification, search and screen reader, and what is shown. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** Text from anywhere (frames, SQL, host names, errors) as mrkdwn that shows just these characters. */
export function escapeMrkdwn(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Untrusted text in back-ticks. A back-tick cannot be escaped in mrkdwn, so it becomes a quote. */
export function inlineCode(text: string): string {
  return `\`${escapeMrkdwn(text.replace(/`/g, "'").replace(/\s+/g, ' '))}\``;
}

/** At most `maxLength` UTF-16 units, as Slack counts; never half of a pair. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A moment in each reader's own time zone; `fallback` is for clients that cannot. */
export function localTime(atMicros: EpochMicros, fallback: string): string {
  return `<!date^${Math.floor(atMicros / 1e6)}^{date_short_pretty} {time_secs}|${escapeMrkdwn(fallback)}>`;
}

export function header(text: string): HeaderBlock {
  return {
    type: 'header',
    text: { type: 'plain_text', text: clip(text, limits.header), emoji: false },
  };
}

/** A paragraph. The text is mrkdwn: escape what is not ours. */
export function section(mrkdwn: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: clipMrkdwn(mrkdwn, limits.section) } };
}

/** A paragraph of untrusted text, shown as it is. */
export function plainSection(text: string): SectionBlock {
  return {
    type: 'section',
    text: { type: 'plain_text', text: clip(text, limits.section), emoji: false },
  };
}

/** Small print, one piece after the other; empty pieces are left out. The texts are mrkdwn. */
export function context(...mrkdwn: readonly string[]): ContextBlock {
  return {
    type: 'context',
    elements: mrkdwn
      .filter((text) => text !== '')
      .slice(0, limits.contextElements)
      .map((text) => ({ type: 'mrkdwn', text: clipMrkdwn(text, limits.section), verbatim: true })),
  };
}

/** Untrusted text to copy: rich text, so that no character of it is read as a mark. */
export function code(text: string): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_preformatted',
        elements: [{ type: 'text', text: clip(text, limits.code) || ' ' }],
      },
    ],
  };
}

/** An uploaded picture. The alt text states the finding. */
export function image(picture: {
  readonly fileId: string;
  readonly alt: string;
  readonly title: string;
}): ImageBlock {
  return {
    type: 'image',
    slack_file: { id: picture.fileId },
    alt_text: clip(picture.alt, limits.altText) || picture.title,
    title: { type: 'plain_text', text: clip(picture.title, limits.imageTitle), emoji: false },
  };
}

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** A table of untrusted texts. Slack takes one table a message and shows it below the other blocks. */
export function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): TableBlock {
  const shown = columns.slice(0, limits.tableColumns);
  // Slack refuses an empty cell.
  const cell = (text: string) => ({ type: 'raw_text' as const, text: text === '' ? ' ' : text });
  return {
    type: 'table',
    column_settings: shown.map(({ align }) => ({ align: align ?? 'left' })),
    rows: [
      shown.map(({ title }) => cell(title)),
      ...rows
        .slice(0, limits.tableRows - 1)
        .map((row) => shown.map((_, column) => cell(row[column] ?? ''))),
    ],
  };
}

/** Buttons in a row. Slack wants their ids to differ: the second one of a kind becomes "ask:2". */
export function actions(...buttons: readonly Button[]): ActionsBlock {
  const seen = new Map<string, number>();
  const elements = buttons.slice(0, limits.actions).map((each) => {
    const kind = (each.action_id ?? '').replace(/:\d+$/, '');
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return { ...each, action_id: count === 1 ? kind : `${kind}:${count}` };
  });
  return { type: 'actions', elements };
}

export interface ButtonText {
  readonly label: string;
  /** Which handler: a key of `buttonIds`. */
  readonly actionId: string;
  readonly value: string;
  readonly style?: 'primary' | 'danger';
}

export function button({ label, actionId, value, style }: ButtonText): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text: clip(label, limits.buttonText), emoji: false },
    action_id: actionId,
    value: clip(value, limits.buttonValue),
    ...(style === undefined ? {} : { style }),
  };
}

/**
 * Blocks that fit one message: the ones before the last are dropped when there are too many, and of several
 * tables only the first stays. The last block is the context line, which people paste from.
 */
export function fitMessage(blocks: readonly KnownBlock[]): readonly KnownBlock[] {
  const firstTable = blocks.findIndex(({ type }) => type === 'table');
  const single = blocks.filter(({ type }, index) => type !== 'table' || index === firstTable);
  if (single.length <= limits.blocks) return single;
  return [...single.slice(0, limits.blocks - 1), ...single.slice(-1)];
}

/** Cuts mrkdwn without leaving half an entity or half a link behind. */
function clipMrkdwn(mrkdwn: string, maxLength: number): string {
  if (mrkdwn === '') return ' ';
  if (mrkdwn.length <= maxLength) return mrkdwn;
  return clip(mrkdwn, maxLength)
    .slice(0, -1)
    .replace(/&[a-z]{0,3}$/, '')
    .replace(/<[^<>]*$/, '')
    .concat('…');
}
