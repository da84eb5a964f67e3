import { describe, expect, it } from 'vitest';
import { readHeader, readRow } from '../../src/allocator/stats-table.ts';

const header = readHeader('bins:     size ind   nmalloc (#/sec)  ndalloc (#/sec)   util', 'bins:');
const widths = [14, 4, 10, 8, 9, 8, 7];

/** As jemalloc prints it: each value padded to its column, never cut. */
const printed = (...values: readonly string[]) =>
  values.map((value, index) => value.padStart(widths[index]!)).join('');
const valuesOf = (line: string) => {
  const row = readRow(header, line);
  return row && [...row.values()];
};

describe('readHeader', () => {
  it('names a rate after its count', () => {
    expect(header.map(({ name }) => name)).toEqual(
      'size ind nmalloc nmalloc/s ndalloc ndalloc/s util'.split(' '),
    );
  });
});

describe('readRow', () => {
  it.each([
    ['ordinary values', ['8', '0', '6181', '1236', '2761', '552', '0.742']],
    ['a race', ['8', '0', '6181', '1236', '2761', '552', 'race']],
    ['values that touch', ['16', '1', '1234567890', '12345678', '123456789', '12345678', '1']],
    ['a value too wide for its column', ['16', '1', '123456789012', '1', '27', '5', '0.742']],
    ['a too wide first one', ['12345678901234567', '1', '12', '1', '27', '5', '1']],
  ])('splits %s', (_, values) => {
    expect(valuesOf(printed(...values))).toEqual(values);
  });

  it('gives up what it cannot split', () => {
    expect(valuesOf(printed('16', '1', '6181'))).toBeUndefined();
    expect(valuesOf(printed('16', '1', '6181', '1', '2', '3', 'what?'))).toBeUndefined();
    expect(valuesOf(printed('16', '1', '6181', '1', '2', '3', '1').concat('   7'))).toBeUndefined();
  });
});
