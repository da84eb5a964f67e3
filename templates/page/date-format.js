/** @param {Intl.DateTimeFormatOptions} options */
const formatter = (options) => new Intl.DateTimeFormat(undefined, options);

const formatters = {
  '{date_num}': formatter({ year: 'numeric', month: '2-digit', day: '2-digit' }),
  '{date_short}': formatter({ year: 'numeric', month: 'short', day: 'numeric' }),
  '{date}': formatter({ year: 'numeric', month: 'long', day: 'numeric' }),
  '{date_long}': formatter({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
  '{time}': formatter({ hour: 'numeric', minute: '2-digit' }),
  '{time_secs}': formatter({ hour: 'numeric', minute: '2-digit', second: '2-digit' }),
};

/**
 * Slack's date tokens in the reader's own time zone.
 * https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 * @param {number} seconds since the epoch
 * @param {string} format
 */
export function formatSlackDate(seconds, format) {
  const date = new Date(seconds * 1000);
  return format.replace(/\{[a-z_]+\}/g, (token) => {
    if (token === '{ago}') return ago(date);
    const pretty = token.endsWith('_pretty}') ? relativeDay(date) : undefined;
    const plain = /** @type {keyof typeof formatters} */ (token.replace('_pretty', ''));
    return pretty ?? formatters[plain]?.format(date) ?? token;
  });
}

/** "today", "yesterday", "tomorrow", or undefined. @param {Date} date */
function relativeDay(date) {
  const days = Math.round((startOfDay(date) - startOfDay(new Date())) / 86_400_000);
  return { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[days];
}

/** @param {Date} date */
function startOfDay(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** @param {Date} date */
export function ago(date) {
  const minutes = Math.round((Date.now() - date.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
  const days = Math.round(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** @param {string} ts */
export function dateOf(ts) {
  return new Date(Number(ts) * 1000);
}

/** @param {string} ts */
export function timeOf(ts) {
  return formatters['{time}'].format(dateOf(ts));
}

/** The heading above the messages of a day. @param {string} ts */
export function dayOf(ts) {
  const relative = relativeDay(dateOf(ts));
  if (relative !== undefined) return relative === 'today' ? 'Today' : 'Yesterday';
  return formatters['{date_long}'].format(dateOf(ts));
}
