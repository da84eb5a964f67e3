import { describe, expect, it } from 'vitest';
import type { Job } from '../jobs/job.ts';
import { nearest, parseCommand, requireKnownOptions, wordsOfArguments } from '../src/command.ts';

const job = (name: string): Job => ({
  name,
  summary: `Do ${name}`,
  usage: `${name} <object>`,
  example: `${name} x`,
  isRestricted: false,
  runsInShell: true,
  read: ({ words }) => ({ args: { words } }),
  run: () => Promise.reject(new Error('not run here')),
});
const jobs = ['peak', 'heap', 'frag', 'status', 'attach'].map(job);
const parse = (text: string) => parseCommand(text, jobs);
const wordsOf = (text: string) => {
  const command = parse(text);
  return command.kind === 'job' ? command.words : command.kind;
};

describe('parseCommand', () => {
  it('reads verb, words and key:value options', () => {
    expect(wordsOf('peak 8678d8fe on:chi-3')).toEqual({
      words: ['8678d8fe'],
      options: { on: 'chi-3' },
      raw: '8678d8fe on:chi-3',
    });
  });

  it.each([
    ['"8678 d8fe"', '8678 d8fe'],
    ["'8678d8fe'", '8678d8fe'],
    ['`8678d8fe`', '8678d8fe'],
    ['```8678d8fe```', '8678d8fe'],
    ['“8678d8fe”', '8678d8fe'],
    ['«8678d8fe»', '8678d8fe'],
    ['"on:chi-3"', 'on:chi-3'],
    ["it's", "it's"],
    ['"never closed', '"never'],
  ])('takes the quotes off %s', (typed, word) => {
    expect(wordsOf(`peak ${typed}`)).toMatchObject({ words: expect.arrayContaining([word]) });
  });

  it('keeps blanks inside a quoted option value', () => {
    expect(wordsOf('heap chi-3 cron:"0 9 * * 1" tz:Europe/Berlin')).toMatchObject({
      words: ['chi-3'],
      options: { cron: '0 9 * * 1', tz: 'Europe/Berlin' },
    });
  });

  it('does not take a link or an address for an option', () => {
    expect(wordsOf('attach ab12 https://w.slack.com/archives/C1/p17?thread_ts=1.2')).toMatchObject({
      words: ['ab12', 'https://w.slack.com/archives/C1/p17?thread_ts=1.2'],
      options: {},
    });
  });

  it('does not mind a repeated command name, capitals or blanks', () => {
    expect(wordsOf('  /memprof PEAK  x ')).toMatchObject({ words: ['x'] });
  });

  it('knows no help about a verb that there is not, and names the nearest', () => {
    expect(parse('help paek')).toEqual({ kind: 'unknown', verb: 'paek', corrected: 'help peak' });
    expect(parse('help zork')).toEqual({ kind: 'unknown', verb: 'zork' });
  });

  it('tells help, help of a verb, and nothing typed apart', () => {
    expect(parse('')).toEqual({ kind: 'empty' });
    expect(parse('   ')).toEqual({ kind: 'empty' });
    expect(parse('help').kind).toBe('help');
    for (const text of ['help peak', 'peak help', 'peak --help', '--help peak']) {
      expect(parse(text)).toMatchObject({ kind: 'help', job: { name: 'peak' } });
    }
  });

  it('corrects a typo to a whole command, for a button', () => {
    expect(parse('peek 8678d8fe on:chi-3')).toEqual({
      kind: 'unknown',
      verb: 'peek',
      corrected: 'peak 8678d8fe on:chi-3',
    });
  });

  it('takes a query id alone for a peak that was meant', () => {
    const id = '8678d8fe-7a0b-4c1d-9e2f-001122334455';
    expect(parse(id)).toEqual({ kind: 'unknown', verb: id, corrected: `peak ${id}` });
  });

  it('says nothing when nothing is near', () => {
    expect(parse('xyzzy plugh')).toEqual({ kind: 'unknown', verb: 'xyzzy' });
    expect(parse('constructor x')).toEqual({ kind: 'unknown', verb: 'constructor' });
  });
});

describe('wordsOfArguments', () => {
  it('reads both ways of writing an option', () => {
    expect(
      wordsOfArguments(['id', '--on', 'chi-3', '--by=count', 'focus:Hash Join']),
    ).toMatchObject({
      words: ['id'],
      options: { on: 'chi-3', by: 'count', focus: 'Hash Join' },
    });
  });
});

describe('requireKnownOptions', () => {
  it('names the nearest option', () => {
    const words = wordsOfArguments(['--targt=x']);
    expect(() => requireKnownOptions(job('peak'), words, ['target'])).toThrow(
      /no option targt.*Did you mean target:x/,
    );
  });
});

describe('nearest', () => {
  it('accepts a beginning and a small slip, nothing more', () => {
    expect(nearest('sta', ['status', 'peak'])).toBe('status');
    expect(nearest('haep', ['heap', 'peak'])).toBe('heap');
    expect(nearest('hep', ['heap', 'peak'])).toBe('heap');
    expect(nearest('delete', ['heap', 'peak'])).toBeUndefined();
  });
});
