import type { Bytes } from '../units.ts';

/** Factors between round amounts, over three decades: 0.1, 0.2, 0.25, 0.5, 1 … 500. */
const STEPS = [0.1, 1, 10, 100].flatMap((decade) => [1, 2, 2.5, 5].map((digit) => digit * decade));

/**
 * Round amounts for an axis from 0, all in the binary unit of the largest (0.5 GiB, 1 GiB, 1.5 GiB). No more than the
 * wanted number above 0.
 */
export function byteTicks(maxBytes: Bytes, wanted: number): readonly Bytes[] {
  if (!(maxBytes > 0)) return [0];
  const step = byteStep(maxBytes, wanted);
  return Array.from({ length: Math.floor(maxBytes / step) + 1 }, (_, index) => index * step);
}

/** The distance between two of them. */
export function byteStep(maxBytes: Bytes, wanted: number): Bytes {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log2(maxBytes) / 10));
  const rough = maxBytes / wanted / unit;
  return unit * (STEPS.find((step) => step >= rough) ?? Math.ceil(rough));
}
