import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressHex } from '../../units.ts';
import { addressesOf, parseHeapDump } from './heap-dump.ts';
import type { FunctionNames } from './names/function-names.ts';

/** The four texts that system.jemalloc_profile_text can show of one dump. */
export interface ProfileTexts {
  readonly raw: string;
  readonly symbolized: string;
  readonly collapsed: string;
  readonly 'collapsed-count': string;
}

/** Writes a dump the ways ClickHouse does (src/Common/Jemalloc.cpp): root first, un-sampled, last blank splits. */
export function profileTexts(dumpText: string, names: FunctionNames): ProfileTexts {
  const { stacks, samplingIntervalBytes } = parseHeapDump(dumpText);
  const bytes = new Map<string, number>();
  const objects = new Map<string, number>();
  for (const stack of stacks) {
    if (stack.objects === 0) continue;
    const meanBytes = stack.bytes / stack.objects;
    const factor = 1 / -Math.expm1(-meanBytes / samplingIntervalBytes);
    const line = addressesOf(stack.key)
      .map((address) => frameText(names.of(address)))
      .reverse()
      .join(';');
    bytes.set(line, (bytes.get(line) ?? 0) + stack.bytes * factor);
    objects.set(line, (objects.get(line) ?? 0) + stack.objects * factor);
  }
  return {
    raw: dumpText,
    symbolized: symbolized(
      dumpText,
      stacks.map(({ key }) => addressesOf(key)),
      names,
    ),
    collapsed: collapsedText(bytes),
    'collapsed-count': collapsedText(objects),
  };
}

/** Puts the texts where the view reads them, each at once. */
export async function publish(texts: ProfileTexts, publishedDir: string): Promise<void> {
  await Promise.all(
    Object.entries(texts).map(async ([format, text]) => {
      const file = join(publishedDir, `${format}.txt`);
      await writeFile(`${file}.next`, text);
      await rename(`${file}.next`, file);
    }),
  );
}

function symbolized(
  dumpText: string,
  stacks: readonly (readonly AddressHex[])[],
  names: FunctionNames,
): string {
  const listed = new Map<string, string>();
  for (const stack of stacks) {
    for (const [depth, address] of stack.entries()) {
      // The leaf is listed as it is, a caller one before its return address: what jeprof looks for.
      const value = depth === 0 ? BigInt(address) : BigInt(address) - 1n;
      listed.set(`0x${value.toString(16).padStart(16, '0')}`, frameText(names.of(address)));
    }
  }
  const lines = [...listed].sort(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join(' '));
  return `--- symbol\nbinary=libchdb.so\n${lines.join('\n')}\n---\n--- heap\n${dumpText}`;
}

function collapsedText(values: ReadonlyMap<string, number>): string {
  return [...values].map(([line, value]) => `${line} ${Math.round(value)}\n`).join('');
}

/** A frame must not hold what separates frames. */
function frameText(name: string): string {
  return name.replace(/[;\n]/g, ':');
}
