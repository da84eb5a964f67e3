import type { ClickHouseSettings } from '@clickhouse/client';

/**
 * Settings that memprof sends with each request for its own sake. A server may refuse any of them: it is too old to
 * know it (115), or the profile of the user forbids changes (164, 452). It is then left out from there on, since
 * each answer is right without.
 */
export interface OwnSettings {
  for(request: OwnRequest): ClickHouseSettings;
  /** Notes what a refusal is about; false when it is about none of ours, so that asking again is useless. */
  drop(refusal: string): boolean;
}

interface OwnRequest {
  /** Name of the query, for the server's query_log. */
  readonly name: string;
  readonly deadlineMs: number;
  /** Nothing may be changed by it; SYSTEM statements count as changes. */
  readonly isRead: boolean;
}

/** Names that memprof's own queries carry in log_comment. */
const COMMENT_PREFIX = 'memprof';

export function createOwnSettings(): OwnSettings {
  const refused = new Set<string>();
  return {
    for({ name, deadlineMs, isRead }) {
      const wanted: ClickHouseSettings = {
        log_comment: `${COMMENT_PREFIX} ${name}`,
        // The server gives up a little later than we do, should our word to stop not reach it.
        max_execution_time: Math.ceil(deadlineMs / 1000) + 1,
        ...(isRead ? READ_SETTINGS : {}),
      };
      return Object.fromEntries(Object.entries(wanted).filter(([key]) => !refused.has(key)));
    },
    drop(refusal) {
      const said = refusal.replace(READONLY_MODE, '');
      const fresh = ALL.filter((key) => !refused.has(key));
      const named = fresh.filter((key) => new RegExp(`\\b${key}\\b`).test(said));
      // With readonly = 1 no setting may be changed: one round trip, not one for each.
      const dropped = named.length > 0 && said !== refusal ? fresh : named;
      for (const key of dropped) refused.add(key);
      return dropped.length > 0;
    },
  };
}

const READ_SETTINGS = {
  // Only of a read-only query does the server stop the work when the connection closes.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  // Numbers of 64 bits come as text, so that no digit is lost.
  output_format_json_quote_64bit_integers: 1,
} satisfies ClickHouseSettings;

/** "Cannot modify 'max_threads' setting in readonly mode." */
const READONLY_MODE = 'in readonly mode';

const ALL: readonly string[] = ['log_comment', 'max_execution_time', ...Object.keys(READ_SETTINGS)];
