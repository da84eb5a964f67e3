/**
 * Slack's mrkdwn as plain text for a terminal or a log: marks taken off, links written out, entities undone.
 * Format: https://docs.slack.dev/messaging/formatting-message-text
 */
export function plainText(mrkdwn: string): string {
  return mrkdwn
    .replace(/<([^<>\n]+)>/g, (_, inside: string) => plainMark(inside))
    .replace(/(^|[\s(])\*([^*\n]+)\*(?=[\s).,;:!?]|$)/gm, '$1$2')
    .replace(/(^|[\s(])_([^_\n]+)_(?=[\s).,;:!?]|$)/gm, '$1$2')
    .replace(/```\n?([\s\S]*?)\n?```/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
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
