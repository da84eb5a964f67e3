import { describe, expect, it } from 'vitest';
import { createOwnSettings } from '../../src/clickhouse/own-settings.ts';

const request = { name: 'peak-curve', deadlineMs: 1500, isRead: true };

describe('settings that memprof sends for its own sake', () => {
  it('keep reads read-only and 64 bits whole, and end the query a little after our deadline', () => {
    expect(createOwnSettings().for(request)).toEqual({
      log_comment: 'memprof peak-curve',
      max_execution_time: 3,
      readonly: '2',
      cancel_http_readonly_queries_on_client_close: 1,
      output_format_json_quote_64bit_integers: 1,
    });
  });

  it('do not make a statement read-only', () => {
    expect(createOwnSettings().for({ ...request, isRead: false })).not.toHaveProperty('readonly');
  });

  it('leave out what an old server does not know, and only that', () => {
    const own = createOwnSettings();
    const refusal =
      'the server knows no such thing: Setting cancel_http_readonly_queries_on_client_close is neither a builtin setting';
    expect(own.drop(refusal)).toBe(true);
    expect(Object.keys(own.for(request))).toEqual([
      'log_comment',
      'max_execution_time',
      'readonly',
      'output_format_json_quote_64bit_integers',
    ]);
    // Asking again with the same would be answered the same.
    expect(own.drop(refusal)).toBe(false);
  });

  it('are all left out at once where a profile allows no change', () => {
    const own = createOwnSettings();
    expect(own.drop("Cannot modify 'log_comment' setting in readonly mode")).toBe(true);
    expect(own.for(request)).toEqual({});
  });

  it('stay when the refusal is of a setting that the question needs', () => {
    const own = createOwnSettings();
    expect(own.drop("Cannot modify 'max_threads' setting in readonly mode")).toBe(false);
    expect(own.for(request)).toHaveProperty('log_comment');
  });
});
