import type { DigestPlan, FleetRow, Reason, UnreadRow } from '../../src/digest/digest.ts';
import {
  formatBytes,
  formatCountOf,
  formatDuration,
  formatShare,
  formatSignedBytes,
} from '../../src/format.ts';
import type { EpochMicros, Share } from '../../src/units.ts';

/** Names that a sentence lists before it says how many more there are. */
const NAMES_IN_A_SENTENCE = 3;

/** The finding of a digest in plain sentences: what notification and search show. */
export function digestFinding(plan: DigestPlan, targets: string, minChange: Share): string {
  if (plan.kind === 'alive') return aliveSentence(plan, minChange);
  if (plan.fleet.length + plan.unread.length === 0) {
    return `This digest means no server: the config has no target or group named ${targets}.`;
  }
  const sentences = [
    plan.reasons.some(({ kind }) => kind === 'first') ? firstSentence(plan) : '',
    loudSentence(plan),
    changedSentence(plan, minChange),
    namesSentence(plan, 'calm', 'is below the threshold again', 'are below the threshold again'),
    namesSentence(plan, 'unread', 'does not answer', 'do not answer'),
    namesSentence(plan, 'answers', 'answers again', 'answer again'),
    namesSentence(plan, 'new', 'is new in this digest', 'are new in this digest'),
    namesSentence(
      plan,
      'gone',
      'is no longer in the config under this name',
      'are no longer in the config under these names',
    ),
  ].filter((sentence) => sentence !== '');
  if (sentences.length === 0) sentences.push(unchangedSentence(plan, minChange));
  return [...sentences, totalSentence(plan)].filter((sentence) => sentence !== '').join(' ');
}

/** "chi-7 wastes 340.00 MiB (+120.00 MiB, 31% of active)". */
function rowWords(row: FleetRow): string {
  const details = [
    row.changeBytes === undefined ? '' : formatSignedBytes(row.changeBytes),
    row.wasteShare === undefined ? '' : `${formatShare(row.wasteShare)} of active`,
  ].filter((detail) => detail !== '');
  const inBrackets = details.length === 0 ? '' : ` (${details.join(', ')})`;
  return `${row.target} wastes ${formatBytes(row.wasteBytes)}${inBrackets}`;
}

/** What a reader of a row must know, in a few words. */
export function rowNotes(row: FleetRow, reasons: readonly Reason[]): readonly string[] {
  const has = (kind: Reason['kind']) =>
    reasons.some((reason) => reason.kind === kind && reason.target === row.target);
  const arenas = row.vanishedArenas;
  return [
    row.isLoud ? 'beyond the threshold' : '',
    has('calm') ? 'below the threshold again' : '',
    row.restartedAtMicros === undefined ? '' : `restarted ${dayOf(row.restartedAtMicros)}`,
    has('new') ? 'new' : '',
    has('answers') ? 'answers again' : '',
    arenas.length === 0 ? '' : `arena ${arenas.join(', ')} is gone`,
  ].filter((note) => note !== '');
}

/** "chi-4 since 2026-11-02 (chi-4 did not answer within 60 s)". */
export function unreadWords({ target, why, sinceMicros }: UnreadRow): string {
  return `${target} since ${dayOf(sinceMicros)} (${why})`;
}

/** Why a run that was missed comes now; empty when it is on time. */
export function lateWords({ lateMs }: DigestPlan, dueAtMicros: EpochMicros): string {
  if (lateMs === undefined) return '';
  const due = new Date(dueAtMicros / 1000).toISOString();
  return `Late: due ${due.slice(0, 10)} ${due.slice(11, 16)} UTC, run ${formatDuration(lateMs)} after that, once for all missed turns`;
}

export function dayOf(atMicros: EpochMicros): string {
  return new Date(atMicros / 1000).toISOString().slice(0, 10);
}

function aliveSentence(plan: DigestPlan, minChange: Share): string {
  const since =
    plan.lastPostedAtMicros === undefined ? '' : ` since ${dayOf(plan.lastPostedAtMicros)}`;
  const runs = formatCountOf(plan.silentRuns + 1, 'run');
  const unread = plan.unread.map(({ target }) => target);
  return [
    `This digest is alive: nothing changed beyond ${formatShare(minChange)} in ${runs}${since}.`,
    totalSentence(plan),
    unread.length === 0
      ? ''
      : `${names(unread)} ${unread.length === 1 ? 'does' : 'do'} not answer.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function firstSentence({ fleet }: DigestPlan): string {
  const [top] = fleet;
  return top === undefined
    ? 'First digest; no server could be read.'
    : `First digest: ${rowWords(top)}${fleet.length === 1 ? '' : ', the most of all'}.`;
}

function loudSentence({ fleet, reasons }: DigestPlan): string {
  const newly = new Set(reasons.filter(({ kind }) => kind === 'loud').map(({ target }) => target));
  const loud = fleet.filter(({ isLoud }) => isLoud);
  if (loud.length === 0) return '';
  const first = loud.find(({ target }) => newly.has(target)) ?? loud[0];
  if (first === undefined) return '';
  const rest = loud.filter((row) => row !== first).map(({ target }) => target);
  return `Beyond the threshold: ${rowWords(first)}${rest.length === 0 ? '' : `; also ${names(rest)}`}.`;
}

function changedSentence({ fleet }: DigestPlan, minChange: Share): string {
  // Those beyond the threshold are named already.
  const changed = fleet.filter(({ isChanged, isLoud }) => isChanged && !isLoud);
  const shown = changed.slice(0, NAMES_IN_A_SENTENCE).map(rowWords).join(', ');
  const more = changed.length - NAMES_IN_A_SENTENCE;
  if (shown === '') return '';
  return `Changed by more than ${formatShare(minChange)}: ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

function namesSentence(
  { reasons }: DigestPlan,
  kind: Reason['kind'],
  one: string,
  many: string,
): string {
  const targets = reasons.flatMap((reason) =>
    reason.kind === kind && reason.target !== undefined ? [reason.target] : [],
  );
  if (targets.length === 0) return '';
  return `${names(targets)} ${targets.length === 1 ? one : many}.`;
}

function unchangedSentence({ fleet }: DigestPlan, minChange: Share): string {
  return fleet.length === 0
    ? 'No server answered.'
    : `Nothing changed beyond ${formatShare(minChange)}.`;
}

function totalSentence({ fleet, totalWasteBytes, compared }: DigestPlan): string {
  if (fleet.length === 0) return '';
  const change =
    compared === undefined || compared.thenBytes === 0
      ? ''
      : ` (${signedShare(compared.nowBytes / compared.thenBytes - 1)})`;
  const servers = formatCountOf(fleet.length, 'server');
  const waste = fleet.length === 1 ? 'wastes' : 'waste';
  return `${servers} ${waste} ${formatBytes(totalWasteBytes)} in slabs${change}.`;
}

function signedShare(share: Share): string {
  if (Math.abs(share) < 0.005) return 'as before';
  return share > 0 ? `+${formatShare(share)}` : formatShare(share);
}

function names(targets: readonly string[]): string {
  const shown = targets.slice(0, NAMES_IN_A_SENTENCE);
  const more = targets.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
