import { Failure, toFailure } from '../../src/failure.ts';
import { probeGrants } from '../../templates/sql/probe.ts';
import { sampleProfile } from '../../templates/sql/sample-profile.ts';
import type { JobContext } from '../job.ts';

interface Wanted {
  /** "CREATE SETTINGS PROFILE ON *.*". */
  readonly privilege: string;
  /** What grants it, by the words that SHOW GRANTS prints. */
  readonly grantedBy: RegExp;
}

/** CREATE, ALTER and SHOW alone are about tables: these belong to ACCESS MANAGEMENT. */
const WANTED: readonly Wanted[] = [
  everywhere('CREATE SETTINGS PROFILE'),
  everywhere('ALTER SETTINGS PROFILE'),
  everywhere('SHOW SETTINGS PROFILES', 'SHOW ACCESS'),
  {
    privilege: 'SELECT ON system.settings_profiles',
    grantedBy:
      /\b(?:SELECT|ALL)\b[^(]* ON (?:\*\.\*|\*|system\.\*|system\.settings_profiles)(?: |$)/i,
  },
];

function everywhere(privilege: string, group = privilege): Wanted {
  const names = [privilege, group, 'ACCESS MANAGEMENT', 'ALL'].join('|');
  return {
    privilege: `${privilege} ON *.*`,
    grantedBy: new RegExp(`^GRANT (?:.*, )?(?:${names})(?:,.*)? ON (?:\\*\\.\\*|\\*)(?: |$)`, 'i'),
  };
}

/**
 * The privileges that sampling needs and a user lacks, by what SHOW GRANTS told. Undefined where that cannot be known:
 * it was not told, or comes with a role.
 */
export function missingForSampling(
  grants: readonly string[] | undefined,
): readonly string[] | undefined {
  if (grants === undefined) return undefined;
  const missing = WANTED.filter(({ grantedBy }) => !grants.some((grant) => grantedBy.test(grant)));
  const hasRoles = grants.some((grant) => /^GRANT /i.test(grant) && !/ ON /i.test(grant));
  if (missing.length > 0 && hasRoles) return undefined;
  return missing.map(({ privilege }) => privilege);
}

/** Throws `grant-missing`, with the statements for an admin, before anything is written down or switched. */
export async function requireGrants(
  target: string,
  profile: string,
  { ports, signal }: JobContext,
): Promise<void> {
  const { clickhouse } = ports;
  const grants = await clickhouse
    .rows(target, probeGrants, {}, { signal })
    .then((rows) => rows.map(({ grant }) => grant))
    .catch(unlessUnknown);
  const missing = missingForSampling(grants) ?? [];
  const user = grants?.map((grant) => / TO (\S+)/.exec(grant)?.[1]).find(Boolean) ?? 'memprof';
  if (missing.length > 0) throw grantsMissing(target, user, missing);
  try {
    await clickhouse.rows(target, sampleProfile, { profile }, { signal });
  } catch (thrown) {
    if (toFailure(thrown).kind !== 'grant-missing') throw thrown;
    const all = WANTED.map(({ privilege }) => privilege);
    throw grantsMissing(target, user, all, thrown);
  }
}

/** A server that does not tell of grants is asked for the thing itself. */
function unlessUnknown(thrown: unknown): undefined {
  const { kind } = toFailure(thrown);
  if (kind === 'server-error' || kind === 'grant-missing' || kind === 'feature-missing') return;
  throw thrown;
}

function grantsMissing(
  target: string,
  user: string,
  missing: readonly string[],
  cause?: unknown,
): Failure {
  return new Failure('grant-missing', {
    what: `memprof may not switch sampling on ${target}, so nothing was changed there`,
    why: `its user ${user} needs ${missing.join(', ')}`,
    fix: `Ask an admin of ${target} to grant that, then ask again`,
    paste: missing.map((privilege) => `GRANT ${privilege} TO ${user};`).join('\n'),
    cause,
  });
}
