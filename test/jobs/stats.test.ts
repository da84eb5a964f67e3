import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../jobs/job.ts';
import { stats } from '../../jobs/stats.ts';
import { Failure } from '../../src/failure.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { createFakeClickHouse, type FakeAnswers } from '../fakes/fake-clickhouse.ts';
import { pageAnswers, startFakeKeeper, wordAnswers } from '../fakes/fake-keeper.ts';
import { jobContext, sampleMoment, sourcesOf } from '../support/job-context.ts';

const text = readFileSync('test/fixtures/allocator/stats-26.7.2.1.txt', 'utf8');
const bins = readFileSync('test/fixtures/allocator/bins-26.7.2.1.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);
const hours = Array.from({ length: 60 }, (_, n) => ({
  at_s: String(Math.floor(sampleMoment / 1e6) - (60 - n) * 120),
  metric: 'jemalloc.allocated',
  bytes: 200e6 + n * 1.6e6,
}));

const engine: FakeAnswers = {
  'stats-text': [{ stats: text }],
  'stats-bins': bins,
  'stats-async-metrics': [
    { metric: 'MemoryResident', value: 640e6 },
    { metric: 'jemalloc.allocated', value: 200e6 },
    { metric: 'MarkCacheBytes', value: 41e6 },
    { metric: 'OSMemoryTotal', value: 32e9 },
  ],
  'stats-metrics': [{ metric: 'MemoryTracking', value: '301000000' }],
  'stats-limits': [
    { name: 'max_server_memory_usage', value: '0' },
    { name: 'max_server_memory_usage_to_ram_ratio', value: '0.9' },
  ],
  'stats-queries': [
    { holders: '2', bytes: '180000000', largest_name: 'a1b2', largest_bytes: '170000000' },
  ],
  'stats-merges': [{ holders: '0', bytes: '0', largest_name: '', largest_bytes: '0' }],
  'stats-parts': [{ parts: '1200', key_bytes: '3000000' }],
  'stats-granularity': [{ granularity_bytes: '1000000' }],
  'frag-server-start': [{ started_at_micros: '1789000000000000' }],
  'stats-history': hours,
  'stats-history-tracked': [],
};

const ask = async (command: string, context = jobContext()): Promise<Reply> => {
  const words = command.split(' ').filter((word) => word !== '');
  return stats.run(stats.read({ words, options: {}, raw: command }).args, context);
};
const askEngine = (changes: FakeAnswers = {}, command = 'prod') =>
  ask(command, jobContext({ clickhouse: createFakeClickHouse({ ...engine, ...changes }) }));

const bytesOf = (reply: Reply, name: string, level?: string) =>
  (reply.json.ledger as { level: string; name: string; bytes: number }[]).find(
    (entry) => entry.name === name && (level === undefined || entry.level === level),
  )?.bytes;
const shownText = (reply: Reply) => messageAsText([...reply.head, ...reply.tail]);

describe('stats', () => {
  it('accounts for the memory of a live engine to the byte', async () => {
    const reply = await askEngine();
    expect(reply.json).toMatchObject({
      target: 'prod',
      unexplainedBytes: 297_829_840 - 180e6 - 41e6 - 3e6 - 1e6,
      pageBytes: 4096,
    });
    expect(bytesOf(reply, 'allocated', 'allocated')).toBe(297_829_840);
    expect(bytesOf(reply, 'dirty pages')).toBe(70_981 * 4096);
    expect(bytesOf(reply, 'free room in slabs')).toBe(1_178_160);
    expect(bytesOf(reply, 'outside the allocator')).toBe(640e6 - 605_511_680);
    expect(bytesOf(reply, 'drift of the tracker')).toBe(301e6 - 297_829_840);
    expect(reply.finding).toMatch(
      /^prod holds 610.35 MiB of memory \(RSS\), 284.03 MiB of it allocated; of that 69.46 MiB \(24%\) is unexplained. /,
    );
  });

  it('says it in a message', async () => {
    await expect(shownText(await askEngine())).toMatchFileSnapshot('../golden/stats/engine.txt');
  });

  it('reads statistics first, as that makes the other counters current', async () => {
    const clickhouse = createFakeClickHouse(engine);
    await ask('prod', jobContext({ clickhouse }));
    expect(clickhouse.asked.slice(0, 2)).toEqual(['stats-text', 'stats-bins']);
    expect(clickhouse.asked.filter((name) => name === 'stats-text')).toHaveLength(1);
  });

  it('shows the last hours and finds a steady growth in them', async () => {
    const reply = await askEngine();
    expect(reply.pictures[0]?.request).toMatchObject({
      kind: 'ledger',
      history: { series: [{ level: 'allocated' }] },
    });
    expect(reply.json.findings).toContainEqual(
      expect.objectContaining({ id: 'growth', evidence: expect.stringContaining('R² 1.00') }),
    );
  });

  it('keeps its figures, so that later answers can compare', async () => {
    expect((await askEngine()).keep?.reading).toMatchObject({
      kind: 'stats',
      target: 'prod',
      subject: '',
      atMicros: sampleMoment,
      serverStartedAtMicros: 1_789_000_000_000_000,
      figures: { allocatedBytes: 297_829_840, residentBytes: 605_511_680, rssBytes: 640e6 },
    });
  });

  it('does not add primary keys to the arena of part metadata that they lie in', async () => {
    const reply = await askEngine({
      'stats-async-metrics': [
        { metric: 'jemalloc.mergetree_arena.active_bytes', value: 50e6 },
        { metric: 'MemoryResident', value: 640e6 },
      ],
    });
    expect(bytesOf(reply, 'parts (metadata and keys)')).toBe(50e6);
    expect(bytesOf(reply, 'primary keys of parts')).toBeUndefined();
  });

  it('attaches the text when it is asked for', async () => {
    expect((await askEngine()).files).toEqual([]);
    const [file] = (await askEngine({}, 'prod raw')).files;
    expect(file?.name).toBe('prod-jemalloc-stats.txt');
    expect(Buffer.from(file!.bytes).toString()).toBe(text);
    const none = await askEngine(
      { 'stats-text': new Failure('grant-missing', { what: 'x' }) },
      'prod raw',
    );
    expect(shownText(none)).toMatch(/text could not be read here, so there is no file/);
  });

  it('says that tables which the user may not see are not counted', async () => {
    const granted = (...grants: string[]) =>
      askEngine({ 'probe-grants': grants.map((grant) => ({ grants: `${grant} TO mp` })) });
    const said = /only those that the user of memprof may see: GRANT SHOW TABLES, .* TO mp/;
    expect(shownText(await granted('GRANT SELECT ON system.parts'))).toMatch(said);
    expect(shownText(await granted('GRANT SHOW TABLES ON default.*'))).toMatch(said);
    for (const grant of ['SHOW TABLES, SHOW DICTIONARIES ON *.*', 'SELECT ON *.*', 'ALL ON *.*']) {
      expect(shownText(await granted(`GRANT ${grant}`))).not.toMatch(said);
    }
    expect(shownText(await askEngine())).not.toMatch(said);
  });

  it('goes on without what it may not read, and prints the grants once', async () => {
    const denied = (table: string) =>
      new Failure('grant-missing', {
        what: `Could not read system.${table} on prod`,
        why: 'user memprof lacks a grant',
        paste: `GRANT SELECT ON system.${table} TO memprof`,
      });
    const reply = await askEngine({
      'stats-parts': denied('parts'),
      'stats-granularity': denied('parts'),
      'stats-merges': denied('merges'),
    });
    expect(shownText(reply)).toMatch(
      /Not read on this server: .*running merges, primary keys, positions of granules \(user memprof lacks a grant\)/,
    );
    expect(shownText(reply).match(/GRANT SELECT ON system.parts TO memprof/g)).toHaveLength(1);
    expect(bytesOf(reply, 'running queries')).toBe(180e6);
  });

  it('works on a server of 2018 by what there is', async () => {
    const reply = await ask(
      'prod',
      jobContext({
        clickhouse: createFakeClickHouse({
          'stats-metrics': [{ metric: 'MemoryTracking', value: 5e9 }],
          'stats-queries': [{ holders: 1, bytes: 4e9, largest_name: 'q', largest_bytes: 4e9 }],
          'stats-async-metrics': [{ metric: 'MarkCacheBytes', value: 1e9 }],
        }),
      }),
    );
    expect(reply.finding).toMatch(/^prod holds 4.66 GiB of memory \(tracked\)\.$/);
    expect(reply.json.unexplainedBytes).toBeNull();
    expect(shownText(reply)).toMatch(/Not read on this server: the allocator's own statistics/);
  });

  it('takes broken statistics for a gap and uses the measurements instead', async () => {
    const reply = await askEngine({ 'stats-text': [{ stats: text.slice(0, 20_000) }] });
    expect(bytesOf(reply, 'allocated', 'allocated')).toBe(200e6);
    expect(shownText(reply)).toMatch(/the text ends in line \d+/);
  });

  it('fails with one sentence when nothing at all can be read', async () => {
    await expect(ask('prod')).rejects.toThrow(
      /prod says nothing of its memory that memprof can read. Could not read what stats-text asks; this server has no such table/,
    );
  });

  it('ends when the server is away, unless its metrics endpoint is there', async () => {
    const away = new Failure('target-unreachable', { what: 'Could not reach prod' });
    const clickhouse = createFakeClickHouse({ 'stats-text': away });
    await expect(ask('prod', jobContext({ clickhouse }))).rejects.toThrow(/Could not reach prod/);
    await using fake = await startFakeKeeper({
      pages: {
        '/metrics': pageAnswers.text('ClickHouseAsyncMetrics_MemoryResident 5000000000\n'),
      },
    });
    const sources = sourcesOf({
      prod: { url: 'http://h:8123', metricsUrl: `${fake.controlUrl}/metrics` },
    });
    const reply = await ask('prod', jobContext({ clickhouse, sources }));
    expect(reply.finding).toMatch(/^prod holds 4.66 GiB of memory \(RSS\)/);
    expect(shownText(reply)).toMatch(/the server itself \(Could not reach prod\)/);
    expect(shownText(reply)).toMatch(/Only the Prometheus endpoint was read/);
    const asked = await ask('prod prometheus', jobContext({ sources }));
    expect(asked.json.notRead).toEqual([]);
  });
});

describe('stats of a Keeper', () => {
  const words = {
    jmst: wordAnswers.text(readFileSync('test/fixtures/allocator/stats-5.3.0.txt', 'utf8')),
    mntr: wordAnswers.text('zk_approximate_data_size\t100000\n'),
    lgif: wordAnswers.text('latest_logs_cache_size\t200000\n'),
  };

  it('is read by four-letter words', async () => {
    await using fake = await startFakeKeeper({ words });
    const sources = sourcesOf({ k: { kind: 'keeper', fourLetterWords: fake.fourLetterWords } });
    const reply = await ask('k', jobContext({ sources }));
    expect(reply.json).toMatchObject({ server: 'keeper', unexplainedBytes: 1_229_888 - 300_000 });
    expect(shownText(reply)).not.toMatch(/another host/);
    await expect(shownText(reply)).toMatchFileSnapshot('../golden/stats/keeper.txt');
  });

  it('is read by HTTP control, and by words when that fails', async () => {
    await using fake = await startFakeKeeper({ words });
    const sources = sourcesOf({
      k: { kind: 'keeper', fourLetterWords: fake.fourLetterWords, controlUrl: fake.controlUrl },
    });
    await ask('k', jobContext({ sources }));
    expect(fake.asked).toEqual(['/jemalloc/stats', 'jmst', 'mntr', 'lgif']);
  });

  it('warns of a control port that other hosts reach', async () => {
    await using fake = await startFakeKeeper({ words });
    const sources = sourcesOf({
      k: {
        kind: 'keeper',
        fourLetterWords: fake.fourLetterWords,
        controlUrl: 'http://keeper.invalid:9182',
      },
    });
    const reply = await ask('k', jobContext({ sources }));
    expect(shownText(reply)).toMatch(/answers from another host and knows no password/);
  });

  it('names the white list when words are refused', async () => {
    await using fake = await startFakeKeeper({});
    const sources = sourcesOf({ k: { kind: 'keeper', fourLetterWords: fake.fourLetterWords } });
    await expect(ask('k', jobContext({ sources }))).rejects.toThrow(
      /Keeper k says nothing of its memory.*four_letter_word_white_list/,
    );
  });
});

describe('the words of stats', () => {
  const read = (words: string[], options = {}) => stats.read({ words, options, raw: '' }).args;

  it('name a target, and what to read of it', () => {
    expect(read(['prod'])).toEqual({ target: 'prod', isRaw: false, isPrometheus: false });
    expect(read(['RAW'], { on: 'prod' })).toEqual({
      target: 'prod',
      isRaw: true,
      isPrometheus: false,
    });
    expect(read(['prod', 'prometheus'])).toMatchObject({ isPrometheus: true });
  });

  it('are refused with the usage', () => {
    expect(() => read([])).toThrow(/stats needs a server. Usage: stats <target>/);
    expect(() => read(['a', 'b'])).toThrow(/one server at a time. It was given a, b/);
    expect(() => read(['a'], { foo: '1' })).toThrow(/stats has no option foo/);
  });
});
