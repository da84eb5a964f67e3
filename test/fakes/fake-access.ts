import { Failure } from '../../src/failure.ts';
import type { ClickHouse } from '../../src/ports.ts';
import type { Query } from '../../src/query.ts';
import { probeGrants } from '../../templates/sql/probe.ts';
import { sampleProfile } from '../../templates/sql/sample-profile.ts';

export interface FakeAccess extends ClickHouse {
  /** To whom the settings profile is assigned; undefined where there is none. */
  grantees(): readonly string[] | undefined;
  /** What somebody did by hand, or what was left behind. */
  assign(grantees: readonly string[]): void;
  /** What SHOW GRANTS says; everything unless told. */
  setGrants(grants: readonly string[]): void;
  /** From now on no statement is allowed, whatever the grants say. */
  refuse(): void;
  /** Statements as they came. */
  readonly statements: readonly string[];
}

/**
 * The access statements of a server, which the embedded engine does not have: one settings profile, its name and to whom
 * it is assigned. The grammar that it takes is that of ClickHouse's CREATE and ALTER SETTINGS PROFILE.
 */
export function createFakeAccess(profile = 'memprof_sampling'): FakeAccess {
  let grants: readonly string[] = ['GRANT ALL ON *.* TO memprof'];
  let isRefusing = false;
  let assigned: readonly string[] | undefined;
  const statements: string[] = [];
  return {
    statements,
    grantees: () => assigned,
    assign: (grantees) => {
      assigned = grantees;
    },
    setGrants: (now) => {
      grants = now;
    },
    refuse: () => {
      isRefusing = true;
    },
    async rows<Params, Row>(_target: string, query: Query<Params, Row>, params: Params) {
      if (query.name === probeGrants.name) {
        return grants.map((grant) => query.row.parse({ 'GRANTS FOR memprof': grant }));
      }
      if (query.name !== sampleProfile.name) throw new Error(`no answer to ${query.name}`);
      const { profile: asked } = sampleProfile.params.parse(params);
      if (asked !== profile || assigned === undefined) return [];
      return [query.row.parse({ apply_to_all: 0, apply_to_list: [...assigned] })];
    },
    async statement(_target, sql) {
      if (isRefusing) throw new Failure('grant-missing', { what: 'Not enough privileges' });
      statements.push(sql);
      const match =
        /^(CREATE SETTINGS PROFILE IF NOT EXISTS|ALTER SETTINGS PROFILE) `(\w+)` SETTINGS jemalloc_enable_profiler = 1, jemalloc_collect_profile_samples_in_trace_log = 1 TO (NONE|`[\w.@-]+`(?:, `[\w.@-]+`)*)$/.exec(
          sql,
        );
      if (match?.[2] !== profile) throw new Error(`no such statement: ${sql}`);
      const isCreate = match[1]?.startsWith('CREATE');
      if (isCreate && assigned !== undefined) return '';
      if (!isCreate && assigned === undefined) throw new Error('no such settings profile');
      assigned = [...(match[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
      return '';
    },
    bytes: () => {
      throw new Error('no bytes here');
    },
  };
}
