import { neededGrants } from './grants.ts';

export interface EngineUser {
  readonly user: string;
  readonly password: string;
}

/** The people of the embedded engine. It cannot make users by SQL, so they stand in its users.xml. */
export interface EngineUsers {
  readonly admin: EngineUser;
  /** memprof itself, with the grants that the README asks for. */
  readonly memprof: EngineUser;
  /** May nothing at all. */
  readonly nobody: EngineUser;
  /** Reads everything, and may change no setting: readonly = 1. */
  readonly readonly: EngineUser;
  /** memprof's grants, but twenty queries an hour. */
  readonly quota: EngineUser;
  /** Runs people's SELECTs for the verb `run`: reads data, read-only, with limits. */
  readonly profiled: EngineUser;
}

export const engineUsers: EngineUsers = {
  admin: { user: 'admin', password: 'admin' },
  memprof: { user: 'memprof', password: 'memprof' },
  nobody: { user: 'nobody', password: 'nobody' },
  readonly: { user: 'reader', password: 'reader' },
  quota: { user: 'frugal', password: 'frugal' },
  profiled: { user: 'profiled', password: 'profiled' },
};

/**
 * users.xml. `default` is for the engine's own session, which has no password to give; over HTTP it may not come in.
 * Defaults of clickhouse-local that a server does not have are set back.
 */
export function usersXml(): string {
  const grants = neededGrants.map(({ grant }) => `GRANT ${grant}`);
  const { admin, memprof, nobody, readonly, quota, profiled } = engineUsers;
  return `<clickhouse>
  <profiles>
    <default>
      <implicit_select>0</implicit_select>
      <allow_introspection_functions>0</allow_introspection_functions>
    </default>
    <readonly><readonly>1</readonly></readonly>
    <profiled>
      <readonly>2</readonly>
      <max_memory_usage>4000000000</max_memory_usage>
      <max_execution_time>60</max_execution_time>
      <constraints><max_memory_usage><max>8000000000</max></max_memory_usage></constraints>
    </profiled>
  </profiles>
  <quotas>
    <default/>
    <frugal><interval><duration>3600</duration><queries>20</queries></interval></frugal>
  </quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>::1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
${userXml(admin, { access: true })}
${userXml(memprof, { grants })}
${userXml(nobody, { grants: [] })}
${userXml(readonly, { profile: 'readonly', grants: ['GRANT SELECT ON *.*'] })}
${userXml(quota, { quota: 'frugal', grants })}
${userXml(profiled, { profile: 'profiled', grants: ['GRANT SELECT ON default.*', 'GRANT SELECT ON system.one', 'GRANT SELECT ON system.numbers'] })}
  </users>
</clickhouse>
`;
}

interface UserOptions {
  readonly profile?: string;
  readonly quota?: string;
  /** Absent: everything. */
  readonly grants?: readonly string[];
  readonly access?: true;
}

function userXml({ user, password }: EngineUser, options: UserOptions): string {
  const grants =
    options.grants === undefined
      ? ''
      : `<grants>${options.grants.map((grant) => `<query>${grant}</query>`).join('')}</grants>`;
  return `    <${user}>
      <password>${password}</password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>${options.profile ?? 'default'}</profile>
      <quota>${options.quota ?? 'default'}</quota>
      ${options.access ? '<access_management>1</access_management>' : ''}${grants}
    </${user}>`;
}
