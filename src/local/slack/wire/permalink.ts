import type { Message } from '../state/model.ts';

/** A link as Slack makes them: `/archives/<channel>/p<ts without dot>`, with the parent for a reply. */
export function permalinkOf(
  origin: string,
  { channel, ts, threadTs }: Pick<Message, 'channel' | 'ts' | 'threadTs'>,
): string {
  const url = new URL(`/archives/${channel}/p${ts.replace('.', '')}`, origin);
  if (threadTs !== undefined && threadTs !== ts) {
    url.searchParams.set('thread_ts', threadTs);
    url.searchParams.set('cid', channel);
  }
  return url.href;
}
