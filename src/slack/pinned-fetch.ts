/**
 * A fetch that reaches Slack and nothing else: the bot token is in its headers, and some of the addresses it is given
 * (where to upload, where to answer) come out of answers and messages.
 */
export function createPinnedFetch(apiUrl: string): typeof fetch {
  const api = new URL(apiUrl);
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (isSlack(url, api)) return fetch(input, { ...init, redirect: 'error' });
    return Promise.reject(new Error(`${url.host} is not a host of Slack`));
  };
}

function isSlack(url: URL, api: URL): boolean {
  if (url.origin === api.origin) return true;
  const isSlackCom = (hostname: string) =>
    hostname === 'slack.com' || hostname.endsWith('.slack.com');
  return url.protocol === 'https:' && isSlackCom(api.hostname) && isSlackCom(url.hostname);
}
