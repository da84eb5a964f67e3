import { readFileSync } from 'node:fs';

/** A table as `jeprof --text --show_bytes` prints it. */
export interface JeprofText {
  readonly total: number;
  readonly rows: readonly { readonly name: string; readonly flat: number; readonly cum: number }[];
}

const ROW = /^\s*(-?\d+)\s+\S+%\s+\S+%\s+(-?\d+)\s+\S+%\s+(.*)$/;

/** The amounts of such a table; whole numbers, rounded by jeprof. */
export function parseJeprofText(text: string): JeprofText {
  const total = Number(/^Total: (-?\d+)/m.exec(text)?.[1]);
  const rows = text.split('\n').flatMap((line) => {
    const [, flat, cum, name = ''] = ROW.exec(line) ?? [];
    return flat === undefined ? [] : [{ name, flat: Number(flat), cum: Number(cum) }];
  });
  return { total, rows };
}

/** A file of test/fixtures/jeprof. */
export function jeprofFixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/jeprof/${name}`, import.meta.url));
}
