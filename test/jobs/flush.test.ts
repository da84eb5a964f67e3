import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flush } from '../../jobs/flush.ts';
import type { Reply } from '../../jobs/job.ts';
import { Failure } from '../../src/failure.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { createFakeClickHouse, type FakeAnswers } from '../fakes/fake-clickhouse.ts';
import { startFakeKeeper, wordAnswers } from '../fakes/fake-keeper.ts';
import { jobContext, sourcesOf } from '../support/job-context.ts';

const STATEMENT = 'SYSTEM JEMALLOC FLUSH PROFILE';
const PATH = '/tmp/jemalloc_clickhouse.4711.3.heap';

const ask = (command: string, context = jobContext(), options = {}): Promise<Reply> =>
  flush.run(flush.read({ words: [command], options, raw: command }).args, context);
const askServer = (answers: FakeAnswers, options = {}) =>
  ask('prod', jobContext({ clickhouse: createFakeClickHouse(answers) }), options);
const shownText = (reply: Reply) => messageAsText([...reply.head, ...reply.tail]);

describe('flush', () => {
  it('says where the dump lies, how to analyse it, and how many lie beside it', async () => {
    const reply = await askServer({ [STATEMENT]: `${PATH}.symbolized\n` });
    expect(reply.json).toMatchObject({
      paths: [`${PATH}.symbolized`],
      format: 'symbolized',
      earlierDumps: 3,
    });
    await expect(shownText(reply)).toMatchFileSnapshot('../golden/flush/symbolized.txt');
  });

  it('asks for symbols unless told otherwise', async () => {
    const asked: unknown[] = [];
    const answers: FakeAnswers = {
      [STATEMENT]: ({ settings }) => {
        asked.push(settings);
        return PATH;
      },
    };
    await askServer(answers);
    const raw = await askServer(answers, { format: 'raw' });
    expect(asked).toEqual([
      { jemalloc_profile_text_output_format: 'symbolized' },
      { jemalloc_profile_text_output_format: 'raw' },
    ]);
    expect(shownText(raw)).toMatch(/jeprof --text \/usr\/bin\/clickhouse \/tmp/);
  });

  it('lets a server before 26.2 choose the format', async () => {
    const answers: FakeAnswers = {
      [STATEMENT]: ({ settings }) =>
        settings === undefined
          ? PATH
          : new Failure('setting-refused', { what: 'x', why: 'the server knows no such setting' }),
    };
    const reply = await askServer(answers);
    expect(reply.json).toMatchObject({ paths: [PATH], format: 'raw' });
    expect(shownText(reply)).toMatch(/format was the server's choice: the server knows no such/);
  });

  it('says what a server before 25.9 needs, as it does not even name the file', async () => {
    const answers: FakeAnswers = {
      [STATEMENT]: ({ settings }) =>
        settings === undefined ? '' : new Failure('setting-refused', { what: 'x', why: 'y' }),
    };
    const reply = await askServer(answers);
    expect(reply.json).toMatchObject({ paths: [], earlierDumps: null });
    expect(reply.finding).toBe(
      'prod wrote a heap dump, but a server of this age does not say where.',
    );
    expect(shownText(reply)).toMatch(
      /newest \/tmp\/jemalloc_clickhouse.<pid>.<number>.heap there[\s\S]*MALLOC_CONF=.*ENABLE PROFILE/,
    );
  });

  it('fails as the server does', async () => {
    const denied = new Failure('grant-missing', { what: 'Could not flush the heap profile' });
    await expect(askServer({ [STATEMENT]: denied })).rejects.toThrow(/Could not flush/);
  });

  it('lists the dumps that lie in the folder that the config names', async () => {
    const dumpFolder = await mkdtemp(join(tmpdir(), 'memprof-test-flush-'));
    try {
      for (const number of [1, 2, 3]) {
        await writeFile(
          join(dumpFolder, `jemalloc_clickhouse.4711.${number}.heap`),
          'x'.repeat(500),
        );
      }
      const context = jobContext({
        clickhouse: createFakeClickHouse({ [STATEMENT]: PATH }),
        sources: sourcesOf({ prod: { url: 'http://h', dumpFolder } }),
      });
      const reply = await ask('prod', context);
      expect(reply.json.earlierDumps).toBe(2);
      expect(shownText(reply)).toMatch(/2 dumps of earlier reads lie beside it, 1000 B/);
      await rm(dumpFolder, { recursive: true });
      expect(shownText(await ask('prod', context))).toMatch(
        /Could not read .*, the dumpFolder of prod/,
      );
    } finally {
      await rm(dumpFolder, { recursive: true, force: true });
    }
  });
});

describe('flush of a Keeper', () => {
  it('is the word jmfp', async () => {
    const path = '/tmp/jemalloc_keeper.1.0.heap';
    await using fake = await startFakeKeeper({ words: { jmfp: wordAnswers.text(`${path}\n`) } });
    const sources = sourcesOf({ k: { kind: 'keeper', fourLetterWords: fake.fourLetterWords } });
    const reply = await ask('k', jobContext({ sources }));
    expect(reply.json.paths).toEqual([path]);
    expect(shownText(reply)).toMatch(/jeprof --text \/usr\/bin\/clickhouse-keeper/);
    expect(shownText(reply)).toMatch(/first dump of this server process/);
  });

  it('cannot be had by HTTP control', async () => {
    const sources = sourcesOf({ k: { kind: 'keeper', controlUrl: 'http://127.0.0.1:9182' } });
    await expect(ask('k', jobContext({ sources }))).rejects.toThrow(
      /Only the four-letter word jmfp does that.*targets.k.fourLetterWords, or ask heap/,
    );
  });
});

describe('the words of flush', () => {
  it('name a target and a format', () => {
    const read = (options: object) =>
      flush.read({ words: [], options: { on: 'prod', ...options }, raw: '' }).args;
    expect(read({})).toEqual({ target: 'prod', format: 'symbolized' });
    expect(read({ format: 'RAW' })).toEqual({ target: 'prod', format: 'raw' });
    expect(() => read({ format: 'svg' })).toThrow(
      /flush has no format svg. It has symbolized, raw, collapsed/,
    );
  });

  it('change a server, so they are restricted', () => {
    expect(flush.isRestricted).toBe(true);
  });
});
