import { describe, expect, it } from 'vitest';
import { readServerError } from '../../src/clickhouse/server-error.ts';

describe('the exception in a server’s answer', () => {
  it('is read as new servers write it, without code name, version and statement', () => {
    expect(
      readServerError(
        "Code: 60. DB::Exception: Unknown table expression identifier 'system.jemalloc_bins' in scope SELECT 1 FROM system.jemalloc_bins. (UNKNOWN_TABLE) (version 26.7.2.1 (official build))",
      ),
    ).toEqual({
      code: 60,
      message: "Unknown table expression identifier 'system.jemalloc_bins'",
    });
    expect(
      readServerError(
        'Code: 46. DB::Exception: Function with name `addressToSymbol` does not exist. In scope SELECT addressToSymbol(1). (UNKNOWN_FUNCTION) (version 26.7.2.1)',
      )?.message,
    ).toBe('Function with name `addressToSymbol` does not exist');
  });

  it('is read as servers before 20 write it', () => {
    expect(
      readServerError(
        "Code: 60, e.displayText() = DB::Exception: Table system.trace_log doesn't exist., e.what() = DB::Exception",
      ),
    ).toEqual({ code: 60, message: "Table system.trace_log doesn't exist" });
  });

  it('is the innermost of nested ones', () => {
    const nested =
      'Code: 279. DB::Exception: All connection tries failed. Code: 516. DB::Exception: memprof: Authentication failed. (AUTHENTICATION_FAILED) (version 25.8.1.1). (ALL_CONNECTION_TRIES_FAILED) (version 25.8.1.1)';
    expect(readServerError(nested)).toEqual({
      code: 516,
      message: 'memprof: Authentication failed',
    });
  });

  it('is none in a page of a proxy, in nothing, and in words about codes', () => {
    expect(readServerError('<html><body>502 Bad Gateway</body></html>')).toBeUndefined();
    expect(readServerError('')).toBeUndefined();
    expect(readServerError('the Code: is missing')).toBeUndefined();
  });

  it('is cut to a readable length', () => {
    const { message } = readServerError(`Code: 241. DB::Exception: ${'x'.repeat(5000)}`) ?? {};
    expect(message?.length).toBe(400);
  });
});
