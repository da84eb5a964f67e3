import { describe, expect, it } from 'vitest';
import { Failure } from '../src/failure.ts';
import { sentence } from '../src/sentence.ts';

describe('sentence', () => {
  it.each([
    ['the config has prod', 'The config has prod.'],
    ['nobody can approve in the shell.', 'Nobody can approve in the shell.'],
    ["jemalloc's own text", "jemalloc's own text."],
    ['readTimeoutMs of the target', 'readTimeoutMs of the target.'],
    ['trace_log is empty', 'trace_log is empty.'],
    ['system.trace_log is empty', 'system.trace_log is empty.'],
    ['prod-1 did not answer', 'prod-1 did not answer.'],
    ['memprof stopped', 'memprof stopped.'],
    ['it said: no!', 'It said: no!'],
    ['gone', 'Gone.'],
    ['', '.'],
  ])('makes of "%s" "%s"', (text, expected) => expect(sentence(text)).toBe(expected));
});

describe('the message of a failure', () => {
  it('joins its parts as sentences, and begins as it was written', () => {
    const { message } = new Failure('unknown-target', {
      what: 'nosuch is no target',
      why: 'the config has prod',
      fix: 'use that one',
    });
    expect(message).toBe('nosuch is no target. The config has prod. Use that one.');
  });
});
