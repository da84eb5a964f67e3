import type { Core } from '../core.ts';
import { nowTs } from '../state/ids.ts';

/** Up to where each person has read each channel. */
export interface ReadMarks {
  lastRead(user: string, channel: string): string;
  read(user: string, channel: string, ts: string): void;
}

export function createReadMarks(core: Core): ReadMarks {
  const startedTs = nowTs();
  const marks = new Map<string, string>();
  return {
    lastRead: (user, channel) => marks.get(`${user} ${channel}`) ?? startedTs,
    read(user, channel, ts) {
      marks.set(`${user} ${channel}`, ts);
      core.changes.publish({ kind: 'read', user, channel });
    },
  };
}
