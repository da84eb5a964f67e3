import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { frag } from '../../jobs/frag.ts';
import type { JobContext, Reply } from '../../jobs/job.ts';
import { Failure } from '../../src/failure.ts';
import type { Store } from '../../src/ports.ts';
import type { Reading } from '../../src/reading.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { createFakeClickHouse, type FakeAnswers } from '../fakes/fake-clickhouse.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { jobContext, sampleMoment } from '../support/job-context.ts';
import { foldedOf } from '../support/profile-of.ts';

/** Two dedicated arenas of a real engine; here one of them is an ordinary one. */
const text = readFileSync('test/fixtures/allocator/stats-26.7.2.1.txt', 'utf8').replace(
  'name: "manual_3"',
  'name: "auto_3"',
);
const bins = readFileSync('test/fixtures/allocator/bins-26.7.2.1.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);

const MIB = 2 ** 20;
const START = 1_789_000_000_000_000;
const none = { is_old: false, stack: [], objects: 0, samples: '0', ages: [], interval_bytes: '0' };

/** A class of 256 bytes with so many of 16 × slabs regions live. */
const bin = (arena: number, slabs: number, live: number, changes: object = {}) => ({
  ...{ source: 'bins', arena, purpose: '', class_index: 12, size_bytes: '256', ...none },
  ...{ regions_per_slab: '16', slabs: String(slabs), live_regions: String(live), nonfull: '3' },
  ...changes,
});

const objects = (arena: number, stack: readonly string[], count: number, changes: object = {}) => ({
  ...{ source: 'objects', arena, purpose: '', class_index: 12, size_bytes: '0' },
  ...{ regions_per_slab: '0', slabs: '0', live_regions: '0', nonfull: '0' },
  ...{ is_old: true, stack, objects: count, samples: '20', interval_bytes: '524288' },
  ages: [0, 0, count, 0],
  ...changes,
});

/** Addresses of two functions, leaf first, and of the allocator in them. */
const SINK = ['300', '200', '100'];
const PARTS = ['300', '250', '100'];
const NAMES: Readonly<Record<string, string>> = {
  '100': 'main',
  '200': 'DB::MemorySink::consume(DB::Chunk&)',
  '250': 'DB::IMergeTreeDataPart::loadColumns(bool)',
  '300': 'operator new(unsigned long)',
};
const symbols = Object.entries(NAMES).map(([address, name]) => ({ address, name }));

const server: FakeAnswers = {
  'stats-async-metrics': [
    { metric: 'MemoryResident', value: 400 * MIB },
    { metric: 'jemalloc.active', value: 200 * MIB },
  ],
  'frag-server-start': [{ started_at_micros: String(START) }],
  'frag-arenas': [
    bin(0, 2000, 3200),
    bin(1, 500, 800),
    bin(3, 4000, 800, { purpose: 'mergetree' }),
    objects(0, SINK, 300),
    objects(0, PARTS, 100),
    objects(0, [], 50, { is_old: false, ages: [50, 0, 0, 0] }),
  ],
  symbols,
};

const WASTE_0 = (32_000 - 3200) * 256;
const WASTE_1 = (8000 - 800) * 256;

async function ask(
  changes: FakeAnswers = {},
  given: { readonly command?: string; readonly store?: Store; readonly context?: JobContext } = {},
): Promise<Reply> {
  const [target = 'prod', ...rest] = (given.command ?? 'prod').split(' ');
  const options = Object.fromEntries(rest.map((word) => word.split(':') as [string, string]));
  const { args } = frag.read({ words: [target], options, raw: '' });
  const context = jobContext({ clickhouse: createFakeClickHouse({ ...server, ...changes }) });
  const ports =
    given.store === undefined ? context.ports : { ...context.ports, store: given.store };
  return frag.run(args, { ...context, ports });
}

const shown = (reply: Reply) => messageAsText([...reply.head, ...reply.tail]);
const stacksOf = (reply: Reply) =>
  foldedOf(reply.keep?.profile as NonNullable<typeof reply.keep>['profile'] & object);

describe('frag', () => {
  it('says how much lies waste, of what, and who holds it', async () => {
    const reply = await ask();
    expect(reply.finding).toBe(
      'prod wastes 8.79 MiB in slabs (4% of active, 2% of RSS), 80% of it for objects of 256 B in arena 0; 60% of it is held by tables in memory, the largest part of that by MemorySink::consume.',
    );
    await expect(shown(reply)).toMatchFileSnapshot('../golden/messages/frag.txt');
  });

  it('gives the numbers as JSON', async () => {
    const { json } = await ask();
    expect(json).toMatchObject({
      source: 'jemalloc_arena_bins',
      holderSource: 'jemalloc_sampled_allocations',
      totalWasteBytes: WASTE_0 + WASTE_1,
      dedicatedWasteBytes: (64_000 - 800) * 256,
      attributedShare: WASTE_0 / (WASTE_0 + WASTE_1),
      samplingIntervalBytes: 524_288,
      ages: { short: 50, minutes: 0, hours: 400, days: 0 },
    });
    expect(json.classes).toMatchObject([
      {
        ...{ arena: 0, purpose: '', sizeBytes: 256, wasteBytes: WASTE_0, utilisation: 0.1 },
        holders: [
          { name: NAMES['200'], wasteBytes: (WASTE_0 * 3) / 4, objectCount: 300 },
          { name: NAMES['250'], wasteBytes: WASTE_0 / 4, objectCount: 100 },
        ],
      },
      { arena: 1, wasteBytes: WASTE_1, holders: [], evidence: 'none' },
    ]);
  });

  it('keeps and draws a flame graph whose total is the waste', async () => {
    const reply = await ask();
    expect([...stacksOf(reply)].sort()).toEqual([
      `[unattributed];arena_1_class_256 ${WASTE_1}`,
      `main;${NAMES['250']};${NAMES['300']} ${WASTE_0 / 4}`,
      `main;${NAMES['200']};${NAMES['300']} ${(WASTE_0 * 3) / 4}`,
    ]);
    expect(reply.keep?.profile?.totalBytes).toBe(WASTE_0 + WASTE_1);
    expect(reply.pictures).toMatchObject([
      { request: { kind: 'waste', classes: [{ wasteBytes: WASTE_0 }, { wasteBytes: WASTE_1 }] } },
    ]);
    expect(reply.files.map(({ name }) => name)).toEqual([
      'prod-waste.collapsed',
      'prod-waste-classes.tsv',
    ]);
  });

  it('says when nothing lies waste', async () => {
    const reply = await ask({ 'frag-arenas': [bin(0, 100, 1600)] });
    expect(reply.finding).toBe(
      'prod wastes nothing in its slabs: every region of every slab is in use.',
    );
    expect(reply.pictures).toEqual([]);
    expect(reply.files).toEqual([]);
    expect(reply.json).toMatchObject({ totalWasteBytes: 0, attributedShare: 0, classes: [] });
  });

  it('says when there is waste but nobody was sampled, and which rate would show it', async () => {
    const reply = await ask({ 'frag-arenas': [bin(0, 2000, 3200)] });
    expect(reply.finding).toMatch(/; who holds it is not known, since no samples could be read\.$/);
    const young = await ask({
      'frag-arenas': [bin(0, 2000, 3200), objects(0, [], 9, { is_old: false })],
    });
    expect(young.finding).toMatch(/since no old object of these classes was sampled\.$/);
    expect(shown(young)).toContain(
      'Too few samples for 256 B in arena 0: no sample; jemalloc_profiler_sampling_rate 16 (one for each 64.00 KiB) or finer would show it; a change of that setting needs a restart.',
    );
  });

  it('says when a class has too few samples to trust', async () => {
    const reply = await ask({
      'frag-arenas': [bin(0, 2000, 3200), objects(0, SINK, 300, { samples: '3' })],
    });
    expect(shown(reply)).toContain('weak: 3 samples');
    expect(shown(reply)).toContain('Too few samples for 256 B in arena 0: only 3 samples');
    expect(shown(reply)).toContain('(3 samples, which is weak evidence)');
  });

  it('has samples and no waste to put down to them', async () => {
    const reply = await ask({ 'frag-arenas': [bin(0, 100, 1600), objects(0, SINK, 300)] });
    expect(reply.json).toMatchObject({ totalWasteBytes: 0, attributedShare: 0 });
    expect(reply.finding).toContain('wastes nothing');
  });

  it('tells of classes that one of the two tables alone knows', async () => {
    const reply = await ask({
      'frag-arenas': [bin(0, 2000, 3200), objects(0, SINK, 300), objects(7, SINK, 12)],
    });
    expect(shown(reply)).toContain(
      '12 sampled objects of classes without a bin: the two tables are a moment apart.',
    );
    // Objects beyond the slab classes are not a riddle.
    const large = await ask({
      'frag-arenas': [bin(0, 2000, 3200), objects(0, SINK, 5, { class_index: 40 })],
    });
    expect(shown(large)).not.toContain('without a bin');
  });

  it('takes racing counters for no waste and says so', async () => {
    const reply = await ask({ 'frag-arenas': [bin(0, 2000, 3200), bin(1, 10, 170)] });
    expect(reply.json).toMatchObject({ totalWasteBytes: WASTE_0, racedBins: 1 });
    expect(shown(reply)).toContain('1 class reported more live objects than fit');
  });

  it('leaves dedicated arenas out unless they are asked for', async () => {
    expect(shown(await ask())).toContain(
      '15.43 MiB more in dedicated arenas (mergetree), whose objects live long by design: not counted here.',
    );
    const reply = await ask({}, { command: 'prod include:dedicated' });
    expect(reply.json).toMatchObject({ dedicatedWasteBytes: 0 });
    expect((reply.json.classes as object[])[0]).toMatchObject({ arena: 3, purpose: 'mergetree' });
    expect(reply.keep).toBeUndefined();
  });

  it('looks at one arena alone and knows which there are', async () => {
    const reply = await ask({}, { command: 'prod arena:1' });
    expect(reply.json).toMatchObject({ totalWasteBytes: WASTE_1 });
    await expect(ask({}, { command: 'prod arena:9' })).rejects.toThrow(
      'prod has no arena 9. It has 0, 1, 3. Leave arena: out, or name one of these.',
    );
  });

  it('lists only classes with so much waste', async () => {
    const reply = await ask({}, { command: 'prod min:1GiB' });
    expect(shown(reply)).toContain('No class wastes 1.00 GiB or more.');
    expect(reply.json).toMatchObject({ totalWasteBytes: WASTE_0 + WASTE_1 });
  });
});

const denied = (table: string) =>
  new Failure('grant-missing', {
    what: `Could not read system.${table} on prod`,
    why: `user memprof lacks SELECT on system.${table}`,
    paste: `GRANT SELECT ON system.${table} TO memprof`,
  });

describe('frag on other servers', () => {
  const without = (name: string) =>
    new Failure('feature-missing', { what: `Could not read what ${name} asks` });
  const old: FakeAnswers = { 'frag-arenas': without('a'), 'frag-arena-bins': without('b') };

  it('reads the statistics text where there is no table by arena', async () => {
    const reply = await ask({ ...old, 'stats-text': [{ stats: text }] });
    expect(reply.json).toMatchObject({ source: 'jemalloc_stats', holderSource: 'none' });
    expect(reply.json).toMatchObject({ totalWasteBytes: 160_728, dedicatedWasteBytes: 74_880 });
    expect(shown(reply)).toContain("slabs from jemalloc's statistics text");
  });

  it('reads the bins of all arenas where there is nothing else', async () => {
    const reply = await ask({ ...old, 'stats-bins': bins });
    expect(reply.json).toMatchObject({ source: 'jemalloc_bins' });
    expect(reply.json.totalWasteBytes).toBeGreaterThan(1_000_000);
    expect(shown(reply)).toContain(
      'This server tells no arenas, so dedicated arenas are counted in.',
    );
  });

  it('estimates holders from the samples of queries, and says that it does', async () => {
    const reply = await ask({
      ...old,
      'stats-text': [{ stats: text }],
      'frag-trace-log': [
        {
          ...{ size_bytes: '112', trace: SINK, samples: '4', ages: ['0', '0', '4', '0'] },
          symbols: SINK.map((address) => NAMES[address]),
        },
      ],
    });
    expect(reply.json).toMatchObject({ holderSource: 'trace_log', symbolSource: 'trace_log' });
    const classes = reply.json.classes as { sizeBytes: number; holders: { name: string }[] }[];
    const held = classes.filter(({ holders }) => holders.length > 0);
    expect(new Set(held.map(({ sizeBytes }) => sizeBytes))).toEqual(new Set([112]));
    expect(held[0]?.holders[0]?.name).toBe(NAMES['200']);
    expect(shown(reply)).toContain('This is an estimate from the samples of queries alone.');
  });

  it('prints the grant that is missing and answers with less', async () => {
    const reply = await ask({
      'frag-arenas': denied('jemalloc_sampled_allocations'),
      'frag-arena-bins': [bin(0, 2000, 3200)],
    });
    expect(reply.json).toMatchObject({ source: 'jemalloc_arena_bins', holderSource: 'none' });
    expect(shown(reply)).toContain(
      'GRANT SELECT ON system.jemalloc_sampled_allocations TO memprof',
    );
  });

  it('fails with the grant when it may read nothing', async () => {
    await expect(
      ask({
        'frag-arenas': denied('jemalloc_arena_bins'),
        'frag-arena-bins': denied('jemalloc_arena_bins'),
        'stats-text': denied('jemalloc_stats'),
        'stats-bins': denied('jemalloc_bins'),
      }),
    ).rejects.toMatchObject({
      kind: 'grant-missing',
      what: 'prod does not tell how its slabs are used',
      paste: 'GRANT SELECT ON system.jemalloc_arena_bins TO memprof',
    });
  });

  it('names addresses from the heap profile where it may not ask for symbols', async () => {
    const reply = await ask({
      symbols: denied('nothing'),
      'symbols-of-heap-profile': symbols,
    });
    expect(reply.json).toMatchObject({ symbolSource: 'heap profile' });
    expect(reply.finding).toContain('MemorySink::consume');
    const nameless = await ask({ symbols: [], 'symbols-of-heap-profile': [] });
    expect(nameless.json).toMatchObject({ symbolSource: 'none' });
    expect(stacksOf(nameless)).toContain(`0x64;0xc8;0x12c ${(WASTE_0 * 3) / 4}`);
  });
});

describe('frag and earlier readings', () => {
  const earlier = (days: number, wasteBytes: number, changes: Partial<Reading> = {}): Reading => ({
    ...{ investigationId: `i${days}`, target: 'prod', kind: 'frag', subject: '', finding: '' },
    atMicros: sampleMoment - days * 86_400e6,
    serverStartedAtMicros: START - 400_000,
    figures: { wasteBytes },
    arenas: [0, 1, 3],
    wasteClasses: [
      { arena: 0, purpose: '', sizeBytes: 256, wasteBytes: MIB, utilisation: 0.5, holder: '' },
      { arena: 1, purpose: '', sizeBytes: 256, wasteBytes: WASTE_1, utilisation: 0.5, holder: '' },
    ],
    queryPeaks: [],
    ...changes,
  });

  const storeWith = async (...readings: readonly Reading[]) => {
    const store = createFakeStore();
    for (const reading of readings) await store.keepReading(reading);
    return store;
  };

  it('says that it is the first reading', async () => {
    expect(shown(await ask({}, { store: createFakeStore() }))).toContain(
      'This is the first reading that was kept of this server.',
    );
  });

  it('compares with the last reading and the median, class by class', async () => {
    const store = await storeWith(earlier(7, 5 * MIB), earlier(14, 6 * MIB), earlier(21, 3 * MIB));
    const reply = await ask({}, { store });
    expect(shown(reply)).toContain(
      'Trend: +3.79 MiB since the last reading, 7 d ago; +3.79 MiB against the median of the last readings.',
    );
    expect(shown(reply)).toMatch(/256 B +0 .* ↑ /);
    expect(shown(reply)).toMatch(/256 B +1 .* → /);
  });

  it('makes up no trend after a restart', async () => {
    const store = await storeWith(earlier(7, 90 * MIB, { serverStartedAtMicros: START - 9e12 }));
    const reply = await ask({}, { store });
    expect(shown(reply)).toContain(
      'The server was restarted since the last reading, so its counters began anew and nothing is compared.',
    );
    expect(reply.json.trend).toMatchObject({ changeBytes: null, isRestarted: true });
  });

  it('says which arena vanished', async () => {
    const store = await storeWith(earlier(7, 5 * MIB, { arenas: [0, 1, 3, 5] }));
    expect(shown(await ask({}, { store }))).toContain('arena 5 of that reading is gone');
  });

  it('answers without a trend when the store is gone', async () => {
    const store = createFakeStore();
    const away: Store = {
      ...store,
      readings: () =>
        Promise.reject(new Failure('store-unavailable', { what: 'The store cannot be reached' })),
    };
    const reply = await ask({}, { store: away });
    expect(reply.finding).toContain('wastes 8.79 MiB');
    expect(shown(reply)).not.toContain('since the last reading');
  });

  it('hands over a reading that the next one can compare with', async () => {
    const store = createFakeStore();
    const first = await ask({}, { store });
    await store.keepReading(first.keep?.reading as Reading);
    expect(first.keep?.reading).toMatchObject({
      finding: first.finding,
      serverStartedAtMicros: START,
      figures: { wasteBytes: WASTE_0 + WASTE_1, activeBytes: 200 * MIB, rssBytes: 400 * MIB },
      arenas: [0, 1, 3],
    });
    expect(first.keep?.reading.wasteClasses[0]).toMatchObject({ holder: NAMES['200'] });
  });
});

describe('what people type after frag', () => {
  const read = (options: Record<string, string>, words: string[] = ['prod']) =>
    frag.read({ words, options, raw: '' }).args;

  it('has defaults, and takes spans and sizes as people write them', () => {
    expect(read({})).toEqual({
      ...{ target: 'prod', minAgeNs: 60e9, minWasteBytes: MIB, includesDedicated: false },
    });
    expect(read({ age: '2h', min: '512K', arena: '3', include: 'dedicated' })).toEqual({
      ...{ target: 'prod', minAgeNs: 7200e9, minWasteBytes: 524_288, arena: 3 },
      includesDedicated: true,
    });
    expect(read({ age: '90' })).toMatchObject({ minAgeNs: 90e9 });
    expect(read({ age: '5min', min: '1.5 MiB' })).toMatchObject({
      ...{ minAgeNs: 300e9, minWasteBytes: 1.5 * MIB },
    });
  });

  it.each([
    [
      { age: '99999999999d' },
      'age:99999999999d is longer than a year. No server keeps anything for that long that memprof could look at. Take age:1d or less.',
    ],
    [{ age: 'soon' }, 'age:soon is not a span of time. Write it like age:60s, age:5m or age:2h.'],
    [{ min: 'much' }, 'min:much is not an amount of memory. Write it like min:1MiB or min:512K.'],
    [{ arena: 'x' }, 'arena:x is not a number. Write it like arena:3.'],
    [{ include: 'all' }, /nothing called all to include\. Write include:dedicated/],
    [{ ages: '1h' }, /frag has no option ages\. It takes on, age, min, arena, include\./],
  ])('refuses %o with a sentence', (options, sentence) => {
    expect(() => read(options as Record<string, string>)).toThrow(sentence);
  });

  it('needs a server', () => {
    expect(() => read({}, [])).toThrow(/frag needs a server/);
  });
});
