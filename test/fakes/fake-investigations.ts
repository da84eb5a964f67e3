import type { Investigation } from '../../src/investigation.ts';
import type { Investigations } from '../../src/ports.ts';

/** The index of investigations in memory. `nowMicros` stands in for the store's own clock. */
export function createFakeInvestigations(nowMicros = () => Date.now() * 1000): Investigations {
  const byId = new Map<string, Investigation>();
  const touchedAt = new Map<string, number>();
  return {
    async open(investigation) {
      if (byId.has(investigation.id)) return false;
      byId.set(investigation.id, structuredClone({ ...investigation, state: 'opening' }));
      touchedAt.set(investigation.id, investigation.openedAtMicros);
      return true;
    },
    async note(id, note) {
      const found = byId.get(id);
      if (found === undefined) return;
      const goesBack =
        note.state === 'opening' || (note.state === 'queued' && found.state !== 'opening');
      const changes = Object.entries(note).filter(
        ([name, value]) => value !== undefined && !(name === 'state' && goesBack),
      );
      byId.set(id, { ...found, ...Object.fromEntries(changes) });
      if (note.state === 'opening') touchedAt.set(id, nowMicros());
      else if (note.state !== undefined) touchedAt.delete(id);
    },
    get: async (id) => byId.get(id),
    recent: async (user, limit) =>
      [...byId.values()]
        .filter((investigation) => investigation.user === user)
        .sort((a, b) => b.openedAtMicros - a.openedAtMicros)
        .slice(0, limit),
    async takeStaleOpening(beforeMicros) {
      const stale = [...touchedAt].find(([, at]) => at < beforeMicros);
      if (stale === undefined) return undefined;
      touchedAt.set(stale[0], nowMicros());
      return byId.get(stale[0]);
    },
  };
}
