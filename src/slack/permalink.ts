import type { Place } from '../investigation.ts';
import type { MessageAddress } from '../ports.ts';

/** `https://<workspace>/archives/<channel>/p<16 digits>[?thread_ts=<ts>&cid=<channel>]`: the last six digits of 16 are micros. */
const PATH = /^\/archives\/([CGD][A-Z0-9]{2,})\/p(\d{10})(\d{6})\/?$/;
const TS = /^\d{10}\.\d{6}$/;

/**
 * The message that a pasted link means, and the thread it is in; undefined for anything else, also for links of
 * another workspace. Takes what people paste: `<url>`, `<url|label>`, entities, fragments, more parameters.
 */
export function readPermalink(
  pasted: string,
  workspaceUrl: string,
): (MessageAddress & Place) | undefined {
  const text = pasted
    .trim()
    .replace(/^<([^|>]*)(\|[^>]*)?>$/, '$1')
    .replace(/&amp;/g, '&');
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!isSameWorkspace(url, new URL(workspaceUrl))) return undefined;
  const [, channel, seconds, micros] = PATH.exec(url.pathname) ?? [];
  if (channel === undefined) return undefined;
  const cid = url.searchParams.get('cid');
  if (cid !== null && cid !== channel) return undefined;
  const threadTs = url.searchParams.get('thread_ts');
  if (threadTs !== null && !TS.test(threadTs)) return undefined;
  const ts = `${seconds}.${micros}`;
  return threadTs === null ? { channel, ts } : { channel, ts, threadTs };
}

/** A link that people of the workspace can open; Slack shows a reply within its thread. */
export function permalinkOf(
  { channel, ts, threadTs }: MessageAddress & Place,
  workspaceUrl: string,
): string {
  const url = new URL(`/archives/${channel}/p${ts.replace('.', '')}`, workspaceUrl);
  if (threadTs !== undefined && threadTs !== ts) {
    url.searchParams.set('thread_ts', threadTs);
    url.searchParams.set('cid', channel);
  }
  return url.href;
}

/** A workspace of an organisation is also reached as `<organisation>.enterprise.slack.com`. */
function isSameWorkspace(link: URL, workspace: URL): boolean {
  if (link.host === workspace.host) return link.protocol === workspace.protocol;
  return (
    workspace.hostname.endsWith('.slack.com') && link.hostname.endsWith('.enterprise.slack.com')
  );
}
