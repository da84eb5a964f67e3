import { formatBytes, formatShare } from '../../format.ts';
import type { Bytes, Share } from '../../units.ts';
import { storeFull } from '../store-failure.ts';

/** What lives beside the store in this Redis (the queue, say) needs room to grow; the store stays below this. */
const HIGHEST_SHARE: Share = 0.8;

/** Throws `store-full` when so many bytes more would bring Redis near its limit. `info` is its answer to INFO memory. */
export function requireRoom(info: string, needBytes: Bytes, place: string): void {
  const limitBytes = figure(info, 'maxmemory') || figure(info, 'total_system_memory');
  const usedBytes = figure(info, 'used_memory');
  if (limitBytes === 0 || usedBytes + needBytes <= limitBytes * HIGHEST_SHARE) return;
  throw storeFull(
    place,
    `its Redis uses ${formatBytes(usedBytes)} of ${formatBytes(limitBytes)}, and memprof keeps nothing that would bring it above ${formatShare(HIGHEST_SHARE)}`,
    'Give Redis more memory, lower store.budgetMiB, or give the store a Redis of its own in store.url',
  );
}

/** 0 when Redis does not tell. */
function figure(info: string, name: string): Bytes {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}
