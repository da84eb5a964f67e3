/**
 * `node dist/test/bench/picture.js`: how long a flame graph takes, from the profile to the PNG, and what of it is the
 * tree, the SVG and the pixels; whole processes beside `flamegraph.pl | rsvg-convert` (FLAMEGRAPH_PL names the script;
 * without it only our own); and a worker that draws picture after picture.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { FlameRequest } from '../../src/picture-request.ts';
import { svgToPng } from '../../src/png.ts';
import { ProfileReader } from '../../src/readers/profile-reader.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { flameCardOf } from '../../templates/svg/flame.ts';
import { flameCard } from '../../templates/svg/flame-card.ts';
import { runPipeline } from './pipeline.ts';
import { profileLines } from './profile-text.ts';

const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 7;
const PAIRS = 5;
const WARM_PICTURES = 300;
const OWN = fileURLToPath(import.meta.resolve('#dist/test/bench/draw-file.js'));
const peer = process.env.FLAMEGRAPH_PL;

const folder = await mkdtemp(join(tmpdir(), 'memprof-bench-'));
try {
  // First, while this process is small.
  await benchStudio();
  for (const size of SIZES) await benchSize(size);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function benchSize(stackCount: number): Promise<void> {
  const text = Buffer.from([...profileLines(stackCount)].join(''));
  const file = join(folder, `${stackCount}.collapsed`);
  await writeFile(file, text);
  console.log(`\n${stackCount} stacks, ${mib(text.length)} MiB`);
  benchParts(text);
  const output = join(folder, 'out.png');
  const own = [[process.execPath, OWN, file, output]] as const;
  const theirs = [
    ['perl', peer ?? '', '--width', '1200', file],
    ['rsvg-convert', '--unlimited', '-o', output],
  ] as const;
  const pairs = [];
  for (let pair = 0; pair < (stackCount > 50_000 ? 2 : PAIRS); pair += 1) {
    const ours = await runPipeline(own);
    const other = peer === undefined ? undefined : await runPipeline(theirs);
    pairs.push({ ours, other, ratio: ours.wallMs / (other?.wallMs ?? Number.NaN) });
  }
  const [wall, peak] = [
    pairs.map(({ ours }) => ours.wallMs),
    pairs.map(({ ours }) => ours.peakMiB),
  ];
  console.log(
    `  whole process: ${median(wall).toFixed(0)} ms, ${Math.max(...peak).toFixed(0)} MiB`,
  );
  if (peer === undefined) return;
  const others = pairs.flatMap(({ other }) => other ?? []);
  console.log(
    `  flamegraph.pl | rsvg-convert: ${median(others.map(({ wallMs }) => wallMs)).toFixed(0)} ms, ${Math.max(...others.map(({ peakMiB }) => peakMiB)).toFixed(0)} MiB; wall ratio ${median(pairs.map(({ ratio }) => ratio)).toFixed(3)}`,
  );
}

/** In this process, warm: the medians of each part. */
function benchParts(text: Buffer): void {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const times = [performance.now()];
    const lap = <Made>(made: Made): Made => {
      times.push(performance.now());
      return made;
    };
    const request = lap(requestOf(text));
    const card = lap(flameCardOf(request, 'chat'));
    const svg = lap(flameCard(card));
    const { png } = lap(svgToPng(svg));
    const parts = times.slice(1).map((time, index) => time - (times[index] as number));
    return { parts, svgBytes: svg.length, pngBytes: png.length };
  });
  const part = (index: number) => median(rounds.map(({ parts }) => parts[index] as number));
  const [read, tree, svg, png] = [0, 1, 2, 3].map(part) as [number, number, number, number];
  const picture = tree + svg + png;
  const share = (ms: number) => `${ms.toFixed(1)} ms (${Math.round((100 * ms) / picture)}%)`;
  const [first] = rounds;
  console.log(
    `  read ${read.toFixed(1)} ms; picture ${picture.toFixed(1)} ms: tree and layout ${share(tree)}, SVG ${share(svg)}, PNG ${share(png)}`,
  );
  console.log(`  SVG ${kib(first?.svgBytes)} KiB, PNG ${kib(first?.pngBytes)} KiB`);
}

function requestOf(text: Buffer): FlameRequest {
  const reader = new ProfileReader();
  reader.feed(text);
  const words = { title: 'Bench', subtitle: '', footer: [] };
  return { kind: 'flame', profile: reader.finish(), measure: 'bytes', text: words };
}

/** One thread that draws the same picture again and again, as a worker does. */
async function benchStudio(): Promise<void> {
  const request = requestOf(Buffer.from([...profileLines(4_000)].join('')));
  await using studio = createStudio({ threads: 1 });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const { signal } = new AbortController();
  const times: number[] = [];
  let early = 0;
  for (let picture = 0; picture < WARM_PICTURES; picture += 1) {
    const startedAt = performance.now();
    await studio.draw(request, signal);
    times.push(performance.now() - startedAt);
    if (picture === 20) delay.enable();
    if (picture === 50) early = process.memoryUsage.rss();
  }
  console.log(
    `\n${WARM_PICTURES} pictures of 4000 stacks in a drawing thread: ${median(times).toFixed(1)} ms each; memory ${mib(early)} MiB after 50, ${mib(process.memoryUsage.rss())} MiB at the end; event loop held ${(delay.max / 1e6).toFixed(0)} ms at most`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

function kib(bytes = 0): string {
  return (bytes / 1024).toFixed(0);
}
