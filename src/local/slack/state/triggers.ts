import type { EpochMillis, Milliseconds } from '../../../units.ts';
import { newSecret } from './ids.ts';

/** A trigger allows one modal, for three seconds. */
export const TRIGGER_LIFE_MS: Milliseconds = 3000;

export interface Triggers {
  issue(user: string): string;
  /** The user whose click it was, or Slack's error. */
  use(id: string): { readonly user: string } | { readonly error: string };
}

export function createTriggers(): Triggers {
  const issued = new Map<
    string,
    { readonly user: string; readonly at: EpochMillis; uses: number }
  >();
  return {
    issue(user) {
      const id = `${Date.now()}.${issued.size + 1}.${newSecret()}`;
      issued.set(id, { user, at: Date.now(), uses: 0 });
      return id;
    },
    use(id) {
      const trigger = issued.get(id);
      if (trigger === undefined) return { error: 'invalid_trigger_id' };
      trigger.uses += 1;
      if (trigger.uses > 1) return { error: 'exchanged_trigger_id' };
      if (Date.now() - trigger.at > TRIGGER_LIFE_MS) return { error: 'expired_trigger_id' };
      return { user: trigger.user };
    },
  };
}
