/**
 * Splits a whole number into whole parts in proportion to weights, by the largest-remainder rule: every part is its
 * exact share rounded down or up, and the parts add up to the whole. Equal remainders go to the earlier part, so the
 * same input gives the same parts. Weights are not negative; when all are zero, so are the parts.
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  if (weightSum <= 0) return weights.map(() => 0);
  // Divided first: a product of bytes and objects would leave the range in which doubles are exact.
  const shares = weights.map((weight) => total * (weight / weightSum));
  const parts = shares.map(Math.floor);
  let missing = total - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  // A double's own rounding can leave a unit too many or too few beyond the remainders of one round.
  for (let turn = 0; missing !== 0; turn += 1) {
    const step = Math.sign(missing);
    const { index } = byRemainder[
      step > 0 ? turn % byRemainder.length : byRemainder.length - 1 - (turn % byRemainder.length)
    ] as { readonly index: number };
    const part = parts[index] as number;
    if (part + step < 0 || weights[index] === 0) continue;
    parts[index] = part + step;
    missing -= step;
  }
  return parts;
}
