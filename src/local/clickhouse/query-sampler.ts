import type { EngineClient } from './engine-client.ts';
import type { HeapFollower } from './heap-follower.ts';
import type { AllocationEvent } from './live-objects.ts';
import type { SampleWriter } from './sample-writer.ts';
import type { ThreadId, ThreadIds } from './thread-ids.ts';

/** Samples queries by the difference of heap dumps. */
export interface QuerySampler {
  /** Runs what sends a query on and returns when its exchange has ended. */
  sample(queryId: string, runQuery: () => Promise<void>): Promise<void>;
  /** Waits until the samples of all queries that have ended are in system.trace_log. */
  written(): Promise<void>;
}

export interface QuerySamplerParts {
  readonly client: EngineClient;
  readonly follower: HeapFollower;
  readonly threads: ThreadIds;
  readonly writer: SampleWriter;
}

/** Shortest rest between two dumps: a peak between two dumps is lost, but most of the time is the query's. */
const SHORTEST_REST_MS = 6;
const LOOK_AGAIN_MS = 25;
/** A query is in system.processes for a moment after its answer; much longer when its client went away. */
const LEAVES_WITHIN_MS = 2000;

export function createQuerySampler(parts: QuerySamplerParts): QuerySampler {
  const { client, follower } = parts;
  const running = new Set<Session>();
  const unwritten = new Set<Promise<void>>();
  let isFollowing = false;

  /** Takes dumps as long as a sampled query runs; what goes wrong is told by the steps around the query. */
  const keepFollowing = async () => {
    if (isFollowing) return;
    isFollowing = true;
    while (running.size > 0) {
      const startedAtMs = performance.now();
      await follower.step().catch(() => {});
      // On a busy machine a dump takes longer, and the query is slower by as much: so is our pace.
      await sleep(Math.max(SHORTEST_REST_MS, performance.now() - startedAtMs));
    }
    isFollowing = false;
  };
  const finish = async (session: Session) => {
    const answeredAtMs = Date.now();
    try {
      while (await isInProcesses(client, session.queryId)) {
        if (Date.now() - answeredAtMs > LEAVES_WITHIN_MS) session.letGo();
        await sleep(LOOK_AGAIN_MS);
      }
      await follower.step();
    } finally {
      running.delete(session);
      follower.unlisten(session.listener);
    }
    const workers = await workersBeside(client, session);
    await parts.writer.write(session.queryId, eventsOf(session, parts.threads, workers));
  };
  return {
    sample: async (queryId, runQuery) => {
      await follower.step();
      const session = new Session(queryId);
      follower.listen(session.listener);
      running.add(session);
      if (running.size > 1) for (const each of running) each.isAlone = false;
      void keepFollowing();
      try {
        await runQuery();
      } finally {
        const waited = Promise.race([finish(session), session.isLetGo]);
        unwritten.add(waited);
        waited.catch(() => {});
      }
    },
    written: async () => {
      const all = [...unwritten];
      unwritten.clear();
      await Promise.all(all);
    },
  };
}

/** One sampled query. */
class Session {
  readonly queryId: string;
  readonly startedAtMicros = Date.now() * 1000;
  readonly events: AllocationEvent[] = [];
  /** No other sampled query ran at any time beside it. */
  isAlone = true;
  readonly listener = (events: readonly AllocationEvent[]) => {
    for (const event of events) this.events.push(event);
  };
  /** From now on nobody waits for its samples. */
  letGo: () => void = () => {};
  readonly isLetGo = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });

  constructor(queryId: string) {
    this.queryId = queryId;
  }
}

/**
 * What the query allocated, and when that went. Which thread of a dump is which thread of the system is told by the
 * order of their numbers, which is not always right; so it only decides where it must: all is the query's but for
 * what the server's own threads and those of unsampled queries beside it allocated, and of two sampled ones each gets
 * what its own threads did.
 */
function* eventsOf(
  { events, isAlone }: Session,
  threads: ThreadIds,
  { ownIds, otherIds }: Workers,
): Iterable<AllocationEvent & { readonly threadId: ThreadId }> {
  const own = new Set<bigint>();
  for (const event of events) {
    const threadId = threads.of(event.uid) ?? 0;
    const isOwn =
      !threads.isBackground(event.uid) &&
      (!threads.canTell || (isAlone ? !otherIds.has(threadId) : ownIds.has(threadId)));
    if (event.kind === 'allocation' && isOwn) own.add(event.object.ptr);
    if (own.has(event.object.ptr)) yield { ...event, threadId };
  }
}

async function isInProcesses(client: EngineClient, queryId: string): Promise<boolean> {
  const sql = 'SELECT count() FROM system.processes WHERE query_id = {id:String}';
  return Number(await client.run(sql, { id: queryId })) > 0;
}

interface Workers {
  /** Threads that worked for the query. */
  readonly ownIds: ReadonlySet<ThreadId>;
  /** Threads that worked for other queries meanwhile, and not for this one. */
  readonly otherIds: ReadonlySet<ThreadId>;
}

/** Who worked while a query ran, which the server writes down a moment after it has answered. */
async function workersBeside(client: EngineClient, session: Session): Promise<Workers> {
  const params = { id: session.queryId, since: String(session.startedAtMicros) };
  for (let look = 0; look < 40; look += 1) {
    await client.run('SYSTEM FLUSH LOGS query_log');
    const [row] = await client.rows<{ own: ThreadId[]; others: ThreadId[]; runs: number }>(
      `SELECT
         toUInt32(countIf(query_id = {id:String})) AS runs,
         groupUniqArrayArrayIf(arrayMap(id -> toUInt32(id), thread_ids), query_id = {id:String}) AS own,
         groupUniqArrayArrayIf(arrayMap(id -> toUInt32(id), thread_ids), query_id != {id:String}) AS others
       FROM system.query_log
       WHERE type != 'QueryStart' AND event_time_microseconds >= fromUnixTimestamp64Micro({since:Int64})`,
      params,
    );
    if (row !== undefined && row.runs > 0) {
      const ownIds = new Set(row.own);
      return { ownIds, otherIds: new Set(row.others.filter((id) => !ownIds.has(id))) };
    }
    await sleep(LOOK_AGAIN_MS);
  }
  return { ownIds: new Set(), otherIds: new Set() };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
