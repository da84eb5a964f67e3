import type { Arguments } from './arguments.ts';
import { SlackError } from './slack-error.ts';

export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly response_metadata: { readonly next_cursor: string };
}

/** One page by Slack's cursors, which nobody but Slack can read. */
export function pageOf<Item>(
  items: readonly Item[],
  args: Arguments,
  defaultLimit: number,
): PageOf<Item> {
  const limit = Math.min(Math.max(args.count('limit', defaultLimit), 1), 1000);
  const start = readCursor(args.text('cursor'));
  const end = start + limit;
  const hasMore = end < items.length;
  return {
    items: items.slice(start, end),
    hasMore,
    response_metadata: { next_cursor: hasMore ? btoa(`next:${end}`) : '' },
  };
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0;
  const start = /^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1];
  if (start === undefined) throw new SlackError('invalid_cursor');
  return Number(start);
}
