import { describe, expect, it } from 'vitest';
import { ownCopy } from '../../src/studio/own-copy.ts';
import { profileOf } from '../support/profile-of.ts';

describe('ownCopy', () => {
  it('is equal to what it was made of', () => {
    const data = { profile: profileOf({ 'a;b': 3 }), rules: [{ pattern: /x/g }], none: undefined };
    expect(ownCopy(data).value).toEqual(data);
  });

  it('gives away buffers of its own, no longer than what the arrays show', () => {
    const large = new Float64Array(1000);
    const { value, buffers } = ownCopy({ column: large.subarray(2, 5) });
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([24]);
    structuredClone(value, { transfer: [...buffers] });
    expect(large).toHaveLength(1000);
  });

  it('copies an array that is named twice once', () => {
    const column = new Int32Array(3);
    const { value, buffers } = ownCopy({ first: column, second: column });
    expect(buffers).toHaveLength(1);
    expect(value.first).toBe(value.second);
  });

  it('gives Buffers as plain bytes, which a thread gets them as', () => {
    const { value } = ownCopy({ bytes: Buffer.from('abc') as Uint8Array });
    expect(value.bytes.constructor).toBe(Uint8Array);
  });
});
