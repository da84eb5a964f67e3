import { Failure } from '../../src/failure.ts';
import type {
  ClickHouse,
  Clock,
  Sampling,
  SamplingLease,
  SamplingPolicy,
} from '../../src/ports.ts';
import { isInForce } from '../../src/sampling-lease.ts';
import type { EpochMicros } from '../../src/units.ts';
import { assignProfile, createProfile, sampleProfile } from '../../templates/sql/sample-profile.ts';

export interface SettlePorts {
  readonly clickhouse: ClickHouse;
  readonly clock: Clock;
  readonly sampling: Sampling;
}

/** Who is sampled on a target, as the server said last. */
export interface Settled {
  readonly on: readonly string[];
  readonly checkedAtMicros: EpochMicros;
}

/** Another worker may change it between our look and our statement; it comes to rest as soon as one stops. */
const MAX_TURNS = 8;

/**
 * Brings who is sampled on a target in line with the leases, and reads back until it is: all whose lease was seen to be
 * on, and `add`, if there is a lease for it. The last one to write has always looked at the leases after it wrote, so
 * that several workers come to the same end.
 */
export async function settle(
  target: string,
  ports: SettlePorts,
  options: { readonly signal: AbortSignal; readonly add?: string },
): Promise<Settled> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const leases = await leasesOn(target, ports);
    const profile = profileOf(target, leases, ports);
    const assigned = await readAssigned({ target, profile }, ports, options.signal);
    // Looked at after the server, so that what ended in between is seen.
    const goal = await goalOf(target, ports, options.add);
    if (isAssignedTo(assigned, goal)) {
      return { on: goal, checkedAtMicros: ports.clock.nowMicros() };
    }
    const statement = assigned === undefined ? createProfile : assignProfile;
    await ports.clickhouse.statement(target, statement(profile, goal), {
      signal: options.signal,
    });
  }
  throw new Failure('server-error', {
    what: `Who is sampled on ${target} does not come to rest`,
    why: 'somebody else changes the settings profile at the same time',
    fix: 'Let memprof alone change it; another installation needs another sampling.profile',
  });
}

/** Who is sampled on a target now, by the server's own word. */
export async function readSampled(
  target: string,
  { clickhouse, clock, sampling }: SettlePorts,
  signal: AbortSignal,
): Promise<Settled> {
  const { profile } = requirePolicy(target, sampling);
  const assigned = await readAssigned({ target, profile }, { clickhouse }, signal);
  const on = assigned?.isForAll === true ? ['everybody'] : (assigned?.grantees ?? []);
  return { on, checkedAtMicros: clock.nowMicros() };
}

/** Whose queries are to be sampled now, in order. */
async function goalOf(
  target: string,
  ports: SettlePorts,
  add: string | undefined,
): Promise<readonly string[]> {
  // What the config does not allow any more ends.
  if (ports.sampling.policy(target) === undefined) return [];
  const nowMicros = ports.clock.nowMicros();
  const wanted = (await leasesOn(target, ports)).filter(
    (lease) => isInForce(lease, nowMicros) && (lease.isConfirmed || lease.grantee === add),
  );
  return [...new Set(wanted.map(({ grantee }) => grantee))].sort();
}

async function leasesOn(
  target: string,
  { sampling }: SettlePorts,
): Promise<readonly SamplingLease[]> {
  return (await sampling.leases.list()).filter((lease) => lease.target === target);
}

/** That of the config; what was started before it was taken out of the config is ended by what its lease says. */
function profileOf(
  target: string,
  leases: readonly SamplingLease[],
  { sampling }: SettlePorts,
): string {
  const known = sampling.policy(target)?.profile ?? leases[0]?.profile;
  return known ?? requirePolicy(target, sampling).profile;
}

interface Assigned {
  readonly isForAll: boolean;
  readonly grantees: readonly string[];
}

/** Undefined where there is no such profile. */
async function readAssigned(
  { target, profile }: { readonly target: string; readonly profile: string },
  { clickhouse }: Pick<SettlePorts, 'clickhouse'>,
  signal: AbortSignal,
): Promise<Assigned | undefined> {
  const [row] = await clickhouse.rows(target, sampleProfile, { profile }, { signal });
  return row;
}

function isAssignedTo(assigned: Assigned | undefined, goal: readonly string[]): boolean {
  if (assigned === undefined) return goal.length === 0;
  const { isForAll, grantees } = assigned;
  return (
    !isForAll && grantees.length === goal.length && goal.every((one) => grantees.includes(one))
  );
}

/** Throws `feature-off` where the config does not allow sampling. */
export function requirePolicy(target: string, sampling: Sampling): SamplingPolicy {
  const policy = sampling.policy(target);
  if (policy !== undefined) return policy;
  throw new Failure('feature-off', {
    what: `The config does not let people's queries be sampled on ${target}`,
    why: `the config does not set targets.${target}.sampling`,
    fix: 'Ask whoever runs memprof to name the ClickHouse users that may be sampled, and an admin for the grants',
    paste: `sampling: { grantees: [<user>], maxMinutes: 30 }\n\nGRANT CREATE SETTINGS PROFILE, ALTER SETTINGS PROFILE, SHOW SETTINGS PROFILES ON *.* TO memprof;\nGRANT SELECT ON system.settings_profiles TO memprof;`,
  });
}
