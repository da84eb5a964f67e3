import { beforeAll, describe, expect, it } from 'vitest';
import { createDigestRunner } from '../../jobs/digest/run.ts';
import { Failure } from '../../src/failure.ts';
import type { ClickHouse } from '../../src/ports.ts';
import {
  DAY_MICROS,
  fleet,
  isConfigured,
  lookOf,
  type Turn,
  turns,
  weekly,
  YEAR_START_MICROS,
} from '../digest/year.ts';
import { createFakeChat } from '../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../fakes/fake-delivery-record.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { createFakeSchedules } from '../fakes/fake-schedules.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';
import { silentLog } from '../support/silent-log.ts';

const KIB = 1024;

/** The simulated fleet behind SQL, at one moment. */
function clickhouseAt(nowMicros: number): ClickHouse {
  const refuse = () => Promise.reject(new Error('not asked by digests'));
  return {
    statement: refuse,
    bytes: () => {
      throw new Error('not asked by digests');
    },
    async rows(target, query) {
      const server = fleet.find(({ name }) => name === target);
      const look = server === undefined ? undefined : lookOf(server, nowMicros, []);
      if (look?.kind !== 'read') {
        throw new Failure('target-unreachable', { what: `${target} refuses connections` });
      }
      const { figures, serverStartedAtMicros } = look.reading;
      const rows: Readonly<Record<string, readonly object[]>> = {
        'frag-server-start': [{ started_at_micros: String(serverStartedAtMicros) }],
        'stats-async-metrics': [{ metric: 'jemalloc.active', value: figures.activeBytes }],
        'frag-arenas': [slabs(Math.round((figures.wasteBytes ?? 0) / KIB))],
      };
      return (rows[query.name] ?? []).map((row) => query.row.parse(row));
    },
  };
}

/** A bin of 1 KiB regions, four a slab, with so many of them free. */
function slabs(freeRegions: number): object {
  const count = Math.ceil(freeRegions / 4);
  return {
    ...{ source: 'bins', arena: 0, purpose: '', class_index: 20, size_bytes: String(KIB) },
    ...{ regions_per_slab: '4', slabs: String(count), nonfull: String(count) },
    live_regions: String(count * 4 - freeRegions),
    ...{ is_old: false, stack: [], objects: 0, samples: '0', ages: [], interval_bytes: '0' },
  };
}

/** A year of runs with a new worker each: only store, record and schedule outlive it. */
async function liveAYear() {
  const chat = createFakeChat();
  const schedules = createFakeSchedules(YEAR_START_MICROS);
  const deliveries = createFakeDeliveryRecord();
  const investigations = createFakeInvestigations();
  let now = YEAR_START_MICROS;
  const clock = { nowMicros: () => now };
  const store = createFakeStore(clock);
  await schedules.put({
    ...{ id: 'd7k2', channel: 'C1', targets: 'all', ...weekly, minChangeShare: 0.1 },
    ...{ isAlwaysPosted: false, isPaused: false, createdBy: 'U1' },
    createdAtMicros: YEAR_START_MICROS,
  });
  const posts: { readonly turn: Turn; readonly text: string }[] = [];
  const outcomes: unknown[] = [];
  for (const turn of turns()) {
    now = turn.nowMicros;
    const day = (now - YEAR_START_MICROS) / DAY_MICROS;
    const runDigest = createDigestRunner({
      ports: {
        ...{ clickhouse: clickhouseAt(now), studio: createFakeStudio(), clock, chat, deliveries },
        ...{ investigations, schedules, store, log: silentLog },
        pause: async () => undefined,
      },
      targets: fleet
        .filter((server) => isConfigured(server, day))
        .map(({ name }) => ({ name, kind: 'clickhouse' as const })),
      digests: { parallelism: 8, targetTimeoutMs: 5000, wasteMiB: 1024, mention: '<!here>' },
    });
    const before = chat.messages.size;
    const { outcome } = await runDigest(
      {
        ...{ id: `repeat:digest-d7k2:${turn.dueAtMicros / 1000}`, data: { digestId: 'd7k2' } },
        ...{ attempt: 1, isLastAttempt: false, interruptions: 0, dueAtMicros: turn.dueAtMicros },
      },
      new AbortController().signal,
    );
    outcomes.push(outcome);
    for (const { text } of [...chat.messages.values()].slice(before)) posts.push({ turn, text });
  }
  return { posts, outcomes, chat, store };
}

describe('a year of a weekly digest over 200 servers, with everything around it', () => {
  let year: Awaited<ReturnType<typeof liveAYear>>;
  beforeAll(async () => {
    year = await liveAYear();
  });

  it('posts these messages and no other', async () => {
    const lines = year.posts.map(
      ({ turn, text }) => `${new Date(turn.nowMicros / 1000).toISOString().slice(0, 16)} ${text}`,
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../golden/digest/year-posts.txt');
    expect(year.posts).toHaveLength(19);
  });

  it('ends every turn, most of them without a word', () => {
    const count = (outcome: string) => year.outcomes.filter((one) => one === outcome).length;
    expect([count('post'), count('alive'), count('silent')]).toEqual([15, 4, 32]);
  });

  it('keeps every reading that was taken', async () => {
    const kept = await year.store.readings({ target: 'chi-001', kind: 'frag', limit: 99 });
    expect(kept).toHaveLength(51);
    // Three turns fell into its outage.
    const away = await year.store.readings({ target: 'chi-031', kind: 'frag', limit: 99 });
    expect(away).toHaveLength(48);
  });

  it('puts the rest of the fleet into the thread of each post', () => {
    const files = [...year.chat.files.values()];
    expect(files).toHaveLength(15);
  });
});
