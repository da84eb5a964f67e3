/**
 * `npm run conformance -- FOLDER`: reads, draws and lists every file of a folder of real profiles and of things that
 * only look like them, and holds their figures against those that lie beside them. A line a file, then "N passed, N
 * failed".
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import type { FileIo } from '../../src/cli/file-io.ts';
import { render } from '../../src/cli/render.ts';
import { top } from '../../src/cli/top.ts';
import { Failure } from '../../src/failure.ts';
import { formatBytes, formatCountOf } from '../../src/format.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { collapsedText } from '../../src/writers/collapsed.ts';
import { expectedOf } from './expectation.ts';
import { checkFigures } from './figures.ts';

const folder = process.argv[2];
if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.error('Usage: npm run conformance -- FOLDER');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'memprof-conformance-'));
let [passed, failed] = [0, 0];
try {
  for (const path of filesIn(folder)) {
    const { words, complaints } = await check(path);
    if (complaints.length === 0) passed += 1;
    else failed += 1;
    const verdict = complaints.length === 0 ? 'ok  ' : 'FAIL';
    console.log(`${verdict} ${relative(folder, path)}: ${[words, ...complaints].join('; ')}`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function filesIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

interface Verdict {
  /** What memprof says of the file. */
  readonly words: string;
  readonly complaints: readonly string[];
}

async function check(path: string): Promise<Verdict> {
  const expected = expectedOf(path);
  try {
    const profile = readProfile(readFileSync(path));
    const words = `${profile.kind}, ${formatBytes(profile.totalBytes)}, ${formatCountOf(profile.stackCount, 'stack')}`;
    if (profile.kind !== expected) return { words, complaints: [`expected was: ${expected}`] };
    const complaints = [
      ...checkFigures(path, profile),
      ...checkRoundTrip(profile),
      ...(await checkVerbs(path, profile)),
    ];
    return { words, complaints };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) return { words: String(thrown), complaints: ['a fault'] };
    const isRight = expected === 'refusal' && thrown.kind === 'not-a-profile';
    return { words: thrown.why ?? '', complaints: isRight ? [] : [`expected was: ${expected}`] };
  }
}

/** Written as collapsed stacks and read again, nothing but fractions of estimates is lost. */
function checkRoundTrip(profile: Profile): readonly string[] {
  const text = collapsedText(profile);
  if (text.length === 0) return profile.totalBytes === 0 ? [] : ['nothing was written of it'];
  const { totalBytes } = readProfile(text);
  const tolerance = profile.unsampled ? profile.stackCount : Math.abs(profile.totalBytes) * 1e-12;
  const isKept = Math.abs(totalBytes - profile.totalBytes) <= tolerance;
  return isKept ? [] : [`written and read again it holds ${totalBytes} of ${profile.totalBytes}`];
}

/** What the shell prints is what was read, and there is a picture. */
async function checkVerbs(path: string, profile: Profile): Promise<readonly string[]> {
  const printed: string[] = [];
  const io: FileIo = {
    standardInput: Readable.from([]),
    print: (text) => void printed.push(text),
    tell: () => undefined,
  };
  await top(path, { json: true }, io);
  const { totalBytes } = JSON.parse(printed.join(''));
  const out = join(scratch, 'picture.png');
  await render(path, { out }, io);
  return [
    ...(totalBytes === profile.totalBytes ? [] : [`memprof top says ${totalBytes}`]),
    ...(statSync(out).size > 1000 ? [] : ['memprof render drew nothing']),
  ];
}
