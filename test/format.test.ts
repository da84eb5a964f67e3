import { describe, expect, it } from 'vitest';
import * as format from '../src/format.ts';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [1_048_575, '1.00 MiB'],
    [3_407_872, '3.25 MiB'],
    [-1_610_612_736, '-1.50 GiB'],
    [2 ** 64, '16.00 EiB'],
  ])('writes %d as %s', (bytes, text) => expect(format.formatBytes(bytes)).toBe(text));
});

describe('formatShare', () => {
  it.each([
    [0, '0%'],
    [0.004, '<1%'],
    [-0.004, '>-1%'],
    [0.005, '1%'],
    [0.555, '56%'],
    [1, '100%'],
    [3.4, '340%'],
  ])('writes %d as %s', (share, text) => expect(format.formatShare(share)).toBe(text));
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [840, '840 ms'],
    [12_400, '12.4 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [190_000_000, '2 d 5 h'],
  ])('writes %d ms as %s', (ms, text) => expect(format.formatDuration(ms)).toBe(text));
});

describe('moments', () => {
  it('are written in UTC', () => {
    expect(format.formatUtc(1_764_590_284_123_456)).toBe('2025-12-01 11:58:04.123 UTC');
    expect(format.formatUtcTime(1_764_590_284_123_456)).toBe('11:58:04 UTC');
  });
});

describe('counts', () => {
  it('agree with their noun', () => {
    expect(format.formatCountOf(1, 'sample')).toBe('1 sample');
    expect(format.formatCountOf(12_345.4, 'sample')).toBe('12,345 samples');
    expect(format.formatCountOf(0, 'query', 'queries')).toBe('0 queries');
    expect(format.formatSignedBytes(2048)).toBe('+2.00 KiB');
    expect(format.formatSignedBytes(-2048)).toBe('-2.00 KiB');
  });
});
