/**
 * `node dist/test/bench/digest-fleet.js`: digests over 200 fake servers that take 20 to 200 ms for each question, of
 * which ten never answer. Prints how long a run takes beside what its slowest part alone would, and whether memory
 * stays flat over many runs.
 */
import { createDigestRunner } from '../../jobs/digest/run.ts';
import type { ClickHouse } from '../../src/ports.ts';
import { createFakeChat } from '../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../fakes/fake-delivery-record.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { createFakeSchedules } from '../fakes/fake-schedules.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';
import { silentLog } from '../support/silent-log.ts';

const SERVERS = 200;
const SILENT_SERVERS = 10;
const RUNS = 20;
const PARALLELISM = 16;
const TARGET_TIMEOUT_MS = 1500;
const CLASSES = 36;
const ARENAS = 64;

const names = Array.from({ length: SERVERS }, (_, index) => `chi-${index + 1}`);
let nowMicros = Date.now() * 1000;

/** The same for all servers: what is measured is memprof, not the making of rows. */
const bins: readonly object[] = Array.from({ length: ARENAS * CLASSES }, (_, index) => ({
  ...{ source: 'bins', arena: Math.floor(index / CLASSES), purpose: '' },
  ...{ class_index: index % CLASSES, size_bytes: String(16 * (1 + (index % CLASSES))) },
  ...{ regions_per_slab: '64', slabs: '10', live_regions: '300', nonfull: '5' },
  ...{ is_old: false, stack: [], objects: 0, samples: '0', ages: [], interval_bytes: '0' },
}));

/** A server of 64 arenas with all their bins, whose answers take their time. */
const clickhouse: ClickHouse = {
  statement: () => Promise.reject(new Error('not asked by digests')),
  bytes: () => {
    throw new Error('not asked by digests');
  },
  async rows(target, query, _params, { signal }) {
    const index = names.indexOf(target);
    const isSilent = index % (SERVERS / SILENT_SERVERS) === 0;
    await wait(isSilent ? 3_600_000 : 20 + ((index * 37) % 180), signal);
    return (query.name === 'frag-arenas' ? bins : []).map((row) => query.row.parse(row));
  },
};

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

const store = createFakeStore({ nowMicros: () => nowMicros });
const schedules = createFakeSchedules(nowMicros);
await schedules.put({
  ...{ id: 'd7k2', channel: 'C1', targets: 'all', cron: '0 9 * * 1', timeZone: 'UTC' },
  ...{ minChangeShare: 0.1, isAlwaysPosted: false, isPaused: false, createdBy: 'U1' },
  createdAtMicros: nowMicros,
});
const runDigest = createDigestRunner({
  ports: {
    ...{ clickhouse, studio: createFakeStudio(), clock: { nowMicros: () => nowMicros } },
    ...{ chat: createFakeChat(), deliveries: createFakeDeliveryRecord(), schedules, store },
    ...{ investigations: createFakeInvestigations(), log: silentLog, pause: async () => undefined },
  },
  targets: names.map((name) => ({ name, kind: 'clickhouse' as const })),
  digests: { parallelism: PARALLELISM, targetTimeoutMs: TARGET_TIMEOUT_MS },
});

const heaps: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  nowMicros += 7 * 86_400e6;
  const startedAt = performance.now();
  const { outcome } = await runDigest(
    {
      ...{ id: `run-${run}`, data: { digestId: 'd7k2' }, dueAtMicros: nowMicros },
      ...{ attempt: 1, isLastAttempt: false, interruptions: 0 },
    },
    new AbortController().signal,
  );
  globalThis.gc?.();
  heaps.push(process.memoryUsage().heapUsed / 2 ** 20);
  const tookMs = Math.round(performance.now() - startedAt);
  console.log(`run ${run + 1}: ${outcome}, ${tookMs} ms, heap ${heaps.at(-1)?.toFixed(1)} MiB`);
}
console.log(
  `${SERVERS} servers, ${SILENT_SERVERS} of them silent for ${TARGET_TIMEOUT_MS} ms each, ${PARALLELISM} at a time; heap after run 2: ${heaps[1]?.toFixed(1)} MiB, after run ${RUNS}: ${heaps.at(-1)?.toFixed(1)} MiB (readings of ${RUNS} runs in memory included)`,
);
