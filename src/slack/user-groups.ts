import * as z from 'zod';
import type { Config } from '../config.ts';
import type { Log } from '../ports.ts';
import type { EpochMicros } from '../units.ts';
import type { SlackWeb } from './web.ts';

/** usergroups.users.list is tier 2: about 20 calls a minute. */
const KEEP_MICROS = 5 * 60_000_000;

const Users = z.object({ users: z.array(z.string()) });

/** The user groups of a person, of those that the rights name. A group that cannot be read has no members. */
export function createUserGroups(
  web: SlackWeb,
  config: Config,
  log: Log,
  nowMicros: () => EpochMicros,
): (user: string) => Promise<readonly string[]> {
  const groups = [...new Set(config.rights.flatMap(({ who }) => who))].filter((id) =>
    id.startsWith('S'),
  );
  const known = new Map<string, { readonly users: Promise<Set<string>>; readonly at: number }>();

  function membersOf(group: string): Promise<Set<string>> {
    const kept = known.get(group);
    if (kept !== undefined && nowMicros() - kept.at < KEEP_MICROS) return kept.users;
    const users = web
      .call('usergroups.users.list', { usergroup: group })
      .then((answer) => new Set(Users.parse(answer).users))
      .catch((thrown: unknown) => {
        log.error({ err: thrown, group }, 'user group cannot be read; nobody counts as its member');
        known.delete(group);
        return new Set<string>();
      });
    known.set(group, { users, at: nowMicros() });
    return users;
  }

  return async (user) => {
    const memberships = await Promise.all(
      groups.map(async (group) => ((await membersOf(group)).has(user) ? [group] : [])),
    );
    return memberships.flat();
  };
}
