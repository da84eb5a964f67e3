import { describe, expect, it } from 'vitest';
import { approve } from '../../../jobs/approve.ts';
import type { Desk, JobContext, Located } from '../../../jobs/job.ts';
import { run } from '../../../jobs/run.ts';
import { Failure } from '../../../src/failure.ts';
import type { QueryRunner } from '../../../src/ports.ts';
import { messageAsText } from '../../../templates/text/message.ts';
import { createFakeClickHouse } from '../../fakes/fake-clickhouse.ts';
import { createFakeDeliveryRecord } from '../../fakes/fake-delivery-record.ts';
import { createFakeInvestigations } from '../../fakes/fake-investigations.ts';
import { createTestDesk, sampleInvestigation } from '../../support/desk.ts';
import { jobContext, sourcesOf } from '../../support/job-context.ts';
import { serverAges } from '../../support/server-ages.ts';

const args = { target: 'prod', sql: 'SELECT count() FROM hits', caps: { seconds: 10 } };
const asked = sampleInvestigation({
  verb: 'run',
  command: 'run on:prod SELECT count() FROM hits',
  request: { ...sampleInvestigation().request, verb: 'run', args },
});

async function deskOf(user: string, changes: Partial<Desk> = {}, investigation = asked) {
  const investigations = createFakeInvestigations();
  await investigations.open(investigation);
  return createTestDesk({ user, investigations, ...changes });
}

const locate = approve.locate as (args: unknown, desk: Desk) => Promise<Located>;
const id = { id: asked.id };

describe('approve', () => {
  it('lets the statement run just as it was asked for', async () => {
    const located = await locate(id, await deskOf('U2'));
    expect(located).toEqual({ target: 'prod', args: { ...args, approvedBy: 'U2' } });
  });

  it('is not for whoever asked', async () => {
    await expect(locate(id, await deskOf(asked.user))).rejects.toThrow(
      /Nobody approves a statement of their own/,
    );
  });

  it('takes the right to run on that server', async () => {
    const requireRight = (verb: string, target?: string) => {
      throw new Failure('not-allowed', { what: `no ${verb} on ${target}` });
    };
    await expect(locate(id, await deskOf('U2', { requireRight }))).rejects.toThrow(
      /no run on prod/,
    );
  });

  it('happens once', async () => {
    const deliveries = createFakeDeliveryRecord();
    await locate(id, await deskOf('U2', { deliveries }));
    const later = { deliveries, nowMicros: () => 1_790_000_001_000_000 };
    await expect(locate(id, await deskOf('U3', later))).rejects.toThrow(
      /approved already, by <@U2>/,
    );
  });

  it('is for statements alone', async () => {
    await expect(locate(id, await deskOf('U2', {}, sampleInvestigation()))).rejects.toThrow(
      /has nothing to approve/,
    );
  });
});

const selectTree = 'SelectWithUnionQuery (children 1)\n ExpressionList (children 1)\n';
const runner: QueryRunner = {
  policy: () => ({
    user: 'memprof_run',
    caps: { seconds: 60, memoryBytes: 8 * 2 ** 30, readRows: 1e10, readBytes: 2 ** 40 },
    needsApproval: true,
  }),
  syntaxTree: async () => selectTree,
  allowedCaps: async (_, caps) => caps,
  estimateRows: async () => 12_000_000,
  run: async () => {
    throw new Error('nothing may run without approval');
  },
};

function contextOf(place?: JobContext['place'], used = runner): JobContext {
  const given = jobContext({
    clickhouse: createFakeClickHouse({
      ...serverAges.get('26.9.1.1'),
      'run-history': [{ runs: 3, longest_ms: 3200, peak_bytes: 4_402_341_478 }],
    }),
  });
  return {
    ...given,
    askedBy: '<@U1>',
    ...(place === undefined ? {} : { place }),
    ports: { ...given.ports, sources: { ...sourcesOf({}), runner: used } },
  };
}

describe('run where the config asks for a second person', () => {
  it('shows what exactly would run and what to expect, and runs nothing', async () => {
    const reply = await run.run(args, contextOf({ channel: 'C1', threadTs: '1.1' }));
    expect(reply.json).toMatchObject({ needsApproval: true });
    await expect(messageAsText([...reply.head, ...reply.tail])).toMatchFileSnapshot(
      '../../golden/run/approval.txt',
    );
    expect(JSON.stringify(reply.head)).toMatch(/"approve k7f2m9qd"/);
  });

  it('tries the caps on the server before anybody is asked, and says which it holds lower', async () => {
    const place = { channel: 'C1', threadTs: '1.1' };
    const lower: QueryRunner = {
      ...runner,
      allowedCaps: async (_, caps) => ({ ...caps, memoryBytes: 8e9 }),
    };
    const reply = await run.run(args, contextOf(place, lower));
    expect(messageAsText(reply.head)).toMatch(
      /at 7\.45 GiB of memory.*The config would allow more \(memory\); the profile of memprof_run does not\./,
    );
    const asked = { ...args, caps: { memoryBytes: 8.1e9 } };
    await expect(run.run(asked, contextOf(place, lower))).rejects.toThrow(
      'memory: asks for more than the profile of the ClickHouse user allows on this server. The most is memory:8000000000.',
    );
  });

  it('cannot be approved in the shell', async () => {
    await expect(run.run(args, contextOf())).rejects.toThrow(/nobody can approve in the shell/);
  });
});
