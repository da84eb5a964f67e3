import { describe, expect, it } from 'vitest';
import { digest } from '../../jobs/digest.ts';
import type { Desk } from '../../jobs/job.ts';
import { Failure } from '../../src/failure.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { createFakeSchedules } from '../fakes/fake-schedules.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { createTestDesk, runErrand } from '../support/desk.ts';
import { jobContext } from '../support/job-context.ts';

const targets: Desk['targets'] = [
  { name: 'chi-1', kind: 'clickhouse', group: 'prod' },
  { name: 'chi-2', kind: 'clickhouse', group: 'prod' },
  { name: 'staging', kind: 'clickhouse' },
  { name: 'keeper-1', kind: 'keeper', group: 'prod' },
];

function desk(changes: Partial<Desk> = {}) {
  const schedules = createFakeSchedules();
  const store = createFakeStore();
  return { ...createTestDesk({ targets, ...changes }), schedules, store };
}

async function say(words: readonly string[], on: Desk): Promise<string> {
  const reply = await runErrand(digest, words, on);
  return messageAsText([...reply.head, ...reply.tail]).trim();
}

const ADD = ['add', 'all', 'every', 'monday', '9:00', 'tz:Europe/Berlin'];

describe('digest add', () => {
  it('sets up what was said and reads it back with its next run', async () => {
    const on = desk();
    expect(await say(ADD, on)).toBe(
      [
        'Digest dk7f2m is set up for this channel, now of 3 servers.',
        'all: At 09:00, only on Monday (Europe/Berlin); next 2026-09-28 07:00 UTC, in 6 d 17 h; silent below a change of 10%',
        'Left out: keeper-1, a Keeper, which has no tables that tell of waste by size class; ask stats keeper-1 for its memory.',
        'Run it now: digest now dk7f2m · pause it: digest pause dk7f2m · remove it: digest remove dk7f2m',
      ].join('\n\n'),
    );
    expect((await on.schedules.get('dk7f2m'))?.schedule).toMatchObject({
      ...{ channel: 'C1', targets: 'all', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
      ...{ minChangeShare: 0.1, isAlwaysPosted: false, isPaused: false, createdBy: 'U1' },
    });
  });

  it('has defaults', async () => {
    const on = desk();
    await say(['add', 'chi-1'], on);
    const [found] = await on.schedules.list('C1');
    expect(found?.schedule).toMatchObject({ cron: '0 9 * * 1', timeZone: 'UTC', targets: 'chi-1' });
  });

  it('takes a cron pattern, a group, and a change of its own', async () => {
    const on = desk();
    const said = await say(['add', 'prod', 'cron:30 6 * * 1-5', 'min-change:25%', 'always'], on);
    expect(said).toContain('now of 2 servers');
    expect(said).toContain('prod: At 06:30, Monday through Friday (UTC)');
    expect(said).toContain('posts every run');
  });

  it('sets up one digest when the same request comes twice', async () => {
    const on = desk();
    await say(ADD, on);
    await say(ADD, on);
    expect(await on.schedules.list('C1')).toHaveLength(1);
  });

  it('asks for the right on every server that it covers', async () => {
    const asked: unknown[] = [];
    const on = desk({
      requireRight: (verb, target, channel) => {
        asked.push([verb, target, channel]);
        if (target === 'chi-2') throw new Failure('not-allowed', { what: 'You may not' });
      },
    });
    await expect(say(['add', 'prod'], on)).rejects.toMatchObject({ kind: 'not-allowed' });
    expect(asked).toEqual([
      ['digest', 'chi-1', 'C1'],
      ['digest', 'chi-2', 'C1'],
    ]);
    expect(await on.schedules.list()).toEqual([]);
  });

  it.each([
    [['add'], /digest add needs a server, a group of servers, or all\. Usage: digest add/],
    [
      ['add', 'nowhere'],
      'There is no server or group named nowhere. The config has chi-1, chi-2, staging, prod. Use one of these names, or all.',
    ],
    [
      ['add', 'keeper-1'],
      'A digest cannot cover the Keeper keeper-1. A Keeper has no tables that tell of waste by size class. Ask stats keeper-1 for its memory, or name a ClickHouse server.',
    ],
    [
      ['add', 'all', 'every', 'blue', 'moon'],
      /"every blue moon" does not say when the digest runs/,
    ],
    [
      ['add', 'all', 'cron:banana'],
      /"banana" is not a cron pattern that memprof understands\. It has 1 of five fields/,
    ],
    [['add', 'all', 'cron:* * * * * *'], /seconds are finer than a digest can be/],
    [['add', 'all', 'cron:* * * * *'], /A digest cannot run that often/],
    [
      ['add', 'all', 'tz:Europe/Berln'],
      /There is no time zone Europe\/Berln\..*Did you mean tz:Europe\/Berlin\?/,
    ],
    [
      ['add', 'all', 'every', 'monday', 'cron:0 9 * * 1'],
      /by words or by a cron pattern, not by both/,
    ],
    [['add', 'all', 'min-change:some'], /min-change:some is not a percentage/],
    [['add', 'all', 'zone:UTC'], /digest has no option zone/],
    [['sing'], 'digest cannot sing. It can add, list, remove, pause, resume, now.'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    await expect((async () => say(args, desk()))()).rejects.toThrow(sentence);
  });

  it('refuses a channel that memprof is not in', async () => {
    const on = { ...createTestDesk({ targets }, { members: { C1: ['U1'] } }) };
    await expect(say(ADD, on)).rejects.toMatchObject({
      kind: 'not-in-channel',
      fix: 'Type /invite @memprof here, then try again',
    });
  });
});

describe('digest list, remove, pause, resume and now', () => {
  it('lists the digests of this channel, and what troubles them', async () => {
    const on = desk();
    expect(await say(['list'], on)).toBe(
      'This channel has no digest.\n\nSet one up: digest add all every monday 9:00',
    );
    await say(ADD, on);
    const schedule = (await on.schedules.get('dk7f2m'))?.schedule;
    await on.schedules.put({ ...schedule!, isPaused: true, trouble: 'memprof is not in it.' });
    await on.schedules.put({ ...schedule!, id: 'other', channel: 'C2' });
    expect(await say([], on)).toBe(
      [
        'dk7f2m all: At 09:00, only on Monday (Europe/Berlin); paused; silent below a change of 10%',
        'Its last run could not be posted. memprof is not in it.',
        'Set up by @U1',
      ].join('\n\n'),
    );
  });

  it('means the only digest of a channel when no id is given', async () => {
    const on = desk();
    await expect(say(['now'], on)).rejects.toThrow(
      'The command does not say which digest. This channel has none.',
    );
    await say(ADD, on);
    expect(await say(['now'], on)).toBe('Digest dk7f2m is being made; it will be posted here.');
    expect(on.schedules.asked).toEqual([
      { digestId: 'dk7f2m', askedBy: 'U1', requestId: 'k7f2m9qd' },
    ]);
  });

  it('is made once when two people ask for it at once, and the second is told of the first', async () => {
    const on = desk();
    await say(ADD, on);
    await say(['now'], on);
    const reply = await digest.run(digest.read({ words: ['now'], options: {}, raw: 'now' }).args, {
      ...jobContext(),
      investigationId: 'second01',
      desk: { ...on, user: 'U2' },
    });
    expect(reply.finding).toMatch(
      /^Digest dk7f2m is on its way already, asked for by <@U1> at \d\d:\d\d:\d\d UTC; that one will be posted here\.$/,
    );
    expect(on.schedules.asked).toHaveLength(1);
  });

  it('pauses and resumes', async () => {
    const on = desk();
    await say(ADD, on);
    expect(await say(['pause', 'DK7F2M'], on)).toContain('is paused');
    expect((await on.schedules.get('dk7f2m'))?.schedule.isPaused).toBe(true);
    expect(await say(['pause'], on)).toContain('is paused already');
    expect(await say(['resume'], on)).toContain('runs again');
  });

  it('removes a digest with what it remembered', async () => {
    const on = desk();
    await say(ADD, on);
    await on.store.keepDigestState('dk7f2m', { runs: 1 });
    expect(await say(['remove', 'dk7f2m'], on)).toContain('is removed');
    expect(await on.schedules.list()).toEqual([]);
    expect(await on.store.digestState('dk7f2m')).toBeUndefined();
    await expect(say(['remove', 'dk7f2m'], on)).rejects.toThrow('There is no digest dk7f2m here');
  });

  it('does not show the digest of another channel to anybody but who set it up', async () => {
    const on = desk();
    await say(ADD, on);
    const stranger = { ...on, user: 'U2', place: { channel: 'C2' } };
    await expect(say(['remove', 'dk7f2m'], stranger)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await say(['remove', 'dk7f2m'], { ...on, place: { channel: 'C2' } })).toContain(
      'is removed',
    );
  });
});
