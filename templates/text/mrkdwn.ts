/**
 * Slack's mrkdwn as plain text for a terminal or a log: marks taken off, links written out, entities undone.
 * Format: https://docs.slack.dev/messaging/formatting-message-text
 */
export function plainText(mrkdwn: string): string {
  // Nothing in code is a mark, though code may stand within marks.
  const codes: string[] = [];
  const marked = mrkdwn.replaceAll(HELD, '').replace(CODE, (piece) => {
    codes.push(codeIn(piece));
    return HELD;
  });
  return withoutMarks(marked)
    .replaceAll(HELD, () => codes.shift() ?? '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

const CODE = /```[\s\S]*?```|`[^`\n]+`/g;
/** Stands for a piece of code; no text that people read has it. */
const HELD = '\uf8ff';

function codeIn(piece: string): string {
  return piece.replace(/^(?:```\n?|`)([\s\S]*?)(?:\n?```|`)$/, '$1');
}

/** A mark has no blank behind its beginning or before its end: `0 9 * * 1` has none. */
function withoutMarks(text: string): string {
  return text
    .replace(/<([^<>\n]+)>/g, (_, inside: string) => plainMark(inside))
    .replace(/(^|[\s(])\*(?!\s)([^*\n]+)(?<!\s)\*(?=[\s).,;:!?]|$)/gm, '$1$2')
    .replace(/(^|[\s(])_(?!\s)([^_\n]+)(?<!\s)_(?=[\s).,;:!?]|$)/gm, '$1$2');
}

/** What stands between `<` and `>`: a person, a channel, a moment or a link. */
function plainMark(inside: string): string {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? '' : inside.slice(bar + 1);
  if (target.startsWith('@') || target.startsWith('#')) {
    return label === '' ? target : `${target[0]}${label}`;
  }
  // <!date^seconds^format|fallback>, <!here>, <!subteam^S1|@name>
  if (target.startsWith('!')) return label === '' ? `@${target.slice(1)}` : label;
  return label === '' || label === target ? target : `${label} (${target})`;
}
