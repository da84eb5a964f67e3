import { objectsPerSample, unsampleLine } from '../../allocator/unsample.ts';
import type { Bytes, EpochMicros } from '../../units.ts';
import type { HeapDump, ThreadHolding, ThreadUid } from './heap-dump.ts';

/** A sampled object that stands for what a dump counts; its address is made up, and recognisable as such. */
export interface LiveObject {
  readonly ptr: bigint;
  readonly sizeBytes: Bytes;
  readonly bornAtMicros: EpochMicros;
}

export interface AllocationEvent {
  readonly kind: 'allocation' | 'free';
  /** The stack that allocated the object: a dump does not tell who frees. */
  readonly stackKey: string;
  /** The thread that allocated it. */
  readonly uid: ThreadUid;
  readonly object: LiveObject;
  readonly atMicros: EpochMicros;
}

/** What one thread holds under one stack, as of the last dump. */
interface Holding {
  readonly stackKey: string;
  readonly uid: ThreadUid;
  line: ThreadHolding | undefined;
  readonly live: LiveObject[];
}

const FIRST_PTR = 0xe000_0000_0000_0000n;
const PTR_STEP = 16n;

/**
 * Follows dumps one after the other and turns each change of a stack into allocations and frees, so that at every
 * dump the objects of a stack are as many as the dump says, and their un-sampled bytes add up to the un-sampled
 * bytes of the stack (within one sampling interval).
 */
export class LiveObjects {
  readonly #holdings = new Map<string, Holding>();
  #lastPtr = FIRST_PTR;

  /** The events since the last dump. */
  follow(dump: HeapDump, atMicros: EpochMicros): readonly AllocationEvent[] {
    const events: AllocationEvent[] = [];
    const seen = new Set<string>();
    for (const { key: stackKey, threads } of dump.stacks) {
      for (const line of threads) {
        const id = `${line.uid} ${stackKey}`;
        seen.add(id);
        const holding = this.#holdingOf(id, stackKey, line.uid);
        const { line: last } = holding;
        if (last?.objects === line.objects && last.bytes === line.bytes) continue;
        holding.line = line;
        this.#match(holding, line, { events, atMicros, dump });
      }
    }
    for (const [id, { stackKey, uid, live }] of this.#holdings) {
      if (seen.has(id)) continue;
      for (const object of live) events.push({ kind: 'free', stackKey, uid, object, atMicros });
      this.#holdings.delete(id);
    }
    return events;
  }

  /** Everything that lives now. */
  *all(): Iterable<Readonly<Pick<Holding, 'stackKey' | 'uid' | 'live'>>> {
    yield* this.#holdings.values();
  }

  #holdingOf(id: string, stackKey: string, uid: ThreadUid): Holding {
    const known = this.#holdings.get(id);
    if (known !== undefined) return known;
    const fresh: Holding = { stackKey, uid, line: undefined, live: [] };
    this.#holdings.set(id, fresh);
    return fresh;
  }

  /** Frees the newest and allocates anew until number and un-sampled bytes agree. */
  #match({ stackKey, uid, live }: Holding, line: ThreadHolding, into: Step): void {
    const { atMicros, events } = into;
    const intervalBytes = into.dump.samplingIntervalBytes;
    const targetBytes = unsampleLine(line, intervalBytes).bytes;
    let haveBytes = 0;
    for (const { sizeBytes } of live) haveBytes += estimateOf(sizeBytes, intervalBytes);
    const free = () => {
      const object = live.pop();
      if (object === undefined) return;
      haveBytes -= estimateOf(object.sizeBytes, intervalBytes);
      events.push({ kind: 'free', stackKey, uid, object, atMicros });
    };
    while (live.length > line.objects) free();
    if (live.length === line.objects && Math.abs(targetBytes - haveBytes) > intervalBytes) free();
    // One sample never stands for less than an interval: make room until each new one can.
    while (live.length > 0 && live.length < line.objects) {
      if ((targetBytes - haveBytes) / (line.objects - live.length) >= intervalBytes) break;
      free();
    }
    const missing = line.objects - live.length;
    if (missing === 0) return;
    const sizeBytes = sizeOfEstimate((targetBytes - haveBytes) / missing, intervalBytes);
    for (let n = 0; n < missing; n += 1) {
      this.#lastPtr += PTR_STEP;
      const object = { ptr: this.#lastPtr, sizeBytes, bornAtMicros: atMicros };
      live.push(object);
      events.push({ kind: 'allocation', stackKey, uid, object, atMicros });
    }
  }
}

interface Step {
  readonly events: AllocationEvent[];
  readonly atMicros: EpochMicros;
  readonly dump: HeapDump;
}

/** Bytes that one sample of this size stands for. */
function estimateOf(sizeBytes: Bytes, intervalBytes: Bytes): Bytes {
  return sizeBytes * objectsPerSample(sizeBytes, intervalBytes);
}

/** The size whose sample stands for so many bytes; the estimate rises with the size, so halving finds it. */
function sizeOfEstimate(estimateBytes: Bytes, intervalBytes: Bytes): Bytes {
  let low = 1;
  let high = Math.max(2, estimateBytes);
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (estimateOf(middle, intervalBytes) < estimateBytes) low = middle;
    else high = middle;
  }
  return Math.max(1, Math.round(low));
}
