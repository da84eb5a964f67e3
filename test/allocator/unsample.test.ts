import { describe, expect, it } from 'vitest';
import { objectsPerSample, unsampleLine } from '../../src/allocator/unsample.ts';

const R = 524_288;

describe('objectsPerSample', () => {
  it.each([
    [64, 8192.5],
    [192, 2731.17],
    [1024, 512.5],
    [65_536, 8.51],
    [262_144, 2.5415],
    [524_288, 1.582],
    [1_048_576, 1.1565],
    [4_194_304, 1.0003],
  ])('a sample of %d bytes stands for %d objects at 512 KiB', (size, objects) => {
    expect(objectsPerSample(size, R)).toBeCloseTo(objects, 1);
  });

  it('changes nothing where nothing was sampled away', () => {
    expect(objectsPerSample(100, 1)).toBe(1);
    expect(objectsPerSample(0, R)).toBe(1);
  });
});

describe('unsampleLine', () => {
  it('gives what jeprof gives for two hand-made lines', () => {
    expect(unsampleLine({ objects: 2, bytes: 4096 }, R).bytes).toBeCloseTo(1_050_625.33, 2);
    expect(unsampleLine({ objects: 1, bytes: 1_048_576 }, R).bytes).toBeCloseTo(1_212_696.64, 2);
  });

  it('leaves a line without objects at nothing', () => {
    expect(unsampleLine({ objects: 0, bytes: 0 }, R)).toEqual({ objects: 0, bytes: 0 });
  });
});
