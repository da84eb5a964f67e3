import { readFileSync } from 'node:fs';
import { fixturePath } from './fixture-path.ts';

/** A table as `jeprof --text` prints it. */
export interface JeprofText {
  readonly total: number;
  readonly rows: readonly { readonly name: string; readonly flat: number; readonly cum: number }[];
  /** How far an amount may be from the printed one, which is cut off or rounded. */
  readonly tolerance: number;
}

const TOTAL = /^Total: (-?[\d.]+) (\S+)/m;
const ROW = /^\s*(-?[\d.]+)\s+\S+%\s+\S+%\s+(-?[\d.]+)\s+\S+%\s+(.*)$/;
const MEBIBYTE = 2 ** 20;
/** Sums in another order differ by less. */
const SLACK = 1e-6;

/** The amounts of such a table, in bytes or objects. Without --show_bytes they come in MB with one decimal. */
export function parseJeprofText(text: string): JeprofText {
  const [, total = '', unit] = TOTAL.exec(text) ?? [];
  const scale = unit === 'MB' ? MEBIBYTE : 1;
  const rows = text.split('\n').flatMap((line) => {
    const [, flat, cum, name = ''] = ROW.exec(line) ?? [];
    return flat === undefined
      ? []
      : [{ name, flat: Number(flat) * scale, cum: Number(cum) * scale }];
  });
  return {
    rows,
    total: Number(total) * scale,
    tolerance: unit === 'MB' ? 0.05 * MEBIBYTE + 1 : 1 + SLACK,
  };
}

/** A file of test/fixtures/jeprof. */
export function jeprofFixture(name: string): Buffer {
  return readFileSync(fixturePath(`jeprof/${name}`));
}
