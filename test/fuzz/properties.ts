import { Failure } from '../../src/failure.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import { topSites } from '../../src/profile/top.ts';
import { ProfileReader } from '../../src/readers/profile-reader.ts';
import type { ReadOptions } from '../../src/readers/read-options.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { collapsedText } from '../../src/writers/collapsed.ts';
import { pictureSvg } from '../../templates/svg/picture.ts';
import type { Random } from '../support/random.ts';
import { expectedSum } from './naive.ts';

const PICTURE_EVERY = 40;
/** Sums in another order differ by less. */
const SLACK = 1e-9;
/** Half of the refusals' readers see only this. */
const LONGEST_SENTENCE = 1200;

/** Reads an input as a whole and in pieces; throws an Error that says what does not hold. */
export function checkInput(input: Buffer, random: Random): 'read' | 'refused' {
  const options = optionsOf(random);
  const whole = attempt(() => readProfile(input, options));
  const pieces = attempt(() => readPieces(input, options, random));
  if (whole instanceof Failure || pieces instanceof Failure) {
    requireSentence(whole);
    requireSentence(pieces);
    if (String(whole) !== String(pieces)) {
      throw new Error(`in one piece “${whole}”, in several “${pieces}”`);
    }
    return 'refused';
  }
  requireSame(whole, pieces);
  requireWhole(whole);
  requireNothingLost(input, whole, options);
  topSites(whole)
    .slice(0, 20)
    .map(({ name }) => shortenName(name));
  if (random.below(PICTURE_EVERY) === 0) requirePicture(whole);
  return 'read';
}

function optionsOf(random: Random): ReadOptions {
  return {
    values: random.pick(['live', 'accumulated']),
    numbers: random.pick(['unsampled', 'sampled']),
  };
}

/** A Failure is an answer; anything else is a fault. */
function attempt(read: () => Profile): Profile | Failure {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.kind !== 'bug') return thrown;
    throw thrown;
  }
}

function readPieces(input: Buffer, options: ReadOptions, random: Random): Profile {
  const reader = new ProfileReader(options);
  // The same buffer again and again, as a stream may do it.
  const chunk = Buffer.alloc(1 + random.below(1 + random.pick([3, 100, 20_000])));
  for (let at = 0; at < input.length; at += chunk.length) {
    const length = input.copy(chunk, 0, at);
    reader.feed(chunk.subarray(0, length));
  }
  return reader.finish();
}

function requireSentence(answer: Profile | Failure): void {
  if (!(answer instanceof Failure)) return;
  const { message } = answer;
  if (message.length > LONGEST_SENTENCE) throw new Error(`refused in ${message.length} characters`);
  if (isForbiddenInXml(message)) throw new Error('control characters in a refusal');
}

function requireSame(whole: Profile, pieces: Profile): void {
  for (const key of ['kind', 'totalBytes', 'totalCount', 'stackCount', 'skippedLines'] as const) {
    if (!Object.is(whole[key], pieces[key])) {
      throw new Error(`${key} is ${whole[key]} in one piece, ${pieces[key]} in several`);
    }
  }
}

/** The tree holds what the profile says it holds, and each node has a parent before it. */
function requireWhole({ tree, totalBytes, skippedLines, firstSkipped }: Profile): void {
  const sum = tree.selfBytes.reduce((all, bytes) => all + bytes, 0);
  if (!Object.is(sum, totalBytes) && !isNear(sum, totalBytes, magnitudeOf(tree)))
    throw new Error(`the tree holds ${sum} of ${totalBytes}`);
  if (!Number.isFinite(totalBytes)) throw new Error(`a total of ${totalBytes}`);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    if (!((tree.parent[node] as number) < node)) throw new Error(`node ${node} before its parent`);
    if (!((tree.frame[node] as number) < tree.frames.size))
      throw new Error(`node ${node} has no frame`);
  }
  if (firstSkipped.length !== Math.min(3, skippedLines))
    throw new Error('lines left out, not shown');
}

function requireNothingLost(input: Buffer, profile: Profile, options: ReadOptions): void {
  const expected = expectedSum(input, profile, options);
  if (expected !== undefined && !isNear(expected.sum, profile.totalBytes, expected.magnitude)) {
    throw new Error(`line by line it holds ${expected.sum}, the profile ${profile.totalBytes}`);
  }
  const text = collapsedText({ ...profile, unsampled: false });
  if (text.length === 0) return;
  // A name at the very beginning can look like the beginning of something else.
  const back = attempt(() => readProfile(Buffer.concat([Buffer.from('# written\n'), text])));
  if (back instanceof Failure) throw new Error(`written, it is refused: ${back.message}`);
  if (!isNear(back.totalBytes, profile.totalBytes, magnitudeOf(profile.tree))) {
    throw new Error(`written and read again: ${back.totalBytes} of ${profile.totalBytes}`);
  }
}

function requirePicture(profile: Profile): void {
  if (profile.tree.selfBytes.some((bytes) => bytes < 0)) return;
  const svg = pictureSvg({
    ...{ kind: 'flame', profile, measure: 'bytes' },
    text: { title: 'Fuzz', subtitle: '', footer: profile.notes },
  });
  if (isForbiddenInXml(svg)) throw new Error('a picture that no XML parser takes');
}

function magnitudeOf({ selfBytes }: Profile['tree']): number {
  return selfBytes.reduce((all, bytes) => all + Math.abs(bytes), 0);
}

function isNear(a: number, b: number, magnitude: number): boolean {
  return Math.abs(a - b) <= SLACK * magnitude;
}

/** Control characters but for layout, and what is no character. */
function isForbiddenInXml(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isLayout = unit === 0x09 || unit === 0x0a || unit === 0x0d;
    if ((unit < 0x20 && !isLayout) || unit >= 0xfffe) return true;
  }
  return false;
}
