import { HeapDumpParser, type UnnamedAddress } from './heap-dump.ts';
import { LineBlocks } from './line-blocks.ts';

/** The addresses of a raw heap dump for which it has no name: what a symboliser is asked for. */
export function unnamedAddresses(dump: Uint8Array): readonly UnnamedAddress[] {
  const parser = new HeapDumpParser({ sizeBytes: dump.length });
  const blocks = new LineBlocks((block) => parser.block(block), dump.length);
  blocks.feed(dump);
  blocks.end();
  return parser.unnamedAddresses();
}
