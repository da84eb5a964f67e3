/** Stacks root first, with the objects and bytes that a dump gives for them: not yet un-sampled. */
export interface DumpStack {
  readonly stack: readonly string[];
  readonly objects: number;
  readonly bytes: number;
}

/** A heap dump in ClickHouse's `.symbolized` layout: names by address, then jemalloc's own text, leaf first. */
export function symbolizedText(stacks: readonly DumpStack[], intervalBytes = 65_536): string {
  const names = [...new Set(stacks.flatMap(({ stack }) => stack))];
  const addressOf = (name: string) => 0x1000 + names.indexOf(name) * 16;
  const symbols = names.flatMap((name) => [
    // The leaf is listed as it is, callers one before their return address.
    `${hex(addressOf(name), 16)} ${name}`,
    `${hex(addressOf(name) - 1, 16)} ${name}`,
  ]);
  const objects = stacks.reduce((sum, one) => sum + one.objects, 0);
  const bytes = stacks.reduce((sum, one) => sum + one.bytes, 0);
  return [
    '--- symbol',
    'binary=/usr/bin/clickhouse',
    ...symbols.sort(),
    '---',
    '--- heap',
    `heap_v2/${intervalBytes}`,
    `  t*: ${objects}: ${bytes} [0: 0]`,
    ...stacks.flatMap((one) => [
      `@ ${one.stack
        .toReversed()
        .map((name) => hex(addressOf(name), 0))
        .join(' ')}`,
      `  t*: ${one.objects}: ${one.bytes} [0: 0]`,
    ]),
    '',
    'MAPPED_LIBRARIES:',
    '',
  ].join('\n');
}

function hex(address: number, digits: number): string {
  return `0x${address.toString(16).padStart(digits, '0')}`;
}
