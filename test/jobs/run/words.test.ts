import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { capsInForce } from '../../../jobs/run/words.ts';
import { run } from '../../../jobs/run.ts';
import { runWords } from '../../../src/cli/run.ts';
import { parseCommand, wordsOfArguments } from '../../../src/command.ts';

const GiB = 2 ** 30;
const allowed = { seconds: 60, memoryBytes: 8 * GiB, readRows: 1e9, readBytes: 100 * GiB };

/** As it comes from chat. */
function readTyped(text: string) {
  const command = parseCommand(`/memprof run ${text}`, [run]);
  if (command.kind !== 'job') throw new Error(`not understood: ${command.kind}`);
  return run.read(command.words).args;
}

describe('the words of run', () => {
  it('are caps first, then the statement as it stands', () => {
    expect(
      readTyped('on:prod time:30s memory:4GiB rows:1_000_000 SELECT \'a:b\',  "x y" FROM t'),
    ).toEqual({
      target: 'prod',
      sql: 'SELECT \'a:b\',  "x y" FROM t',
      caps: { seconds: 30, memoryBytes: 4 * GiB, readRows: 1_000_000 },
    });
  });

  it('may have a fence round the statement, and a semicolon at its end', () => {
    const { sql } = readTyped('on:prod ```sql\nSELECT 1\n  FROM t;\n```');
    expect(sql).toBe('SELECT 1\n  FROM t');
  });

  it('take the server from the end, where forms and buttons put it', () => {
    expect(readTyped('SELECT 1; on:prod')).toEqual({ target: 'prod', sql: 'SELECT 1', caps: {} });
    expect(readTyped('on:prod SELECT 1 on:other')).toMatchObject({ target: 'prod' });
  });

  it('never read who approved it', () => {
    expect(readTyped('on:prod approvedBy:U9 SELECT 1')).not.toHaveProperty('approvedBy');
  });

  it.each([
    ['on:prod', /run needs a SELECT/],
    ['on:prod ``', /run needs a SELECT/],
    ['SELECT 1', /run needs a server/],
    ['on:prod time:0s SELECT 1', /time: must be more than 0/],
    ['on:prod memory:0 SELECT 1', /memory: must be more than 0/],
    ['on:prod time:soon SELECT 1', /time:soon is not a span of time/],
    ['on:prod rows:many SELECT 1', /rows:many is not a number of rows/],
    ['on:prod rows:-1 SELECT 1', /rows: must be more than 0/],
    [`on:prod SELECT '${'x'.repeat(20_001)}'`, /statement is too long/],
  ])('"%s" are refused with a sentence', (text, sentence) => {
    expect(() => readTyped(text)).toThrow(sentence);
  });
});

describe('the caps in force', () => {
  it('are what was asked for, else what the config allows', () => {
    expect(capsInForce({ seconds: 10 }, allowed)).toEqual({ ...allowed, seconds: 10 });
  });

  it('are never more than the config allows', () => {
    expect(() => capsInForce({ memoryBytes: 9 * GiB }, allowed)).toThrow(
      /memory: asks for more than the config allows.*memory:8589934592/,
    );
  });
});

describe('run in the shell', () => {
  const none = Readable.from([]);

  it('takes the statement from standard input, its caps as options', async () => {
    const input = Readable.from(['--time=5s is a comment\nSELECT 1\n']);
    const words = await runWords([], { sqlFile: '-', time: '20s' }, input);
    const { args } = run.read({ ...wordsOfArguments(words), options: { on: 'prod' } });
    expect(args).toEqual({
      target: 'prod',
      sql: '--time=5s is a comment\nSELECT 1',
      caps: { seconds: 20 },
    });
  });

  it('says which file cannot be read, and that one statement is enough', async () => {
    await expect(runWords([], { sqlFile: '/nowhere/q.sql' }, none)).rejects.toThrow(
      /Could not read \/nowhere\/q.sql/,
    );
    await expect(runWords(['SELECT', '1'], { sqlFile: '-' }, none)).rejects.toThrow(
      /a statement and a file with one/,
    );
  });
});
