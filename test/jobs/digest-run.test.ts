import { describe, expect, it } from 'vitest';
import { createDigestRunner } from '../../jobs/digest/run.ts';
import type { DigestSchedule } from '../../src/digest-schedule.ts';
import { Failure } from '../../src/failure.ts';
import type { ClickHouse, JobDelivery, Store } from '../../src/ports.ts';
import { createFakeChat, type FakeChatOptions } from '../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../fakes/fake-delivery-record.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { createFakeSchedules } from '../fakes/fake-schedules.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';
import { silentLog } from '../support/silent-log.ts';

const MIB = 2 ** 20;
const START = 1_790_000_000_000_000;
const WEEK_MICROS = 7 * 86_400e6;

const schedule: DigestSchedule = {
  ...{ id: 'd7k2', channel: 'C1', targets: 'all', cron: '0 9 * * 1', timeZone: 'UTC' },
  ...{ minChangeShare: 0.1, isAlwaysPosted: false, isPaused: false },
  ...{ createdBy: 'U1', createdAtMicros: START },
};

/** What a server of the test does: wastes so many MiB, or fails, or never answers. */
type Server = number | Failure | 'hangs';

interface Fleet {
  [name: string]: Server;
}

/** Many servers, of which each has one slab class; it counts how many are asked at the same time. */
function clickhouseOf(
  fleet: Fleet,
  log: { active: number; most: number },
  onAsked: (target: string) => void = () => undefined,
): ClickHouse {
  const refuse = () => Promise.reject(new Error('not asked by digests'));
  return {
    statement: refuse,
    bytes: () => {
      throw new Error('not asked by digests');
    },
    async rows(target, query, params, { signal }) {
      query.params.parse(params);
      const server = fleet[target] ?? 0;
      log.active += 1;
      log.most = Math.max(log.most, log.active);
      await new Promise((resolve) => setTimeout(resolve, 1));
      try {
        onAsked(target);
        if (server === 'hangs') {
          await new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
          );
        }
        if (server instanceof Failure) throw server;
        return answer(query.name, Number(server)).map((row) => query.row.parse(row));
      } finally {
        log.active -= 1;
      }
    },
  };
}

function answer(query: string, wasteMiB: number): readonly object[] {
  if (query === 'frag-server-start') return [{ started_at_micros: String(START - WEEK_MICROS) }];
  if (query === 'stats-async-metrics') return [{ metric: 'jemalloc.active', value: 1000 * MIB }];
  if (query !== 'frag-arenas') return [];
  const slabs = wasteMiB * 256 + 1;
  return [
    {
      ...{ source: 'bins', arena: 0, purpose: '', class_index: 12, size_bytes: '256' },
      ...{ regions_per_slab: '16', slabs: String(slabs), live_regions: '16', nonfull: '1' },
      ...{ is_old: false, stack: [], objects: 0, samples: '0', ages: [], interval_bytes: '0' },
    },
  ];
}

function start(
  fleet: Fleet,
  options: {
    readonly chat?: FakeChatOptions;
    readonly store?: Store;
    readonly schedule?: Partial<DigestSchedule>;
    readonly digests?: { readonly wasteMiB?: number; readonly mention?: string };
    readonly targetTimeoutMs?: number;
    /** May throw in place of the server. */
    readonly onAsked?: (target: string) => void;
  } = {},
) {
  const load = { active: 0, most: 0 };
  let nowMicros = START;
  const chat = createFakeChat(options.chat);
  const deliveries = createFakeDeliveryRecord();
  const investigations = createFakeInvestigations();
  const schedules = createFakeSchedules(START);
  const store = options.store ?? createFakeStore({ nowMicros: () => nowMicros });
  const runner = createDigestRunner({
    ports: {
      clickhouse: clickhouseOf(fleet, load, options.onAsked),
      studio: createFakeStudio(),
      clock: { nowMicros: () => nowMicros },
      ...{ chat, deliveries, investigations, schedules, store, log: silentLog },
      pause: async (_ms, signal) => signal.throwIfAborted(),
    },
    get targets() {
      return Object.keys(fleet).map((name) => ({ name, kind: 'clickhouse' as const }));
    },
    digests: {
      parallelism: 8,
      targetTimeoutMs: options.targetTimeoutMs ?? 5000,
      ...options.digests,
    },
  });
  const ready = schedules.put({ ...schedule, ...options.schedule });
  const run = async (changes: Partial<JobDelivery> & { readonly atWeek?: number } = {}) => {
    await ready;
    const { atWeek = 0, ...rest } = changes;
    const dueAtMicros = START + atWeek * WEEK_MICROS;
    nowMicros = dueAtMicros + 30e6;
    const { signal } = new AbortController();
    return runner(
      {
        ...{ id: `repeat:digest-d7k2:${dueAtMicros / 1000}`, data: { digestId: 'd7k2' } },
        ...{ attempt: 1, isLastAttempt: false, interruptions: 0, dueAtMicros },
        ...rest,
      },
      signal,
    );
  };
  return {
    ...{ chat, deliveries, investigations, schedules, store, fleet, load, run },
    texts: () => [...chat.messages.values()].map(({ text }) => text),
  };
}

describe('a run of a digest', () => {
  it('posts what it found, once', async () => {
    const digest = start({ 'chi-1': 10, 'chi-2': 30 });
    expect(await digest.run()).toEqual({ outcome: 'post' });
    expect(digest.texts()).toEqual([
      'First digest: chi-2 wastes 30.00 MiB (3% of active), the most of all. 2 servers waste 40.00 MiB in slabs.',
    ]);
    await expect(digest.chat.transcript()).toMatchFileSnapshot('../golden/threads/digest.txt');
    expect(await digest.run()).toEqual({ outcome: 'answered' });
    expect(digest.texts()).toHaveLength(1);
  });

  it('is silent when nothing changed, and remembers all the same', async () => {
    const digest = start({ 'chi-1': 10 });
    await digest.run();
    digest.fleet['chi-1'] = 10.5;
    expect(await digest.run({ atWeek: 1 })).toEqual({ outcome: 'silent' });
    expect(digest.texts()).toHaveLength(1);
    expect(await digest.store.readings({ target: 'chi-1', kind: 'frag', limit: 9 })).toHaveLength(
      2,
    );
    digest.fleet['chi-1'] = 20;
    expect(await digest.run({ atWeek: 2 })).toEqual({ outcome: 'post' });
    expect(digest.texts()[1]).toContain('chi-1 wastes 20.00 MiB (+10.00 MiB, 2% of active)');
  });

  it('can be attached and asked for like any investigation', async () => {
    const digest = start({ 'chi-1': 10 });
    await digest.run();
    const [message] = [...digest.chat.messages.values()];
    const [reading] = await digest.store.readings({ target: 'chi-1', kind: 'frag', limit: 1 });
    const investigation = await digest.investigations.get(reading?.investigationId ?? '');
    expect(investigation).toMatchObject({
      ...{ state: 'answered', channel: 'C1', ts: message?.ts, command: 'digest now d7k2' },
    });
    expect(reading?.investigationId).toMatch(/^[0-9a-z]{6,16}$/);
  });

  it('calls whoever the config names when a threshold is passed', async () => {
    const digest = start({ 'chi-1': 10 }, { digests: { wasteMiB: 15, mention: '<!here>' } });
    await digest.run();
    digest.fleet['chi-1'] = 16;
    await digest.run({ atWeek: 1 });
    expect(digest.texts()[0]).not.toContain('<!here>');
    expect(digest.texts()[1]).toMatch(/^<!here> Beyond the threshold: chi-1 wastes 16\.00 MiB/);
  });

  it('lists a server that fails and one that is too slow, and holds up nobody', async () => {
    const down = new Failure('target-unreachable', { what: 'chi-2 refuses connections' });
    const digest = start(
      { 'chi-1': 10, 'chi-2': down, 'chi-3': 'hangs' },
      { targetTimeoutMs: 150 },
    );
    expect(await digest.run()).toEqual({ outcome: 'post' });
    const transcript = digest.chat.transcript();
    expect(transcript).toContain('chi-2 since 2026-09-21 (chi-2 refuses connections)');
    expect(transcript).toContain('chi-3 since 2026-09-21 (chi-3 did not answer within 150 ms)');
    expect(digest.texts()[0]).toContain('chi-1 wastes 10.00 MiB');
  });

  it('looks again at a server that refuses for a moment, as after a worker was killed, and not for ever', async () => {
    // Queries of the dead worker still run there.
    const busy = new Failure('target-unreachable', { what: 'chi-2 takes no more queries now' });
    const denied = new Failure('target-denied', { what: 'chi-3 does not let memprof in' });
    const asked = new Map<string, number>();
    const fleet: Fleet = { 'chi-1': 10, 'chi-2': 20, 'chi-3': denied, 'chi-4': busy };
    const digest = start(fleet, {
      onAsked: (target) => {
        const times = (asked.get(target) ?? 0) + 1;
        asked.set(target, times);
        if (target === 'chi-2' && times < 3) throw busy;
      },
    });
    expect(await digest.run()).toEqual({ outcome: 'post' });
    expect(digest.texts()[0]).toContain('chi-2 wastes 20.00 MiB');
    const transcript = digest.chat.transcript();
    expect(transcript).not.toMatch(/Did not answer: .*chi-2 since/);
    expect(transcript).toContain('chi-3 since 2026-09-21 (chi-3 does not let memprof in)');
    expect(transcript).toContain('chi-4 since 2026-09-21 (chi-2 takes no more queries now)');
    expect(asked.get('chi-3')).toBe(1);
    expect(asked.get('chi-4')).toBe(3);
  });

  it('says that it is late when its turn was missed', async () => {
    const digest = start({ 'chi-1': 10 });
    await digest.run();
    digest.fleet['chi-1'] = 20;
    const dueAtMicros = START + WEEK_MICROS - 5 * 3600e6;
    await digest.run({ atWeek: 1, dueAtMicros });
    expect(digest.chat.transcript()).toContain(
      'run 5 h 1 min after that, once for all missed turns',
    );
  });

  it('does nothing for a digest that was removed, and for one that is paused', async () => {
    const digest = start({ 'chi-1': 10 }, { schedule: { isPaused: true } });
    expect(await digest.run()).toEqual({ outcome: 'paused' });
    expect(await digest.run({ data: { digestId: 'd7k2', askedBy: 'U9' } })).toEqual({
      outcome: 'post',
    });
    await digest.schedules.remove('d7k2');
    expect(await digest.run({ atWeek: 1 })).toEqual({ outcome: 'removed' });
  });

  it('posts out of turn even when nothing changed, and says who asked', async () => {
    const digest = start({ 'chi-1': 10 });
    await digest.run();
    const asked = { data: { digestId: 'd7k2', askedBy: 'U9' }, id: 'digest-d7k2-x' };
    expect(await digest.run({ ...asked, atWeek: 1 })).toEqual({ outcome: 'post' });
    expect(digest.texts()[1]).toBe(
      'Nothing changed beyond 10%. 1 server wastes 10.00 MiB in slabs (as before).',
    );
    expect(digest.chat.transcript()).toContain('asked for by @U9');
  });

  it('follows the config: servers that are new, renamed or gone', async () => {
    const digest = start({ 'chi-1': 10, 'chi-2': 10 });
    await digest.run();
    delete digest.fleet['chi-2'];
    digest.fleet['chi-2b'] = 10;
    await digest.run({ atWeek: 1 });
    expect(digest.texts()[1]).toBe(
      'chi-2b is new in this digest. chi-2 is no longer in the config under this name. 2 servers waste 20.00 MiB in slabs (as before).',
    );
    for (const name of Object.keys(digest.fleet)) delete digest.fleet[name];
    await digest.run({ atWeek: 2 });
    expect(digest.texts()[2]).toBe(
      'This digest means no server: the config has no target or group named all.',
    );
  });

  it('puts a fleet in one message and the rest into the thread', async () => {
    const fleet = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`chi-${index + 1}`, (index % 50) + 1]),
    );
    const digest = start(fleet);
    await digest.run();
    expect(digest.texts()).toHaveLength(1);
    expect(digest.load.most).toBeLessThanOrEqual(8);
    expect(digest.chat.transcript()).toContain('190 more servers in the file of the thread');
    const [file] = [...digest.chat.files.values()];
    expect(file?.name).toMatch(/^digest-d7k2-.*\.tsv$/);
    expect(file?.sharedIn).toEqual(['C1']);
  });
});

describe('a run of a digest that meets trouble', () => {
  const away = new Failure('slack-unavailable', { what: 'Slack did not answer' });

  it('does not post twice when the answer of Slack got lost', async () => {
    const digest = start({ 'chi-1': 10 });
    digest.chat.failNext('post', away, 'after');
    await expect(digest.run()).rejects.toMatchObject({ kind: 'slack-unavailable' });
    expect(await digest.store.digestState('d7k2')).toBeUndefined();
    expect(await digest.run({ attempt: 2 })).toEqual({ outcome: 'post' });
    expect(digest.texts()).toHaveLength(1);
    expect(await digest.store.digestState('d7k2')).toMatchObject({ silentRuns: 0 });
  });

  it('does not post twice when two jobs have the same run, whichever of their workers dies', async () => {
    const digest = start({ 'chi-1': 10 });
    digest.chat.failNext('post', away, 'after');
    const first = { id: 'now:1', data: { digestId: 'd7k2', runId: 'run-1' } };
    const second = { ...first, id: 'now:2' };
    await expect(digest.run(first)).rejects.toMatchObject({ kind: 'slack-unavailable' });
    // The other may be about to post: this one comes back later.
    await expect(digest.run(second)).rejects.toMatchObject({ kind: 'interrupted' });
    // Its worker was killed: the same job, as often tried, once more interrupted.
    await digest.run({ ...first, interruptions: 1 });
    await digest.run({ ...second, attempt: 2 });
    expect(digest.texts()).toHaveLength(1);
  });

  it('posts when Slack is back', async () => {
    const digest = start({ 'chi-1': 10 });
    digest.chat.failNext('post', away, 'before');
    await expect(digest.run()).rejects.toMatchObject({ kind: 'slack-unavailable' });
    await digest.run({ attempt: 2 });
    expect(digest.texts()).toHaveLength(1);
  });

  it('tells who set it up when the channel does not take it, and keeps its measure', async () => {
    const digest = start({ 'chi-1': 10 }, { chat: { members: { C1: ['U1'] } } });
    expect(await digest.run()).toEqual({ outcome: 'failed' });
    expect([...digest.chat.messages.values()]).toMatchObject([
      {
        channel: 'U1',
        text: 'Digest d7k2 of all could not be posted in <#C1>. memprof is not in this channel. Type /invite @memprof there, then try again. It is tried again at its next turn; remove it with "digest remove d7k2".',
      },
    ]);
    expect((await digest.schedules.get('d7k2'))?.schedule.trouble).toContain(
      'memprof is not in this channel',
    );
    expect(await digest.store.digestState('d7k2')).toBeUndefined();
  });

  it('waits for the store to be back', async () => {
    const store = createFakeStore();
    const gone = new Failure('store-unavailable', { what: 'The store cannot be reached' });
    let isGone = true;
    const digest = start(
      { 'chi-1': 10 },
      {
        store: {
          ...store,
          digestState: (id) => (isGone ? Promise.reject(gone) : store.digestState(id)),
        },
      },
    );
    await expect(digest.run()).rejects.toBe(gone);
    expect(digest.texts()).toEqual([]);
    isGone = false;
    expect(await digest.run({ attempt: 2 })).toEqual({ outcome: 'post' });
  });

  it('posts although the store is full, and says that it keeps nothing', async () => {
    const full = new Failure('store-full', { what: 'The store is full' });
    const store = { ...createFakeStore(), keepReading: () => Promise.reject(full) };
    const digest = start({ 'chi-1': 10 }, { store });
    expect(await digest.run()).toEqual({ outcome: 'post' });
    expect(digest.chat.transcript()).toContain(
      'Not kept for the next digest. The store is full. [E407]',
    );
  });

  it('begins anew from a state that it cannot read', async () => {
    const digest = start({ 'chi-1': 10 });
    await digest.store.keepDigestState('d7k2', { version: 99 });
    expect(await digest.run()).toEqual({ outcome: 'post' });
    expect(digest.texts()[0]).toContain('First digest');
  });

  it('goes on with pictures and files where it was cut short', async () => {
    const fleet = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`chi-${n}`, n]));
    const digest = start(fleet);
    digest.chat.failNext('reserveUpload', away, 'before');
    await expect(digest.run()).rejects.toMatchObject({ kind: 'slack-unavailable' });
    expect(digest.texts()).toHaveLength(1);
    expect(await digest.run({ attempt: 2 })).toEqual({ outcome: 'post' });
    expect(digest.texts()).toHaveLength(1);
    expect(digest.chat.files.size).toBe(1);
  });
});

describe('two digests at the same minute', () => {
  it('each get their message and their own measure', async () => {
    const digest = start({ 'chi-1': 10 });
    await digest.schedules.put({ ...schedule, id: 'd9x9', channel: 'C2', createdAtMicros: 2 });
    const other = { data: { digestId: 'd9x9' }, id: 'repeat:digest-d9x9:1' };
    await Promise.all([digest.run(), digest.run(other)]);
    const channels = [...digest.chat.messages.values()].map(({ channel }) => channel).sort();
    expect(channels).toEqual(['C1', 'C2']);
    expect(await digest.store.digestState('d7k2')).toBeDefined();
    expect(await digest.store.digestState('d9x9')).toBeDefined();
  });
});
