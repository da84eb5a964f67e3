import type { KnownBlock } from '@slack/types';
import { formatDuration, formatUtc, formatUtcTime } from '../../src/format.ts';
import type { SamplingLease } from '../../src/ports.ts';
import type { EpochMicros } from '../../src/units.ts';
import {
  actions,
  context,
  escapeMrkdwn,
  inlineCode,
  localTime,
  type Message,
  section,
} from './blocks.ts';
import { askButton } from './buttons.ts';

/** What was read back from the server. */
interface Checked {
  readonly on: readonly string[];
  readonly checkedAtMicros: EpochMicros;
}

interface About {
  readonly investigationId: string;
  /** mrkdwn. */
  readonly askedBy: string;
}

/** mrkdwn. */
export function startedFinding(lease: SamplingLease, { checkedAtMicros }: Checked): string {
  const { grantee, target, endsAtMicros } = lease;
  return `Queries of ${grantee} on ${target} are sampled until ${formatUtc(endsAtMicros)} (checked ${formatUtcTime(checkedAtMicros)}).`;
}

export function startedBlocks(
  lease: SamplingLease,
  checked: Checked,
  others: readonly SamplingLease[],
  { investigationId, askedBy }: About,
): readonly KnownBlock[] {
  const { endsAtMicros } = lease;
  return [
    section(`*${escapeMrkdwn(startedFinding(lease, checked))}*`),
    section(
      [
        `It ends by itself at ${localTime(endsAtMicros, formatUtc(endsAtMicros))}, also when memprof is restarted in between, and that is said here.`,
        'Sessions that begin from now on are sampled; one that is open already keeps the settings it logged in with, until it logs in again.',
        'Let the queries run, then ask peak with the id of one.',
        ...(others.length === 0 ? [] : [`Also leased: ${leaseLines(others).join('; ')}.`]),
      ].join('\n'),
    ),
    actions(
      askButton('Stop now', `sample stop ${lease.id}`),
      askButton('What is sampled?', 'sample status'),
    ),
    context(`Investigation ${inlineCode(investigationId)}`, `asked by ${askedBy}`),
  ];
}

/** The end of one lease, as it was read back. */
export function endedMessage(lease: SamplingLease, { on, checkedAtMicros }: Checked): Message {
  const { grantee, target, startedAtMicros, endsAtMicros } = lease;
  const untilMicros = Math.min(endsAtMicros, checkedAtMicros);
  const lasted = formatDuration(Math.max(0, (untilMicros - startedAtMicros) / 1000));
  const text = on.includes(grantee)
    ? `This lease has ended after ${lasted}; ${grantee} on ${target} is still sampled, for somebody else's lease.`
    : `Sampling of ${grantee} is off on ${target} (checked ${formatUtcTime(checkedAtMicros)}); it was on for ${lasted}.`;
  return {
    text,
    blocks: [
      section(`*${escapeMrkdwn(text)}*`),
      context('Sessions that are still open keep sampling until they log in again'),
    ],
  };
}

/** The time is over, and the server cannot be told. */
export function notEndedMessage(lease: SamplingLease): Message {
  const { grantee, target, profile, endsAtMicros } = lease;
  const text = `Sampling of ${grantee} on ${target} was to end at ${formatUtc(endsAtMicros)}, but the server could not be told. memprof goes on trying, and says here when it is off.`;
  return {
    text,
    blocks: [
      section(`*${escapeMrkdwn(text)}*`),
      context(
        `An admin can end it at once: ${inlineCode(`ALTER SETTINGS PROFILE ${profile} TO NONE`)}`,
      ),
    ],
  };
}

export interface TargetSampling {
  readonly target: string;
  /** Undefined when the server could not be asked. */
  readonly checked: Checked | undefined;
  readonly why: string | undefined;
}

export function statusFinding(
  leases: readonly SamplingLease[],
  targets: readonly TargetSampling[],
): string {
  const on = targets.flatMap(({ checked }) => checked?.on ?? []).length;
  if (leases.length === 0 && on === 0) {
    return targets.some(({ checked }) => checked === undefined)
      ? 'Nothing is leased; not every server could be asked.'
      : 'Nothing is sampled.';
  }
  return `${on === 1 ? 'One user or role is' : `${on} users or roles are`} sampled, for ${leases.length === 1 ? 'one lease' : `${leases.length} leases`}.`;
}

export function statusBlocks(
  finding: string,
  leases: readonly SamplingLease[],
  targets: readonly TargetSampling[],
): readonly KnownBlock[] {
  const lines = [
    ...leaseLines(leases).map((line) => `• ${line}`),
    ...targets.map(targetLine).filter((line) => line !== ''),
  ];
  return [
    section(`*${escapeMrkdwn(finding)}*`),
    ...(lines.length === 0 ? [] : [section(lines.join('\n'))]),
  ];
}

export function statusTail(
  hasAny: boolean,
  { investigationId, askedBy }: About,
): readonly KnownBlock[] {
  return [
    ...(hasAny ? [actions(askButton('Stop all', 'sample stop all'))] : []),
    context(`Investigation ${inlineCode(investigationId)}`, `asked by ${askedBy}`),
  ];
}

export function stoppedFinding(
  ended: readonly SamplingLease[],
  targets: readonly TargetSampling[],
): string {
  const failed = targets.filter(({ checked }) => checked === undefined);
  if (failed.length > 0) {
    return `Sampling could not be ended on ${failed.map(({ target }) => target).join(', ')} yet; memprof goes on trying.`;
  }
  const left = targets.flatMap(({ target, checked }) =>
    (checked?.on ?? []).map((grantee) => `${grantee} on ${target}`),
  );
  const what = ended.length === 1 ? 'One lease has' : `${ended.length} leases have`;
  return left.length === 0
    ? `${what} ended; nothing is sampled any more.`
    : `${what} ended; still sampled, for leases of others: ${left.join(', ')}.`;
}

export function stoppedBlocks(
  finding: string,
  targets: readonly TargetSampling[],
  { investigationId, askedBy }: About,
): readonly KnownBlock[] {
  return [
    section(`*${escapeMrkdwn(finding)}*`),
    ...(targets.length === 0 ? [] : [section(targets.map(targetLine).join('\n'))]),
    context(
      'Sessions that are still open keep sampling until they log in again',
      `Investigation ${inlineCode(investigationId)}`,
      `asked by ${askedBy}`,
    ),
  ];
}

/** mrkdwn, a line each. */
export function leaseLines(leases: readonly SamplingLease[]): readonly string[] {
  return leases.map(
    ({ id, grantee, target, startedBy, endsAtMicros }) =>
      `${inlineCode(grantee)} on ${escapeMrkdwn(target)} for ${startedBy} until ${localTime(endsAtMicros, formatUtc(endsAtMicros))} (${inlineCode(id)})`,
  );
}

function targetLine({ target, checked, why }: TargetSampling): string {
  if (checked === undefined) {
    return `${escapeMrkdwn(target)} could not be asked: ${escapeMrkdwn(why ?? '')}`;
  }
  const who = checked.on.length === 0 ? 'nobody' : checked.on.map(inlineCode).join(', ');
  return `${escapeMrkdwn(target)} samples ${who} (checked ${formatUtcTime(checked.checkedAtMicros)})`;
}
