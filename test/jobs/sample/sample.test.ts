import { describe, expect, it } from 'vitest';
import type { Job, JobContext, Reply } from '../../../jobs/job.ts';
import { missingForSampling } from '../../../jobs/sample/grants.ts';
import { createSamplingWatch } from '../../../jobs/sample/watch.ts';
import { sample } from '../../../jobs/sample.ts';
import { Failure } from '../../../src/failure.ts';
import type { Sampling } from '../../../src/ports.ts';
import { messageAsText } from '../../../templates/text/message.ts';
import { createFakeAccess } from '../../fakes/fake-access.ts';
import { createFakeChat } from '../../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../../fakes/fake-delivery-record.ts';
import { createFakeLeases } from '../../fakes/fake-leases.ts';
import { createTestDesk } from '../../support/desk.ts';
import { jobContext, sampleMoment, sourcesOf } from '../../support/job-context.ts';
import { silentLog } from '../../support/silent-log.ts';

const MINUTE = 60e6;
const never = () => new AbortController().signal;

function bench() {
  let nowMicros = sampleMoment;
  let isRedisAway = false;
  const access = createFakeAccess();
  const fake = createFakeLeases();
  const leases = {
    ...fake,
    list: async () => {
      if (isRedisAway) throw new Failure('store-unavailable', { what: 'Redis is away' });
      return fake.list();
    },
  };
  const chat = createFakeChat();
  const clock = { nowMicros: () => nowMicros };
  const sampling: Sampling = {
    leases,
    targets: ['prod'],
    policy: (target) =>
      target === 'prod'
        ? { grantees: ['etl', 'bi'], maxMinutes: 30, profile: 'memprof_sampling' }
        : undefined,
  };
  const ports = { clickhouse: access, clock, sampling };
  const watchPorts = { ...ports, chat, deliveries: createFakeDeliveryRecord(), log: silentLog };
  const newWatch = (name = 'w1') => createSamplingWatch(watchPorts, name);
  const context = (user: string, id: string): JobContext => {
    const given = jobContext();
    return {
      ...given,
      investigationId: id,
      askedBy: `<@${user}>`,
      place: { channel: 'C1', threadTs: '1790000000.000100' },
      ports: { ...given.ports, clock, clickhouse: access, sources: { ...sourcesOf({}), sampling } },
    };
  };
  const ask = (words: string, user = 'U1', id = 'aaaa1111'): Promise<Reply> => {
    const command = { words: words.split(' '), options: { on: 'prod' }, raw: words };
    return sample.run(sample.read(command).args, context(user, id));
  };
  return {
    ...{ access, leases, chat, ask, newWatch, context, sampling },
    loseRedis: () => fake.lose(),
    redisAway: (isAway: boolean) => {
      isRedisAway = isAway;
    },
    pass: (minutes: number) => {
      nowMicros += minutes * MINUTE;
    },
  };
}

const shown = ({ head, tail }: Reply) => messageAsText([...head, ...tail]);

describe('sample', () => {
  it('switches sampling on with its end written down, and says when it ends', async () => {
    const { ask, access, leases } = bench();
    const reply = await ask('start etl 10');
    expect(access.statements).toEqual([
      'CREATE SETTINGS PROFILE IF NOT EXISTS `memprof_sampling` SETTINGS jemalloc_enable_profiler = 1, jemalloc_collect_profile_samples_in_trace_log = 1 TO `etl`',
    ]);
    expect(await leases.list()).toMatchObject([{ grantee: 'etl', isConfirmed: true }]);
    await expect(shown(reply)).toMatchFileSnapshot('../../golden/sample/started.txt');
  });

  it('ends by itself, says so once with the time of the check, and forgets it', async () => {
    const { ask, access, leases, chat, newWatch, pass } = bench();
    await ask('start etl 10');
    pass(9.9);
    await newWatch().tick(never());
    expect(access.grantees()).toEqual(['etl']);
    pass(0.2);
    await newWatch('w1').tick(never());
    await newWatch('w2').tick(never());
    expect(access.grantees()).toEqual([]);
    expect(access.statements.at(-1)).toMatch(
      /^ALTER SETTINGS PROFILE `memprof_sampling` .* TO NONE$/,
    );
    expect(await leases.list()).toEqual([]);
    await expect(chat.transcript()).toMatchFileSnapshot('../../golden/sample/ended.txt');
  });

  it('refuses before anything is written down where grants are missing, and says which to ask for', async () => {
    const { ask, access, leases } = bench();
    access.setGrants([
      'GRANT CREATE, ALTER, SHOW ON *.* TO memprof_bot',
      'GRANT CREATE SETTINGS PROFILE ON *.* TO memprof_bot',
      'GRANT SELECT ON system.* TO memprof_bot',
    ]);
    await expect(ask('start etl 10')).rejects.toMatchObject({
      kind: 'grant-missing',
      paste: [
        'GRANT ALTER SETTINGS PROFILE ON *.* TO memprof_bot;',
        'GRANT SHOW SETTINGS PROFILES ON *.* TO memprof_bot;',
      ].join('\n'),
    });
    expect(await leases.list()).toEqual([]);
    expect(access.statements).toEqual([]);
  });

  it('leaves no lease behind where a server that tells nothing of grants refuses', async () => {
    const { ask, access, leases, chat, newWatch } = bench();
    access.setGrants(['GRANT bots TO memprof']);
    access.refuse();
    await expect(ask('start etl 10')).rejects.toMatchObject({ kind: 'grant-missing' });
    expect(await leases.list()).toEqual([]);
    await newWatch().tick(never());
    expect(chat.transcript().trim()).toBe('');
  });

  it("keeps a user sampled for the second lease when the first one's ends", async () => {
    const { ask, access, chat, newWatch, pass } = bench();
    await ask('start etl 10', 'U1', 'aaaa1111');
    pass(5);
    const second = await ask('start etl 20', 'U2', 'bbbb2222');
    expect(shown(second)).toMatch(/Also leased: etl on prod for .*U1/);
    const watch = newWatch();
    pass(6);
    await watch.tick(never());
    expect(access.grantees()).toEqual(['etl']);
    expect(chat.transcript()).toMatch(/lease has ended after 10 min; etl on prod is still sampled/);
    pass(15);
    await watch.tick(never());
    expect(access.grantees()).toEqual([]);
  });

  it('stops only leases of whoever asks, unless it is told the lease or all', async () => {
    const { ask, access, newWatch } = bench();
    await ask('start etl 10', 'U1', 'aaaa1111');
    await expect(ask('stop etl', 'U2', 'cccc3333')).rejects.toThrow(
      /You have no lease for etl on prod. Others have: aaaa1111 by <@U1>/,
    );
    expect(access.grantees()).toEqual(['etl']);
    const byId = await ask('stop aaaa1111', 'U2', 'cccc3333');
    expect(byId.finding).toBe('One lease has ended; nothing is sampled any more.');
    expect(access.grantees()).toEqual([]);
    await newWatch().tick(never());
    await ask('start etl 10', 'U1', 'dddd4444');
    await ask('start bi 10', 'U2', 'eeee5555');
    const own = await ask('stop etl', 'U1', 'ffff6666');
    expect(own.finding).toBe(
      'One lease has ended; still sampled, for leases of others: bi on prod.',
    );
    const all = await ask('stop all', 'U1', 'ffff6666');
    expect(all.finding).toMatch(/nothing is sampled any more/);
    expect(access.grantees()).toEqual([]);
  });

  it('shows all leases, and what each server says itself', async () => {
    const { ask } = bench();
    expect((await ask('status')).finding).toBe('Nothing is sampled.');
    await ask('start etl 10');
    await expect(shown(await ask('status', 'U2', 'bbbb2222'))).toMatchFileSnapshot(
      '../../golden/sample/status.txt',
    );
  });

  it('finds what Redis forgot on the server itself, when a worker starts', async () => {
    const { ask, access, newWatch, loseRedis } = bench();
    await ask('start etl 10');
    loseRedis();
    await newWatch('fresh').sweep(never());
    expect(access.grantees()).toEqual([]);
  });

  it('ends in time without Redis, by what it saw there before', async () => {
    const { ask, access, newWatch, redisAway, pass } = bench();
    const watch = newWatch();
    await ask('start etl 10');
    await watch.tick(never());
    redisAway(true);
    pass(11);
    await watch.tick(never());
    expect(access.grantees()).toEqual([]);
  });

  it('waits for Redis at its start, but not for ever', async () => {
    const { ask, access, newWatch, redisAway, pass } = bench();
    await ask('start etl 10');
    redisAway(true);
    const watch = newWatch();
    await expect(watch.sweep(never())).rejects.toThrow(/Redis is away/);
    expect(access.grantees()).toEqual(['etl']);
    pass(2);
    await watch.sweep(never());
    expect(access.grantees()).toEqual([]);
  });

  it('says that a server cannot be told, once, and goes on until it can', async () => {
    const { ask, access, chat, leases, newWatch, pass } = bench();
    await ask('start etl 10');
    const { rows } = access;
    access.rows = () => Promise.reject(new Failure('target-unreachable', { what: 'prod is away' }));
    pass(11);
    const watch = newWatch();
    await watch.tick(never());
    pass(1);
    await watch.tick(never());
    expect(await leases.list()).toHaveLength(1);
    access.rows = rows;
    pass(1);
    await watch.tick(never());
    expect(access.grantees()).toEqual([]);
    expect(await leases.list()).toEqual([]);
    await expect(chat.transcript()).toMatchFileSnapshot('../../golden/sample/trouble.txt');
  });

  it('takes off whom somebody put on by hand', async () => {
    const { access, newWatch } = bench();
    access.assign(['default']);
    await newWatch().sweep(never());
    expect(access.grantees()).toEqual([]);
  });

  it('believes what it reads back, not that its statement was taken', async () => {
    const { ask, access, leases, newWatch } = bench();
    access.statement = async () => '';
    await expect(ask('start etl 10')).rejects.toThrow(
      /Who is sampled on prod does not come to rest/,
    );
    await newWatch().tick(never());
    expect(await leases.list()).toEqual([]);
  });

  it('leaves nothing on when the server refuses, and says which grant it takes', async () => {
    const { ask, access, leases, newWatch } = bench();
    access.statement = () =>
      Promise.reject(
        new Failure('grant-missing', {
          what: 'prod did not answer CREATE SETTINGS PROFILE',
          why: 'user memprof lacks a privilege',
          paste: 'GRANT CREATE SETTINGS PROFILE ON *.* TO memprof;',
        }),
      );
    await expect(ask('start etl 10')).rejects.toMatchObject({
      kind: 'grant-missing',
      paste: 'GRANT CREATE SETTINGS PROFILE ON *.* TO memprof;',
    });
    await newWatch().tick(never());
    expect(await leases.list()).toEqual([]);
  });

  it.each([
    ['start etl 0', /at least one minute/],
    ['start etl -5', /at least one minute/],
    ['start etl 100000', /takes from 1 to 30 minutes, not 100000/],
    ['start etl 2h', /takes from 1 to 30 minutes, not 120/],
    ['start etl soon', /soon is no number of minutes/],
    ['start root 10', /root may not be sampled on prod. The config allows etl, bi/],
    ['start `etl`;DROP 10', /may not be sampled/],
    ['start', /needs a ClickHouse user or role/],
    ['stop', /needs a ClickHouse user or role, the id of a lease, or all/],
    ['pause etl', /start, stop or status/],
  ])('refuses "%s" with a sentence, and switches nothing', async (words, sentence) => {
    const { ask, access } = bench();
    await expect((async () => ask(words))()).rejects.toThrow(sentence);
    expect(access.statements).toEqual([]);
  });

  it('says what to set where the config allows no sampling', async () => {
    const { context } = bench();
    const args = { action: 'start', grantee: 'etl', minutes: 5, target: 'other' };
    await expect(sample.run(args, context('U1', 'aaaa1111'))).rejects.toMatchObject({
      kind: 'feature-off',
      paste: expect.stringMatching(/GRANT CREATE SETTINGS PROFILE/),
    });
  });

  it('asks for the right on the server that it means, and for its name where there are several', async () => {
    const asked: unknown[] = [];
    const deskOf = (names: readonly string[]) =>
      createTestDesk({
        targets: names.map((name) => ({ name, kind: 'clickhouse' })),
        requireRight: (...args: unknown[]) => void asked.push(args),
      });
    const locate = sample.locate as NonNullable<Job['locate']>;
    const args = { action: 'start', grantee: 'etl', minutes: 5 };
    expect(await locate(args, deskOf(['prod']))).toMatchObject({ target: 'prod' });
    expect(asked).toEqual([['sample', 'prod', 'C1']]);
    await expect(locate(args, deskOf(['prod', 'stage']))).rejects.toThrow(
      /does not say on which server/,
    );
    expect(await locate({ action: 'status' }, deskOf(['prod']))).toBeUndefined();
  });
});

describe('the privileges that sampling needs', () => {
  it.each([
    [['GRANT ALL ON *.* TO m WITH GRANT OPTION'], []],
    [['GRANT ACCESS MANAGEMENT ON *.* TO m', 'GRANT SELECT ON system.* TO m'], []],
    [
      [
        'GRANT SELECT(name, apply_to_all) ON system.settings_profiles TO m',
        'GRANT SHOW ACCESS, CREATE SETTINGS PROFILE, ALTER SETTINGS PROFILE ON *.* TO m',
      ],
      ['SELECT ON system.settings_profiles'],
    ],
    [['GRANT ALL ON default.* TO m'], 4],
    [[], 4],
    [['GRANT admin TO m'], undefined],
    [undefined, undefined],
  ])('are missing of %j: %j', (grants, missing) => {
    const found = missingForSampling(grants);
    if (typeof missing === 'number') expect(found).toHaveLength(missing);
    else expect(found).toEqual(missing);
  });
});
