import type { Bytes, Count, EpochMicros } from '../../units.ts';
import type { HeapDump } from './heap-dump.ts';

/** A sampled object that stands for what a dump counts; its address is made up, and recognisable as such. */
export interface LiveObject {
  readonly ptr: bigint;
  readonly sizeBytes: Bytes;
  readonly bornAtMicros: EpochMicros;
}

export interface AllocationEvent {
  readonly kind: 'allocation' | 'free';
  readonly stackKey: string;
  readonly object: LiveObject;
  readonly atMicros: EpochMicros;
}

interface StackState {
  objects: Count;
  bytes: Bytes;
  readonly live: LiveObject[];
}

const FIRST_PTR = 0xe000_0000_0000_0000n;

/**
 * Follows dumps one after the other and turns each change of a stack into allocations and frees, so that at every
 * dump the objects of a stack are as many as the dump says, and their un-sampled bytes add up to the un-sampled
 * bytes of the stack (within one sampling interval).
 */
export class LiveObjects {
  #stacks = new Map<string, StackState>();
  #next = FIRST_PTR;

  /** The events since the last dump. */
  follow(dump: HeapDump, atMicros: EpochMicros): readonly AllocationEvent[] {
    const events: AllocationEvent[] = [];
    const seen = new Set<string>();
    for (const { key, objects, bytes } of dump.stacks) {
      seen.add(key);
      const state = this.#stateOf(key);
      if (state.objects === objects && state.bytes === bytes) continue;
      state.objects = objects;
      state.bytes = bytes;
      this.#match(key, state, dump.samplingIntervalBytes, { events, atMicros });
    }
    for (const [key, state] of this.#stacks) {
      if (seen.has(key)) continue;
      for (const object of state.live) {
        events.push({ kind: 'free', stackKey: key, object, atMicros });
      }
      this.#stacks.delete(key);
    }
    return events;
  }

  /** Everything that lives now, by stack. */
  *all(): Iterable<readonly [stackKey: string, objects: readonly LiveObject[]]> {
    for (const [key, { live }] of this.#stacks) yield [key, live];
  }

  #stateOf(key: string): StackState {
    const known = this.#stacks.get(key);
    if (known !== undefined) return known;
    const fresh: StackState = { objects: 0, bytes: 0, live: [] };
    this.#stacks.set(key, fresh);
    return fresh;
  }

  /** Frees the newest and allocates anew until number and un-sampled bytes agree. */
  #match(
    stackKey: string,
    state: StackState,
    intervalBytes: Bytes,
    into: { readonly events: AllocationEvent[]; readonly atMicros: EpochMicros },
  ): void {
    const { live, objects, bytes } = state;
    const target = objects === 0 ? 0 : objects * estimate(bytes / objects, intervalBytes);
    let have = live.reduce((sum, { sizeBytes }) => sum + estimate(sizeBytes, intervalBytes), 0);
    const free = () => {
      const object = live.pop();
      if (object === undefined) return;
      have -= estimate(object.sizeBytes, intervalBytes);
      into.events.push({ kind: 'free', stackKey, object, atMicros: into.atMicros });
    };
    while (live.length > objects) free();
    if (live.length === objects && Math.abs(target - have) > intervalBytes) free();
    // One sample never stands for less than an interval: make room until each new one can.
    while (live.length > 0 && (target - have) / (objects - live.length) < intervalBytes) {
      if (live.length === objects) break;
      free();
    }
    const missing = objects - live.length;
    if (missing === 0) return;
    const sizeBytes = sizeOfEstimate((target - have) / missing, intervalBytes);
    for (let n = 0; n < missing; n += 1) {
      this.#next += 16n;
      const object = { ptr: this.#next, sizeBytes, bornAtMicros: into.atMicros };
      live.push(object);
      into.events.push({ kind: 'allocation', stackKey, object, atMicros: into.atMicros });
    }
  }
}

/** Bytes that one sample of this size stands for: size / (1 - e^(-size/R)), jeprof's formula (AdjustSamples). */
function estimate(sizeBytes: Bytes, intervalBytes: Bytes): Bytes {
  return sizeBytes / -Math.expm1(-sizeBytes / intervalBytes);
}

/** The size whose sample stands for so many bytes; the estimate rises with the size, so halving finds it. */
function sizeOfEstimate(estimateBytes: Bytes, intervalBytes: Bytes): Bytes {
  let low = 1;
  let high = Math.max(2, estimateBytes);
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (estimate(middle, intervalBytes) < estimateBytes) low = middle;
    else high = middle;
  }
  return Math.max(1, Math.round(low));
}
