/**
 * `node dist/test/bench/readers.js [stacks …]`: the shell's file verbs as whole processes, in turn with what people
 * use today. FLAMEGRAPH_PL names flamegraph.pl (its PNG by rsvg-convert), JEPROF names jeprof; without them, and beside
 * them, reading is set against a plain reader of our own: lines, split, a map in a map.
 */
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPipeline } from './pipeline.ts';
import { dumpLines, profileLines } from './profile-text.ts';

const USUAL_SIZES = [1_000, 20_000, 200_000];
/** Larger inputs take the peers a minute. */
const PAIRS = (stacks: number): number => (stacks > 50_000 ? 2 : 5);
const CLI = fileURLToPath(import.meta.resolve('#dist/bin/cli.js'));
const READ = fileURLToPath(import.meta.resolve('#dist/test/bench/read-file.js'));
const PLAIN = fileURLToPath(import.meta.resolve('#dist/test/bench/plain-reader.js'));
const { FLAMEGRAPH_PL, JEPROF } = process.env;

type Commands = readonly (readonly [string, ...string[]])[];

const sizes = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'memprof-bench-'));
try {
  for (const stacks of sizes.length > 0 ? sizes : USUAL_SIZES) await benchSize(stacks);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function benchSize(stacks: number): Promise<void> {
  const collapsed = await writeLines(`${stacks}.collapsed`, profileLines(stacks));
  const dump = await writeLines(`${stacks}.symbolized`, dumpLines(stacks));
  console.log(
    `\n${stacks} stacks: collapsed ${await mib(collapsed)}, with symbols ${await mib(dump)}`,
  );
  const png = join(folder, 'out.png');
  const text = join(folder, 'out.collapsed');
  await compare('collapsed → tree, against a plain reader', stacks, {
    ours: [[process.execPath, READ, collapsed]],
    theirs: [[process.execPath, '--max-old-space-size=16000', PLAIN, collapsed]],
  });
  if (FLAMEGRAPH_PL !== undefined) {
    await compare('collapsed → PNG, against flamegraph.pl | rsvg-convert', stacks, {
      ours: [[process.execPath, CLI, 'render', collapsed, '-o', png]],
      theirs: [
        ['perl', FLAMEGRAPH_PL, '--width', '1200', '--countname', 'bytes', collapsed],
        ['rsvg-convert', '--unlimited', '-o', png],
      ],
    });
  }
  if (JEPROF !== undefined) {
    await compare('with symbols → collapsed, against jeprof --collapsed', stacks, {
      ours: [[process.execPath, CLI, 'render', dump, '-o', text]],
      theirs: [[JEPROF, '--collapsed', dump]],
    });
  }
}

/** Whole processes in turn; the median of the pairs' ratios. */
async function compare(
  what: string,
  stacks: number,
  { ours, theirs }: { readonly ours: Commands; readonly theirs: Commands },
): Promise<void> {
  await runPipeline(ours);
  const pairs = [];
  for (let pair = 0; pair < PAIRS(stacks); pair += 1) {
    pairs.push({ own: await runPipeline(ours), peer: await runPipeline(theirs) });
  }
  const ratio = median(pairs.map(({ own, peer }) => own.wallMs / peer.wallMs));
  const own = median(pairs.map((pair) => pair.own.wallMs));
  const peer = median(pairs.map((pair) => pair.peer.wallMs));
  const ownPeak = Math.max(...pairs.map((pair) => pair.own.peakMiB));
  const peerPeak = Math.max(...pairs.map((pair) => pair.peer.peakMiB));
  console.log(
    `  ${what}: wall ratio ${ratio.toFixed(3)} (${own.toFixed(0)} / ${peer.toFixed(0)} ms), peak ${ownPeak.toFixed(0)} / ${peerPeak.toFixed(0)} MiB`,
  );
}

async function writeLines(name: string, lines: Iterable<string>): Promise<string> {
  const path = join(folder, name);
  await using file = await open(path, 'w');
  let block = '';
  for (const line of lines) {
    block += line;
    if (block.length < 1 << 20) continue;
    await file.write(block);
    block = '';
  }
  await file.write(block);
  return path;
}

async function mib(path: string): Promise<string> {
  return `${((await stat(path)).size / 2 ** 20).toFixed(1)} MiB`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
