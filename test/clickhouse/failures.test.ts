import { describe, expect, it } from 'vitest';
import { toTargetFailure } from '../../src/clickhouse/failures.ts';
import { failureText } from '../../templates/text/failure.ts';

const asked = { target: 'chi-3', user: 'memprof', what: 'peak-curve' };
const failed = (message: string, extra: object = {}) =>
  toTargetFailure(Object.assign(new Error(message), extra), asked);

describe('what a server answers, as a failure', () => {
  it.each([
    [516, 'target-denied'],
    [194, 'target-denied'],
    [497, 'grant-missing'],
    [164, 'setting-refused'],
    [452, 'setting-refused'],
    [115, 'setting-refused'],
    [446, 'setting-refused'],
    [60, 'feature-missing'],
    [47, 'feature-missing'],
    [46, 'feature-missing'],
    [62, 'feature-missing'],
    [344, 'feature-off'],
    [159, 'query-timeout'],
    [201, 'quota-exceeded'],
    [202, 'target-unreachable'],
    [241, 'memory-limit'],
    [394, 'server-error'],
    [999, 'server-error'],
  ])('is told from code %i as %s', (code, kind) => {
    expect(failed(`Code: ${code}. DB::Exception: words (SOME_NAME) (version 26.7.2.1)`).kind).toBe(
      kind,
    );
    // The client takes code and message apart.
    expect(failed('words ', { code: String(code), type: 'SOME_NAME' }).kind).toBe(kind);
  });

  it('prints the statement that grants what is missing, without its columns', () => {
    const failure = failed(
      "memprof: Not enough privileges. To execute this query, it's necessary to have the grant SELECT(query_id, memory_usage) ON system.query_log. ",
      { code: '497' },
    );
    expect(failure.paste).toBe('GRANT SELECT ON system.query_log TO memprof;');
    expect(failureText(failure)).toContain('GRANT SELECT ON system.query_log TO memprof;');
  });

  it('never shows the statement that was sent', () => {
    const failure = failed(
      "Code: 62. DB::Exception: Syntax error: failed at position 8: secret_word. In scope SELECT 'secret'. (SYNTAX_ERROR)",
    );
    expect(failure.message).not.toContain("'secret'");
  });
});

describe('a server that does not answer', () => {
  it.each([
    ['ECONNREFUSED', 'nothing listens at its address'],
    ['ENOTFOUND', 'its host name is not known'],
    ['ECONNRESET', 'it closed the connection before its answer was complete'],
    ['ETIMEDOUT', 'it did not answer the connection'],
  ])('is unreachable for %s: %s', (code, why) => {
    const failure = failed('fetch failed', { cause: Object.assign(new Error(code), { code }) });
    expect(failure.kind).toBe('target-unreachable');
    expect(failure.retry).toBe(true);
    expect(failure.why).toContain(why);
    expect(failure.fix).toContain('targets.chi-3.url');
  });

  it('is looked at by name for each address it has', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(failed('x', { cause: new AggregateError([refused, refused]) }).why).toContain(
      'ECONNREFUSED',
    );
  });

  it('with a certificate that nobody trusts names the setting that mends it', () => {
    const failure = failed('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(failure.kind).toBe('target-denied');
    expect(failure.fix).toContain('targets.chi-3.caFile');
  });

  it('but something else at its address says what it looks like', () => {
    const failure = failed('<html>\n<h1>502 Bad Gateway</h1></html>');
    expect(failure.what).toBe('chi-3 did not answer as ClickHouse does');
    expect(failure.why).toContain('502 Bad Gateway');
  });
});
