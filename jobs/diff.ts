import * as z from 'zod';
import { requireKnownOptions } from '../src/command.ts';
import { Failure } from '../src/failure.ts';
import { formatUtc } from '../src/format.ts';
import type { KeptProfile, Store } from '../src/ports.ts';
import { type Diff, diffTrees } from '../src/profile/diff.ts';
import { inOwnMeasure } from '../src/profile/measured.ts';
import type { Profile } from '../src/profile/profile.ts';
import { trim } from '../src/profile/trim.ts';
import { type ProfileKey, readingKinds } from '../src/reading.ts';
import { type DiffAnswer, diffFinding, diffHead, diffTail } from '../templates/message/diff.ts';
import { investigationOf } from './errand.ts';
import type { CommandWords, Desk, Job, JobContext, Reply, ReplyPicture } from './job.ts';

const Args = z.object({
  /** Absent: what was kept of the same before `after`. */
  before: z.string().optional(),
  after: z.string(),
  kind: z.enum(readingKinds).optional(),
});
type Args = z.infer<typeof Args>;

export const diff: Job = {
  name: 'diff',
  summary: 'Show what grew, shrank, came and went between two investigations',
  usage:
    'diff <before> <after> [kind:heap|peak|frag] · diff <investigation>, against the one before it',
  example: 'diff k7f2m9qd m3x8w2pz',
  isRestricted: false,
  runsInShell: false,
  read(command) {
    requireKnownOptions(diff, command, ['on', 'kind']);
    return { args: readArgs(command) };
  },
  locate: (raw, desk) => locate(Args.parse(raw), desk),
  async run(raw, context) {
    const args = Args.parse(raw);
    const store = requireStore(context);
    context.progress('fetching the kept profiles');
    const pair = await readPair(args, store);
    context.progress('comparing');
    return toReply(pair, context);
  },
};

function readArgs({ words, options }: CommandWords): Args {
  const ids = words.map((word) => word.toLowerCase()).filter((word) => word !== 'baseline');
  const odd = ids.find((id) => !/^[0-9a-z]{6,16}$/.test(id));
  if (ids.length === 0 || ids.length > 2 || odd !== undefined) {
    throw new Failure('usage', {
      what:
        odd === undefined
          ? 'diff compares two investigations'
          : `${odd} is not the id of an investigation`,
      why: 'the id is in the last line of each message of memprof, like k7f2m9qd',
      fix: `Usage: ${diff.usage}`,
    });
  }
  const kind = readingKinds.find((one) => one === options.kind);
  if (options.kind !== undefined && kind === undefined) {
    throw new Failure('usage', {
      what: `There are no profiles of the kind ${options.kind}`,
      fix: `Usage: ${diff.usage}`,
    });
  }
  const [first = '', second] = ids;
  return {
    ...(second === undefined ? { after: first } : { before: first, after: second }),
    ...(kind === undefined ? {} : { kind }),
  };
}

/** The server that it is about, and that the asker may see both sides. */
async function locate({ before, after }: Args, desk: Desk): Promise<string> {
  const targets = await Promise.all(
    [before, after].flatMap((id) => (id === undefined ? [] : [targetOf(id, desk)])),
  );
  for (const target of targets) desk.requireRight('diff', target, desk.place.channel);
  return targets.at(-1) ?? '';
}

async function targetOf(id: string, desk: Desk): Promise<string> {
  const [reading] = await desk.store.readingsOf(id);
  if (reading === undefined)
    throw nothingKept(id, 'nothing was ever kept of it, or it is forgotten');
  // Investigations are listed for two weeks; what was kept of them is older.
  if ((await desk.investigations.get(id)) !== undefined) await investigationOf(desk, id);
  return reading.target;
}

interface Pair {
  readonly before: KeptProfile;
  readonly after: KeptProfile;
}

async function readPair({ before, after, kind }: Args, store: Store): Promise<Pair> {
  const laterKeys = await keysOf(after, kind, store);
  if (before === undefined) {
    const key = laterKeys[0] as ProfileKey;
    const baseline = await store.profileBefore(key);
    if (baseline === undefined) throw noBaseline(key);
    return { before: baseline, after: await profileOf(key, store) };
  }
  const earlierKeys = await keysOf(before, kind, store);
  const later = laterKeys.find((key) => earlierKeys.some((one) => one.kind === key.kind));
  const earlier = earlierKeys.find((key) => key.kind === later?.kind);
  if (later === undefined || earlier === undefined) throw differentKinds(earlierKeys, laterKeys);
  return { before: await profileOf(earlier, store), after: await profileOf(later, store) };
}

/** At least one. */
async function keysOf(
  id: string,
  kind: Args['kind'],
  store: Store,
): Promise<readonly ProfileKey[]> {
  const keys = (await store.profilesOf(id)).filter((key) => (kind ?? key.kind) === key.kind);
  if (keys.length > 0) return keys;
  const [reading] = await store.readingsOf(id);
  if (reading?.kind === 'stats') throw onlyFigures(id);
  const finding = reading?.finding;
  const { profileDays } = await store.size();
  throw nothingKept(
    id,
    finding === undefined
      ? 'nothing was ever kept of it, or it is forgotten'
      : `profiles are kept for ${profileDays} days, and all that is left of it is what it found: ${finding}`,
  );
}

async function profileOf(key: ProfileKey, store: Store): Promise<KeptProfile> {
  const profile = await store.profile(key);
  if (profile === undefined) throw nothingKept(key.investigationId, 'it has just been let go');
  return { key, profile };
}

function toReply({ before, after }: Pair, { investigationId, askedBy }: JobContext): Reply {
  const [was, is] = [inOwnMeasure(before.profile), inOwnMeasure(after.profile)];
  if (was.measure !== is.measure) throw differentUnits();
  const compared: Diff = diffTrees(
    trim(was.profile.tree).tree,
    trim(is.profile.tree).tree,
    is.measure,
  );
  const answer: DiffAnswer = {
    before: before.key,
    after: after.key,
    diff: compared,
    unit: is.measure,
    ...{ investigationId, askedBy },
  };
  return {
    finding: diffFinding(answer),
    head: diffHead(answer),
    tail: diffTail(answer),
    pictures: compared.rows.length === 0 ? [] : [picture([was.profile, is.profile], answer)],
    threadPictures: [],
    files: [],
    json: toJson(answer),
  };
}

function picture(
  [beforeProfile, afterProfile]: readonly [Profile, Profile],
  answer: DiffAnswer,
): ReplyPicture {
  const { before, after } = answer;
  const finding = diffFinding(answer);
  const [was, is] = [before, after].map(({ atMicros }) => formatUtc(atMicros)) as [string, string];
  const targets = [...new Set([before.target, after.target])].join(' → ');
  return {
    name: 'diff-flame',
    title: `What changed on ${targets}`,
    alt: finding,
    request: {
      kind: 'diff',
      before: beforeProfile,
      after: afterProfile,
      measure: answer.unit,
      names: { before: was, after: is },
      text: {
        title: `What grew and what shrank · ${targets}`,
        subtitle: `${was} → ${is}`,
        footer: [`Investigation ${after.investigationId} against ${before.investigationId}`],
      },
    },
  };
}

function toJson({ before, after, diff: compared, unit }: DiffAnswer): Reply['json'] {
  return {
    before: { ...before, at: new Date(before.atMicros / 1000).toISOString() },
    after: { ...after, at: new Date(after.atMicros / 1000).toISOString() },
    unit,
    beforeTotal: compared.beforeTotal,
    afterTotal: compared.afterTotal,
    matchedShare: compared.matchedShare,
    rows: compared.rows,
  };
}

function requireStore({ ports }: JobContext): Store {
  if (ports.store !== undefined) return ports.store;
  throw new Failure('environment', {
    what: 'There is no store to compare from',
    why: 'diff compares what was kept of earlier investigations',
    fix: 'Compare two profiles as files instead: memprof diff BEFORE AFTER',
  });
}

function onlyFigures(id: string): Failure {
  return new Failure('usage', {
    what: `Investigation ${id} cannot be compared`,
    why: 'it is a ledger (stats): figures, and no profile of stacks',
    fix: 'Compare two of heap, frag or peak',
  });
}

function nothingKept(id: string, why: string): Failure {
  return new Failure('not-found', {
    what: `There is no kept profile of investigation ${id}`,
    why,
    fix: 'Run it again and compare with that',
  });
}

function noBaseline({ investigationId, target, kind }: ProfileKey): Failure {
  return new Failure('not-found', {
    what: `There is nothing to compare investigation ${investigationId} with`,
    why: `no earlier ${kind} of ${target} is kept`,
    fix: 'Name two investigations: diff <before> <after>',
  });
}

function differentKinds(before: readonly ProfileKey[], after: readonly ProfileKey[]): Failure {
  const kinds = (keys: readonly ProfileKey[]) => keys.map(({ kind }) => kind).join(' and ');
  return new Failure('usage', {
    what: 'These two cannot be compared',
    why: `the first kept ${kinds(before)}, the second ${kinds(after)}`,
    fix: 'Compare two investigations of the same verb',
  });
}

function differentUnits(): Failure {
  return new Failure('usage', {
    what: 'These two cannot be compared',
    why: 'one counts bytes, the other objects only',
    fix: 'Compare two investigations that were read by:bytes, or two by:count',
  });
}
