/**
 * The command in a mention: the text of an event as the person typed it. Slack wraps links and mentions in `<…>` and
 * escapes exactly three characters. https://docs.slack.dev/messaging/formatting-message-text
 */
export function mentionText(text: string, botUserId: string): string {
  return text
    .replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ')
    .replace(/<((?:https?|mailto):[^|>]*)(?:\|[^>]*)?>/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .trim();
}

const QUERY_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The first query id in a message, wherever it stands in it: in its text, its blocks or an alert's attachment. */
export function queryIdIn(message: unknown): string | undefined {
  return QUERY_ID.exec(JSON.stringify(message) ?? '')?.[0];
}
