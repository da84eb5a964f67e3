import type { Bytes } from '../units.ts';

/** Round amounts for an axis from 0: binary, since that is how amounts are written (256 MiB, 1.5 GiB). */
export function byteTicks(maxBytes: Bytes, wanted: number): readonly Bytes[] {
  if (!(maxBytes > 0)) return [0];
  const rough = maxBytes / wanted;
  const unit = 2 ** Math.floor(Math.log2(rough));
  const step = [unit, unit * 1.5, unit * 2].find((one) => one >= rough) ?? unit * 2;
  return Array.from({ length: Math.floor(maxBytes / step) + 1 }, (_, index) => index * step);
}
