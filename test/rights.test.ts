import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { requireRight } from '../src/rights.ts';

const config = (rights: string) =>
  readConfig(
    `targets:
  prod-1: { url: 'http://a', group: prod }
  test-1: { url: 'http://b' }
rights:${rights}`,
    {},
    'memprof.yaml',
  );
const anna = { user: 'U0ANNA', groups: ['S0DBA'], channel: 'C0ONCALL' };
const bert = { user: 'U0BERT', groups: [], channel: 'C0GENERAL' };
const peak = { verb: 'peak', target: 'prod-1', isRestricted: false };
const flush = { verb: 'flush', target: 'prod-1', isRestricted: true };

describe('requireRight', () => {
  it('lets everybody read while no right speaks of the verb', () => {
    expect(() => requireRight(config(' []'), bert, peak)).not.toThrow();
  });

  it('closes what changes a server until a right opens it, and says what to add', () => {
    expect(() => requireRight(config(' []'), anna, flush)).toThrow(/flush on prod-1.*closed/);
  });

  it('opens a verb for a user group on a group of targets', () => {
    const rights = config(' [{ verbs: [flush], targets: [prod], who: [S0DBA] }]');
    expect(() => requireRight(rights, anna, flush)).not.toThrow();
    expect(() => requireRight(rights, bert, flush)).toThrow(/not among them/);
    expect(() => requireRight(rights, anna, { ...flush, target: 'test-1' })).toThrow(/closed/);
  });

  it('closes a reading verb for everybody else once a right names it', () => {
    const rights = config(' [{ verbs: [peak], who: [U0ANNA], channels: [C0ONCALL] }]');
    expect(() => requireRight(rights, anna, peak)).not.toThrow();
    expect(() => requireRight(rights, { ...anna, channel: 'C0GENERAL' }, peak)).toThrow();
    expect(() => requireRight(rights, bert, peak)).toThrow();
  });

  it('never opens a changing verb by a star', () => {
    expect(() => requireRight(config(" [{ verbs: ['*'] }]"), anna, flush)).toThrow(/closed/);
  });

  it('does not mix two rights: the person of one with the channel of the other', () => {
    const rights = config(
      ' [{ verbs: [flush], who: [U0ANNA], channels: [C0X] }, { verbs: [flush], who: [U0BERT], channels: [C0ONCALL] }]',
    );
    expect(() => requireRight(rights, anna, flush)).toThrow();
  });
});
