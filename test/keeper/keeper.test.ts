import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import { readConfig } from '../../src/config.ts';
import { Failure } from '../../src/failure.ts';
import { createKeeper } from '../../src/keeper/keeper.ts';
import type { KeeperWord } from '../../src/ports.ts';
import {
  type FakeKeeper,
  pageAnswers,
  startFakeKeeper,
  type WordAnswer,
  wordAnswers,
} from '../fakes/fake-keeper.ts';

const stats = readFileSync('test/fixtures/allocator/stats-5.3.0.txt', 'utf8');
const options = { signal: new AbortController().signal, deadlineMs: 10_000 };

const keeperAt = (target: Record<string, unknown>) =>
  createKeeper(
    readConfig(JSON.stringify({ targets: { k: { kind: 'keeper', ...target } } }), {}, 'test'),
  );
const wordsOf = ({ fourLetterWords }: FakeKeeper) => keeperAt({ fourLetterWords });
const controlOf = ({ controlUrl }: FakeKeeper) => keeperAt({ controlUrl });

const failureOf = async (answer: Promise<unknown>): Promise<Failure> => {
  const thrown = await answer.then(
    () => expect.unreachable('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof Failure)) throw thrown;
  return thrown;
};

const wordFailure = async (answer: WordAnswer, deadlineMs = 10_000, word: KeeperWord = 'jmst') => {
  await using fake = await startFakeKeeper({ words: { [word]: answer } });
  return await failureOf(wordsOf(fake).word('k', word, { ...options, deadlineMs }));
};

describe('four-letter words', () => {
  it('bring statistics that can be read', async () => {
    await using fake = await startFakeKeeper({ words: { jmst: wordAnswers.text(stats) } });
    const text = await wordsOf(fake).word('k', 'jmst', options);
    expect(parseStatsText(text).totals.allocatedBytes).toBe(1_229_888);
    expect(fake.asked).toEqual(['jmst']);
  });

  it('are read to the end, however they come', async () => {
    const path = '/tmp/jemalloc_keeper.1.0.heap';
    await using fake = await startFakeKeeper({ words: { jmfp: wordAnswers.bytewise(path) } });
    expect(await wordsOf(fake).word('k', 'jmfp', options)).toBe(path);
  });

  it('without an answer were refused: the white list is named', async () => {
    const failure = await wordFailure(wordAnswers.refuse);
    expect(failure.kind).toBe('feature-off');
    expect(failure.message).toMatch(
      /closed the connection without an answer to "jmst".*white_list/,
    );
    expect(failure.paste).toMatch(/<four_letter_word_white_list>.*jmst,jmfp/);
    const flush = await wordFailure(wordAnswers.refuse, 10_000, 'jmfp');
    expect(flush.why).toMatch(/without its profiler \(jemalloc_enable_global_profiler\)/);
  });

  it('time out with what came until then', async () => {
    const nothing = await wordFailure(wordAnswers.never, 50);
    expect(nothing.kind).toBe('query-timeout');
    expect(nothing.message).toMatch(/within 0.05 s. Not a byte came/);
    const half = await wordFailure(wordAnswers.stayOpen('___ Begin'), 200);
    expect(half.message).toMatch(/9 bytes came, but not the end/);
  });

  it('break off with a sentence', async () => {
    const atOnce = await wordFailure(wordAnswers.reset);
    expect(atOnce).toMatchObject({ kind: 'target-unreachable', retry: true });
    expect(atOnce.message).toMatch(/Could not reach Keeper k at 127.0.0.1:\d+. .*ECONNRESET/);
    const midway = await wordFailure(wordAnswers.resetAfter('___ Begin'));
    expect(midway.message).toMatch(
      /broke off in the middle of its answer to "jmst".*after 9 bytes/,
    );
  });

  it('to nobody name the address', async () => {
    const fake = await startFakeKeeper({});
    await fake[Symbol.asyncDispose]();
    const failure = await failureOf(wordsOf(fake).word('k', 'jmst', options));
    expect(failure.message).toMatch(/Could not reach Keeper k at 127.0.0.1:\d+. .*ECONNREFUSED/);
  });

  it('stop when the investigation does', async () => {
    await using fake = await startFakeKeeper({ words: { jmst: wordAnswers.never } });
    const stop = new AbortController();
    const answer = wordsOf(fake).word('k', 'jmst', { ...options, signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    expect((await failureOf(answer)).kind).toBe('cancelled');
    const late = wordsOf(fake).word('k', 'jmst', { ...options, signal: stop.signal });
    expect((await failureOf(late)).kind).toBe('cancelled');
  });

  it('do not fill the memory with an endless answer', async () => {
    expect((await wordFailure(wordAnswers.endless)).message).toMatch(
      /is no Keeper. It sends without end/,
    );
  });

  it.each([
    [
      'the HTTP port of a ClickHouse',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      /an HTTP server.*kind: clickhouse/,
    ],
    [
      'the native port of a ClickHouse',
      '\x02\x65\0\0\0\x11DB::NetException2DB::NetException: Unexpected packet from client',
      /native protocol.*kind: clickhouse/,
    ],
    ['a port with TLS', '\x15\x03\x01\x00\x02\x02\x46', /speaks TLS.*tls: true/],
    [
      'a ZooKeeper',
      'jmst is not executed because it is not in the whitelist.\n',
      /a ZooKeeper.*no jemalloc to ask/,
    ],
  ])('tell %s from a Keeper', async (_, answer, words) => {
    const failure = await wordFailure((socket) => socket.end(Buffer.from(answer, 'latin1')));
    expect(failure.kind).toBe('config');
    expect(failure.message).toMatch(words);
  });

  it('reach a Keeper whose port speaks TLS only with tls: true', async () => {
    await using fake = await startFakeKeeper({ words: { jmst: wordAnswers.text(stats) } });
    const { fourLetterWords } = fake;
    const failure = await failureOf(
      keeperAt({ fourLetterWords, tls: true }).word('k', 'jmst', options),
    );
    expect(failure.kind).toBe('target-unreachable');
  });
});

describe('the HTTP control', () => {
  it('gives pages, asked by their paths', async () => {
    const heap = Buffer.from('heap_v2/524288\n');
    await using fake = await startFakeKeeper({
      pages: {
        '/jemalloc/stats': pageAnswers.text(stats),
        '/jemalloc/profile?format=raw': pageAnswers.text(heap),
      },
    });
    const keeper = controlOf(fake);
    expect(Buffer.from(await keeper.page('k', 'stats', options)).toString()).toBe(stats);
    expect(Buffer.from(await keeper.page('k', 'raw-profile', options))).toEqual(heap);
    expect(fake.asked).toEqual(['/jemalloc/stats', '/jemalloc/profile?format=raw']);
  });

  it.each([
    [404, 'Not Found', 'feature-missing', /pages of jemalloc came with 26.4.*fourLetterWords/],
    [501, '', 'feature-missing', /built without jemalloc/],
    [500, 'jemalloc profiling is disabled', 'feature-off', /500: jemalloc profiling is disabled/],
    [502, '<html>\nBad Gateway', 'server-error', /502: <html> Bad Gateway.*not to a proxy/],
  ])('answers %i with a sentence', async (status, body, kind, words) => {
    await using fake = await startFakeKeeper({
      pages: { '/jemalloc/stats': pageAnswers.text(body, status) },
    });
    const failure = await failureOf(controlOf(fake).page('k', 'stats', options));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(words);
  });

  it('tells the HTTP port of a ClickHouse from a Keeper', async () => {
    await using fake = await startFakeKeeper({
      pages: {
        '/jemalloc/stats': (response) =>
          response
            .writeHead(404, { 'X-ClickHouse-Server-Display-Name': 'chi-3' })
            .end('There is no handle /jemalloc/stats\n'),
      },
    });
    const failure = await failureOf(controlOf(fake).page('k', 'stats', options));
    expect(failure.kind).toBe('config');
    expect(failure.message).toMatch(
      /k is no Keeper: a ClickHouse server answers.*kind: clickhouse/,
    );
  });

  it('breaks off, is silent or is not there, with a sentence each', async () => {
    await using fake = await startFakeKeeper({
      pages: {
        '/jemalloc/stats': pageAnswers.breakOff,
        '/jemalloc/status': pageAnswers.never,
      },
    });
    const broken = await failureOf(controlOf(fake).page('k', 'stats', options));
    expect(broken.message).toMatch(/Could not reach the HTTP control of Keeper k/);
    const silent = await failureOf(
      controlOf(fake).page('k', 'status', { ...options, deadlineMs: 50 }),
    );
    expect(silent.message).toMatch(
      /No whole answer from the HTTP control of Keeper k within 0.05 s/,
    );
    const nowhere = await failureOf(
      keeperAt({ controlUrl: 'http://127.0.0.1:1' }).page('k', 'stats', options),
    );
    expect(nowhere.kind).toBe('target-unreachable');
  });

  it.each([
    ['http://127.0.0.1:9182', false],
    ['http://localhost:9182', false],
    ['http://[::1]:9182', false],
    ['http://keeper-1.example:9182', true],
    ['http://10.0.0.5:9182', true],
    ['http://[2001:db8::1]:9182', true],
  ])('is exposed at %s: %s', (controlUrl, isControlExposed) => {
    expect(keeperAt({ controlUrl }).ways('k')).toEqual({
      hasWords: false,
      hasControl: true,
      isControlExposed,
    });
  });
});

describe('a way that the config does not name', () => {
  it('is said with the key that is missing', async () => {
    const words = keeperAt({ fourLetterWords: 'h:9181' });
    expect((await failureOf(words.page('k', 'stats', options))).message).toMatch(
      /targets.k.controlUrl is not set/,
    );
    const control = keeperAt({ controlUrl: 'http://h:9182' });
    expect((await failureOf(control.word('k', 'jmst', options))).message).toMatch(
      /targets.k.fourLetterWords is not set/,
    );
  });

  it('and a ClickHouse server is no Keeper', () => {
    const config = readConfig('targets: { c: { url: "http://h:8123" } }', {}, 'test');
    expect(createKeeper(config).isKeeper('c')).toBe(false);
    expect(keeperAt({ fourLetterWords: 'h:9181' }).isKeeper('k')).toBe(true);
    expect(() => createKeeper(config).ways('c')).toThrow(/c is no Keeper/);
    expect(() => createKeeper(config).ways('x')).toThrow(/no target named x/);
  });
});
