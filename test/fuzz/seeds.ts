import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readProfile } from '../../src/readers/read-profile.ts';
import { pprofFile } from '../../src/writers/pprof.ts';
import { fixturePath } from '../support/fixture-path.ts';
import { jeprofFixture } from '../support/jeprof-text.ts';

/** Of a large dump, so much is enough to have every kind of record. */
const MOST_BYTES = 24_000;

/** What mutations begin with: something of every kind, and things that only look like profiles. */
export function fuzzSeeds(): readonly Buffer[] {
  const symbolized = jeprofFixture('after.symbolized');
  const raw = symbolized.subarray(symbolized.indexOf('heap_v2'));
  const collapsed = jeprofFixture('after.collapsed');
  const pprof = Buffer.from(pprofFile(readProfile(symbolized)));
  const engine = readFileSync(fixturePath('heap/engine-26.7.2.1.heap'));
  return [
    ...[symbolized, raw, collapsed, jeprofFixture('base.collapsed'), pprof, gunzipSync(pprof)],
    ...[engine.subarray(0, MOST_BYTES), gzipSync(collapsed), gzipSync(symbolized)],
    Buffer.from(`\ufeff${collapsed.toString()}`, 'utf16le'),
    Buffer.from(collapsed.toString().replaceAll('\n', '\r\n')),
    Buffer.from(
      'main;DB::Foo<int>::bar(char const*) 1.5\nmain;"quoted" `b` <c> & d -2\n# note\n\nmain 9007199254740993\n',
    ),
    Buffer.from('{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0},"children":[]}'),
    Buffer.from('<!DOCTYPE html><html><body>502 Bad Gateway</body></html>'),
    Buffer.from('heap profile: 1: 2 [3: 4] @ heap_v2/524288\n1: 2 [3: 4] @ 0x1 0x2\n'),
  ];
}
