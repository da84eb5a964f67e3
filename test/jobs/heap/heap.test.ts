import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heap } from '../../../jobs/heap.ts';
import type { JobContext, Reply } from '../../../jobs/job.ts';
import { keep } from '../../../jobs/remember.ts';
import { Failure } from '../../../src/failure.ts';
import { messageAsText } from '../../../templates/text/message.ts';
import { createFakeClickHouse, type FakeAnswers } from '../../fakes/fake-clickhouse.ts';
import { pageAnswers, startFakeKeeper, wordAnswers } from '../../fakes/fake-keeper.ts';
import { createFakeStore } from '../../fakes/fake-store.ts';
import { symbolizedText } from '../../support/heap-text.ts';
import { jobContext, sourcesOf } from '../../support/job-context.ts';
import { serverAges } from '../../support/server-ages.ts';

const stats = readFileSync('test/fixtures/allocator/stats-26.7.2.1.txt', 'utf8');
const engineHeap = readFileSync('test/fixtures/heap/engine-26.7.2.1.heap', 'utf8');
const MiB = 2 ** 20;

/** Large objects, so that what is sampled is nearly all there is. */
const text = symbolizedText([
  {
    stack: [
      'start_thread',
      'DB::Aggregator::executeOnBlock()',
      'DB::Arena::addMemoryChunk()',
      'operator new(unsigned long)',
    ],
    objects: 150,
    bytes: 150 * MiB,
  },
  {
    stack: [
      'start_thread',
      'DB::HashJoin::addBlockToJoin()',
      'Allocator<false>::alloc(unsigned long)',
    ],
    objects: 5,
    bytes: 90 * MiB,
  },
  { stack: ['start_thread', 'something::unknown()'], objects: 40, bytes: 40 * MiB },
]);
const total = 280 * MiB;

const server: FakeAnswers = {
  'stats-text': [{ stats }],
  'stats-async-metrics': [{ metric: 'MemoryResident', value: 640e6 }],
  'frag-server-start': [{ started_at_micros: '1789000000000000' }],
  'heap-profile': text,
};

const ask = (words: string[], options: Record<string, string>, context: JobContext) =>
  heap.run(heap.read({ words, options, raw: '' }).args, context) as Promise<Reply>;
const askServer = (answers: FakeAnswers, options: Record<string, string> = {}, more = {}) =>
  ask(['prod'], options, jobContext({ clickhouse: createFakeClickHouse(answers), ...more }));
const shownText = (reply: Reply) => messageAsText([...reply.head, ...reply.tail]);

describe('heap', () => {
  it('says what is live, who allocated it, and what the allocator says of it', async () => {
    const reply = await askServer(server);
    expect(reply.json).toMatchObject({
      target: 'prod',
      allocatedBytes: 297_829_840,
      samplingIntervalBytes: 65_536,
      rssBytes: 640e6,
      isProfiledGlobally: true,
    });
    expect(Number(reply.json.totalBytes) / total).toBeCloseTo(1, 4);
    expect(reply.finding).toBe(
      'prod holds 280.00 MiB live, 54% of it in aggregation (150.00 MiB).',
    );
    await expect(shownText(reply)).toMatchFileSnapshot('../../golden/heap/bytes.txt');
  });

  it('agrees with the allocator of a live engine within 3%', async () => {
    const reply = await askServer({ ...server, 'heap-profile': engineHeap });
    const { totalBytes, allocatedBytes } = reply.json;
    console.log(`heap ${totalBytes}, jemalloc.allocated ${allocatedBytes}`);
    expect(Math.abs(Number(reply.json.coverage) - 1)).toBeLessThan(0.03);
  });

  it('draws the flame graph twice: for the message and larger for the thread', async () => {
    const { pictures, threadPictures } = await askServer(server);
    expect(pictures.map(({ request }) => request.kind)).toEqual(['flame']);
    expect(threadPictures[0]?.request).toMatchObject({ widthPx: 2400, measure: 'bytes' });
    expect(pictures[0]?.alt).toMatch(/54% of it in aggregation/);
  });

  it('brings the heap for own tools: as it came, collapsed, and for speedscope', async () => {
    const { files } = await askServer(server);
    expect(files.map(({ name }) => name)).toEqual([
      'heap-prod.heap.symbolized',
      'heap-prod.collapsed.txt',
      'heap-prod.speedscope.json',
    ]);
  });

  it('counts objects instead of bytes when it is asked to', async () => {
    const reply = await askServer(server, { by: 'count' });
    expect(reply.finding).toBe('prod holds 195 live objects, 77% of it in aggregation (150).');
    expect(reply.pictures[0]?.request).toMatchObject({ measure: 'count' });
  });

  it('draws kept profiles again without asking the server', async () => {
    const store = createFakeStore({ nowMicros: () => 1_790_000_000_000_000 });
    const context = jobContext({ clickhouse: createFakeClickHouse(server) });
    const first = await ask(['prod'], {}, { ...context, ports: { ...context.ports, store } });
    expect(JSON.stringify(first.tail)).toMatch(/"heap prod by:count from:k7f2m9qd"/);
    await keep(first.keep!, store);
    const offline = jobContext({ clickhouse: createFakeClickHouse({}) });
    const again = await ask(
      ['prod'],
      { by: 'count', from: 'k7f2m9qd' },
      { ...offline, ports: { ...offline.ports, store } },
    );
    expect(again.finding).toBe('prod holds 195 live objects, 77% of it in aggregation (150).');
    expect(again.json).toMatchObject({ source: 'what was kept', allocatedBytes: 297_829_840 });
    expect(again).not.toHaveProperty('keep');
    await expect(
      ask(['other'], { from: 'k7f2m9qd' }, { ...offline, ports: { ...offline.ports, store } }),
    ).rejects.toThrow(
      /no kept heap profile of investigation k7f2m9qd. Profiles are kept for 90 days/,
    );
    await expect(ask(['prod'], { from: 'x' }, offline)).rejects.toThrow(
      /Nothing is kept in the shell/,
    );
  });

  it('looks at some stacks alone, and keeps them all', async () => {
    const reply = await askServer(server, { focus: 'HashJoin' });
    expect(reply.finding).toBe(
      'prod holds 90.00 MiB live (focus HashJoin), 100% of it in join (90.00 MiB); weak: from 5 samples only.',
    );
    expect(Number(reply.keep?.profile?.totalBytes) / total).toBeCloseTo(1, 4);
  });

  it('says that nothing matches instead of a heap of 0 B', async () => {
    const reply = await askServer(server, { focus: 'nosuchfunction' });
    expect(reply.finding).toBe(
      'Nothing that prod holds matches focus nosuchfunction; all of its heap is 280.00 MiB.',
    );
  });

  it('reads the heap once, with inlined functions unless told otherwise', async () => {
    const asked: unknown[] = [];
    const answers: FakeAnswers = {
      ...server,
      'heap-profile': ({ settings }) => {
        asked.push(settings);
        return text;
      },
    };
    await askServer(answers);
    await askServer(answers, { inline: 'off' });
    expect(asked).toEqual([
      {
        jemalloc_profile_text_output_format: 'symbolized',
        jemalloc_profile_text_symbolize_with_inline: 1,
      },
      {
        jemalloc_profile_text_output_format: 'symbolized',
        jemalloc_profile_text_symbolize_with_inline: 0,
      },
    ]);
  });

  it('leaves inlined functions out when they take too long', async () => {
    const slow = new Failure('query-timeout', { what: 'took too long' });
    const reply = await askServer({
      ...server,
      'heap-profile': ({ settings }) =>
        settings?.jemalloc_profile_text_symbolize_with_inline === 1 ? slow : text,
    });
    expect(shownText(reply)).toMatch(/Inlined functions are missing: the server did not name them/);
  });

  it('says that the global profiler is off when it is', async () => {
    const off = stats.replaceAll('prof.thread_active_init: true', 'prof.thread_active_init: false');
    const reply = await askServer({ ...server, 'stats-text': [{ stats: off }] });
    expect(shownText(reply)).toMatch(/The global profiler is off, so only what sampled queries/);
  });

  it('works without the figures of the allocator', async () => {
    const reply = await askServer({ 'heap-profile': text });
    expect(reply.json).toMatchObject({ allocatedBytes: null, coverage: null });
    expect(shownText(reply)).toMatch(/Not read on this server: .*the allocator's own statistics/);
  });
});

describe('heap where it cannot be read by SQL', () => {
  const old: FakeAnswers = {
    'SYSTEM JEMALLOC FLUSH PROFILE': '/tmp/jemalloc_clickhouse.7.3.heap.symbolized',
  };
  const withDumps = async (run: (dumpFolder: string) => Promise<void>) => {
    const dumpFolder = await mkdtemp(join(tmpdir(), 'memprof-test-heap-'));
    await run(dumpFolder).finally(() => rm(dumpFolder, { recursive: true, force: true }));
  };

  it('takes a flushed dump from the folder that the config names', async () => {
    await withDumps(async (dumpFolder) => {
      await writeFile(join(dumpFolder, 'jemalloc_clickhouse.7.3.heap.symbolized'), text);
      const sources = sourcesOf({ prod: { url: 'http://h', dumpFolder } });
      const reply = await askServer(old, {}, { sources });
      expect(reply.json.source).toBe('a flushed dump');
      expect(shownText(reply)).toMatch(/dump lies on prod as \/tmp\/jemalloc_clickhouse.7.3.heap/);
    });
  });

  it('lets the server read its dump where the config says so', async () => {
    const sources = sourcesOf({ prod: { url: 'http://h', readDumpsByFile: true } });
    const reply = await askServer({ ...old, 'heap-dump-file': text }, {}, { sources });
    expect(reply.json.source).toBe('a flushed dump');
  });

  it('takes the samples of the last hour from trace_log at last', async () => {
    const reply = await askServer({
      'heap-trace': [
        {
          stack: ['DB::Aggregator::executeOnBlock()'],
          live_bytes: 5e6,
          objects: 7.5,
          samples: '4',
        },
      ],
    });
    expect(reply.json).toMatchObject({
      source: 'system.trace_log',
      totalBytes: 5e6,
      sampleCount: 4,
    });
    expect(shownText(reply)).toMatch(/Only what was allocated within the last 1 h is seen/);
    expect(shownText(reply)).toMatch(/4 samples.*weak evidence/);
  });

  it('says why there is none of them, with the first thing to do', async () => {
    const denied = new Failure('grant-missing', {
      what: 'Could not read system.jemalloc_profile_text on prod',
      why: 'user memprof lacks SELECT on it',
      paste: 'GRANT SELECT ON system.jemalloc_profile_text TO memprof',
    });
    const failing = askServer({ 'heap-profile': denied });
    await expect(failing).rejects.toThrow(
      /live heap of prod cannot be read.*user memprof lacks SELECT/,
    );
    await expect(failing).rejects.toMatchObject({ kind: 'grant-missing', paste: denied.paste });
    await expect(failing).rejects.toThrow(/a flushed dump: The config does not say how to read/);
  });

  it('tells the procedure for servers before 25.9', async () => {
    await expect(askServer(serverAges.get('24.8.5.1') ?? {})).rejects.toThrow(
      /this server has no such table.*switched by hand: MALLOC_CONF=background_thread:true,prof:true/,
    );
  });

  it('goes on to the next source when a stream breaks off in the middle', async () => {
    const broken = new Failure('target-unreachable', { what: 'The connection broke off' });
    const reply = await askServer({
      ...server,
      'heap-profile': broken,
      'heap-trace': [{ stack: ['a'], live_bytes: 5e6, objects: 7, samples: 12 }],
    });
    expect(shownText(reply)).toMatch(/system.jemalloc_profile_text \(The connection broke off\)/);
  });

  it('names the setting when the heap profile is empty', async () => {
    await expect(askServer({ 'heap-profile': '' })).rejects.toThrow(
      /The heap profile of prod is empty.*the global profiler is off/,
    );
  });

  it.each([
    [
      'a build without jemalloc',
      new Failure('feature-missing', { what: 'x', why: 'ClickHouse was built without jemalloc' }),
      'feature-missing',
    ],
    [
      'a profiler that is compiled out or switched off for good',
      new Failure('server-error', {
        what: 'x',
        why: 'ClickHouse answered with code 36: set MALLOC_CONF=background_thread:true,prof:true',
      }),
      'server-error',
    ],
  ] as const)('says the words of the server for %s', async (_, failure, kind) => {
    const failing = askServer({ 'heap-profile': failure, 'stats-text': failure });
    await expect(failing).rejects.toMatchObject({ kind });
    await expect(failing).rejects.toThrow(String(failure.why));
    await expect(failing).rejects.toThrow(/trace_log/);
  });

  it('says what came instead of a profile', async () => {
    await expect(askServer({ 'heap-profile': '<html>Bad Gateway</html>' })).rejects.toThrow(
      /live heap of prod cannot be read/,
    );
  });

  it('reads a profile of 60 MB, but attaches no file of it', async () => {
    // A stack is some hundred bytes: this one has names of ten kilobytes.
    const name = (index: number) => `DB::Something${index}<${'x'.repeat(10_000)}>::run()`;
    const stacks = Array.from({ length: 3000 }, (_, index) => ({
      stack: ['start_thread', name(index)],
      objects: 1,
      bytes: MiB,
    }));
    const reply = await askServer({ ...server, 'heap-profile': symbolizedText(stacks) });
    expect(Number(reply.json.totalBytes) / (3000 * MiB)).toBeCloseTo(1, 3);
    expect(reply.files).toEqual([]);
  });

  it('leaves out lines that make no sense, and says so', async () => {
    const cut = text.slice(0, text.lastIndexOf('@'));
    const reply = await askServer({ ...server, 'heap-profile': `${cut}@ 0x1010 what?\n` });
    expect(shownText(reply)).toMatch(/Left out of the profile: 1 line that made no sense/);
  });
});

describe('a heap profile that is cut off in the middle', () => {
  const answer = (cut: string) => askServer({ ...server, 'heap-profile': cut });

  it('within its stacks says that it may be, and how much of the heap it explains', async () => {
    const secondStack = text.indexOf('@', text.indexOf('@') + 1);
    const reply = await answer(text.slice(0, secondStack + 6));
    expect(shownText(reply)).toMatch(/150\.00 MiB of the 289\.88 MiB that jemalloc counts.*52%/);
    expect(shownText(reply)).toContain('it may be cut off');
  });

  it('within its names is no profile, and what to do is said', async () => {
    await expect(answer(text.slice(0, text.indexOf('--- heap') / 2))).rejects.toThrow(
      /heap_v2.*is missing.*the end of a file is lost when a copy is cut off/,
    );
  });
});

describe('heap of a Keeper', () => {
  const collapsed =
    'main;DB::KeeperStorage::processRequest();operator new(unsigned long) 1000000\n';

  it('is read by HTTP control', async () => {
    await using fake = await startFakeKeeper({
      pages: {
        '/jemalloc/stats': pageAnswers.text(stats),
        '/jemalloc/profile?format=collapsed': pageAnswers.text(collapsed),
      },
    });
    const sources = sourcesOf({ k: { kind: 'keeper', controlUrl: fake.controlUrl } });
    const reply = await ask(['k'], {}, jobContext({ sources }));
    expect(reply.json).toMatchObject({ totalBytes: 1_000_000, allocatedBytes: 297_829_840 });
    expect(shownText(reply)).toMatch(/Keeper never names them/);
    expect(shownText(reply)).not.toMatch(/Fragmentation/);
  });

  it('is read from a dump where only words are allowed', async () => {
    const dumpFolder = await mkdtemp(join(tmpdir(), 'memprof-test-keeper-'));
    try {
      await writeFile(join(dumpFolder, 'jemalloc_keeper.1.0.heap'), text);
      await using fake = await startFakeKeeper({
        words: { jmfp: wordAnswers.text('/tmp/jemalloc_keeper.1.0.heap\n') },
      });
      const { fourLetterWords } = fake;
      const sources = sourcesOf({ k: { kind: 'keeper', fourLetterWords, dumpFolder } });
      const reply = await ask(['k'], {}, jobContext({ sources }));
      expect(reply.json.source).toBe("Keeper's dump");
      const bare = sourcesOf({ k: { kind: 'keeper', fourLetterWords } });
      await expect(ask(['k'], {}, jobContext({ sources: bare }))).rejects.toThrow(
        /Set targets.k.controlUrl \(Keeper 26.4 or newer\), or mount the folder/,
      );
    } finally {
      await rm(dumpFolder, { recursive: true, force: true });
    }
  });
});

describe('the words of heap', () => {
  const read = (options: object) =>
    heap.read({ words: ['prod'], options: { ...options }, raw: '' }).args;

  it('are read with their defaults', () => {
    expect(read({})).toEqual({ target: 'prod', measure: 'bytes', hasInlines: true });
    expect(read({ by: 'COUNT', inline: 'off', focus: 'a', ignore: 'b', from: 'k7' })).toEqual({
      target: 'prod',
      measure: 'count',
      hasInlines: false,
      focus: 'a',
      ignore: 'b',
      from: 'k7',
    });
  });

  it('are refused with the usage', () => {
    expect(() => read({ by: 'size' })).toThrow(/by:size is none of bytes, count. Usage: heap/);
    expect(() => read({ inline: 'maybe' })).toThrow(/inline:maybe is none of on, off/);
    expect(() => read({ focus: '|' })).toThrow(/focus: needs a part/);
  });
});
