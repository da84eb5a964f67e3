import { describe, expect, it } from 'vitest';
import { createProcessor } from '../../jobs/processor.ts';
import { Failure } from '../../src/failure.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { startProcessing } from '../support/processing.ts';
import { samplePeak, sampleReply } from '../support/sample-job.ts';

const slackAway = () => new Failure('slack-unavailable', { what: 'Slack did not answer' });
const golden = (name: string) => `../golden/threads/${name}.txt`;

describe('an investigation', () => {
  it('answers with text first, then pictures, then files in the thread', async () => {
    const life = await startProcessing();
    expect(await life.run()).toMatchObject({ outcome: 'answered' });
    await expect(life.chat.transcript()).toMatchFileSnapshot(golden('answered'));
    expect(await life.investigations.get('k7f2m9qd')).toMatchObject({
      state: 'answered',
      finding: 'Query 8678d8fe held 3.20 GiB at its peak, 81% of it in aggregation.',
    });
  });

  it('answers without pictures and files when the job has none', async () => {
    const life = await startProcessing(
      samplePeak(async (_args, context) => ({
        ...sampleReply(context),
        pictures: [],
        files: [],
        threadPictures: [],
      })),
    );
    await life.run();
    expect(life.chat.calls).toEqual(['post', 'update']);
  });

  it('does nothing when it is delivered again after its end', async () => {
    const life = await startProcessing();
    await life.run();
    const callCount = life.chat.calls.length;
    expect(await life.run({ interruptions: 1 })).toEqual({ outcome: 'answered' });
    expect(life.chat.calls).toHaveLength(callCount);
  });

  it('runs the job only once when a retry has nothing left to draw', async () => {
    let runs = 0;
    const life = await startProcessing(
      samplePeak(async (_args, context) => {
        runs += 1;
        return { ...sampleReply(context), files: [], threadPictures: [] };
      }),
    );
    life.chat.failNext('fileState', slackAway());
    life.chat.failNext('fileState', slackAway());
    await expect(life.run()).rejects.toMatchObject({ kind: 'slack-unavailable' });
    await life.run({ attempt: 2 });
    expect(runs).toBe(1);
    expect(life.chat.files.size).toBe(2);
    expect(life.root()?.blocks.filter(({ type }) => type === 'image')).toHaveLength(2);
  });

  it('shows where it stands while the job runs', async () => {
    const life = await startProcessing(
      samplePeak(async (_args, context) => {
        context.progress('finding the query');
        context.progress('reading samples');
        await new Promise((resolve) => setTimeout(resolve, 500));
        return { ...sampleReply(context), pictures: [], files: [], threadPictures: [] };
      }),
    );
    await life.run();
    await expect(life.chat.transcript()).toMatchFileSnapshot(golden('stages'));
  });

  it('says what happened, why, and what to do when the job fails', async () => {
    const life = await startProcessing(
      samplePeak(async () => {
        throw new Failure('grant-missing', {
          what: 'Could not read system.trace_log on prod',
          why: 'user memprof lacks SELECT on it',
          fix: 'Ask an admin to run this statement, then try again',
          paste: 'GRANT SELECT ON system.trace_log TO memprof',
        });
      }),
    );
    expect(await life.run()).toMatchObject({ outcome: 'failed' });
    await expect(life.chat.transcript()).toMatchFileSnapshot(golden('failed'));
  });

  it('tries again by itself what may pass, says so, and then gives up in words', async () => {
    const life = await startProcessing(
      samplePeak(async () => {
        throw new Failure('target-unreachable', { what: 'prod does not answer' });
      }),
    );
    await expect(life.run({ attempt: 1 })).rejects.toMatchObject({ kind: 'target-unreachable' });
    expect(life.root()?.text).toContain('trying again (2 of 3)');
    await expect(life.run({ attempt: 2 })).rejects.toMatchObject({ kind: 'target-unreachable' });
    expect(await life.run({ attempt: 3 })).toMatchObject({ outcome: 'failed' });
    expect(life.root()?.text).toBe('prod does not answer.');
  });

  it('gives a fault of its own a reference and a way on', async () => {
    const life = await startProcessing(
      samplePeak(async () => {
        throw new TypeError('undefined is not a function');
      }),
    );
    await life.run();
    const words = messageAsText(life.root()?.blocks ?? []);
    expect(words).toContain('memprof met a fault of its own.');
    expect(words).toContain('Reference E999');
  });

  it('stops a job that takes too long, even one that does not listen', async () => {
    const life = await startProcessing(samplePeak(() => new Promise(() => {})));
    const process = createProcessor({
      jobs: [samplePeak(() => new Promise(() => {}))],
      ports: life.ports,
      investigationTimeoutMs: 50,
    });
    await process(life.delivery(), new AbortController().signal);
    expect(life.root()?.text).toContain('took longer than 50 ms');
  });

  it('ends with who cancelled it and where it stood', async () => {
    const stop = new AbortController();
    const life = await startProcessing(
      samplePeak((_args, context) => {
        context.progress('reading samples');
        return new Promise(() => {});
      }),
    );
    const run = life.run({}, stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await life.investigations.note('k7f2m9qd', { cancelledBy: 'U2' });
    stop.abort('cancelled');
    expect(await run).toMatchObject({ outcome: 'cancelled' });
    await expect(life.chat.transcript()).toMatchFileSnapshot(golden('cancelled'));
  });

  it('is not begun when it was cancelled before a worker took it up', async () => {
    let runs = 0;
    const life = await startProcessing(
      samplePeak(async (_args, context) => {
        runs += 1;
        return sampleReply(context);
      }),
    );
    await life.investigations.note('k7f2m9qd', { cancelledBy: 'U2' });
    expect(await life.run()).toMatchObject({ outcome: 'cancelled' });
    expect(runs).toBe(0);
  });

  it('keeps its text when it is cancelled while the pictures are drawn', async () => {
    const stop = new AbortController();
    const life = await startProcessing();
    life.chat.onCall((method) => {
      if (method === 'completeUpload') stop.abort('cancelled');
    });
    expect(await life.run({}, stop.signal)).toMatchObject({ outcome: 'cancelled' });
    const words = messageAsText(life.root()?.blocks ?? []);
    expect(words).toContain('held 3.20 GiB at its peak');
    expect(words).toContain('could not be shown: the investigation was cancelled before.');
  });

  it.each(['lost-lock', 'shutdown'])(
    'says nothing more once it is given to another worker (%s)',
    async (reason) => {
      const stop = new AbortController();
      const life = await startProcessing(samplePeak(() => new Promise(() => {})));
      const run = life.run({}, stop.signal);
      await new Promise((resolve) => setTimeout(resolve, 20));
      stop.abort(reason);
      await expect(run).rejects.toMatchObject({ kind: 'interrupted', retry: true });
      expect(life.chat.calls).toEqual(['post']);
    },
  );

  it('says that another worker took over and where the first was lost', async () => {
    const life = await startProcessing(
      samplePeak(async (_args, context) => {
        context.progress('reading samples');
        await new Promise((resolve) => setTimeout(resolve, 400));
        return { ...sampleReply(context), pictures: [], files: [], threadPictures: [] };
      }),
    );
    await life.investigations.note('k7f2m9qd', { stage: 'finding the query' });
    await life.run({ interruptions: 1 });
    expect(life.chat.transcript()).toContain(
      'A worker was lost while finding the query; another took over.',
    );
  });

  it('stops giving a job to workers that it takes down', async () => {
    const life = await startProcessing();
    await life.investigations.note('k7f2m9qd', { stage: 'reading samples' });
    expect(await life.run({ interruptions: 5 })).toMatchObject({ outcome: 'failed' });
    await expect(life.chat.transcript()).toMatchFileSnapshot(golden('every-worker-lost'));
  });

  it('tells its thread when bot and worker are of different versions', async () => {
    const life = await startProcessing();
    await expect(life.run({ data: { address: life.address, verb: 'peak' } })).rejects.toMatchObject(
      { kind: 'bug' },
    );
    expect(life.root()?.text).toContain('does not hold a request that this worker can read');
    await life.run({ data: { ...life.request, verb: 'levitate' } });
    expect(life.root()?.text).toContain('This worker does not know the verb levitate.');
  });
});

describe('a picture', () => {
  it('is uploaded once more when Slack never processes it', async () => {
    const life = await startProcessing();
    life.chat.processNext(false, true);
    await life.run();
    await expect(life.chat.transcript()).toMatchFileSnapshot(golden('picture-lost-once'));
  });

  it('is given up in words when Slack never processes it twice; the text stands', async () => {
    const life = await startProcessing(
      samplePeak(async (_args, context) => ({
        ...sampleReply(context),
        pictures: sampleReply(context).pictures.slice(0, 1),
      })),
    );
    life.chat.processNext(false, false);
    expect(await life.run()).toMatchObject({ outcome: 'answered' });
    const words = messageAsText(life.root()?.blocks ?? []);
    expect(words).toContain('held 3.20 GiB at its peak');
    expect(words).toContain(
      'The picture "Memory of query 8678d8fe" could not be shown: Slack took the file but did not make a picture of it.',
    );
  });

  it('that cannot be drawn leaves the text standing and says why', async () => {
    const life = await startProcessing();
    const ports = {
      ...life.ports,
      studio: {
        ...life.ports.studio,
        draw: () => Promise.reject(new Failure('environment', { what: 'The drawing thread died' })),
      },
    };
    const process = createProcessor({ jobs: [samplePeak()], ports, investigationTimeoutMs: 1000 });
    expect(await process(life.delivery(), new AbortController().signal)).toMatchObject({
      outcome: 'answered',
    });
    const words = messageAsText(life.root()?.blocks ?? []);
    expect(words).toContain('held 3.20 GiB at its peak');
    expect(words).toContain('could not be shown: The drawing thread died.');
  });

  it('whose completion answer got lost is looked for, not uploaded again', async () => {
    const life = await startProcessing();
    life.chat.failNext('completeUpload', slackAway(), 'after');
    await life.run();
    expect([...life.chat.files.values()].map(({ name }) => name).sort()).toEqual([
      'peak-curve.png',
      'peak-flame-2400.png',
      'peak-flame.png',
      'peak.collapsed',
    ]);
  });

  it('goes on with the next attempt when Slack is away in the middle of it', async () => {
    const life = await startProcessing();
    life.chat.failNext('reserveUpload', slackAway());
    await expect(life.run()).rejects.toMatchObject({ kind: 'slack-unavailable' });
    expect(life.root()?.text).toContain('held 3.20 GiB');
    await life.run({ attempt: 2 });
    expect(life.chat.files.size).toBe(4);
  });

  it('is given up in words when Slack stays away from uploads', async () => {
    const life = await startProcessing(
      samplePeak(async (_args, context) => ({
        ...sampleReply(context),
        pictures: sampleReply(context).pictures.slice(0, 1),
        files: [],
        threadPictures: [],
      })),
    );
    for (const _ of [1, 2]) life.chat.failNext('sendUpload', slackAway());
    expect(await life.run({ attempt: 6 })).toMatchObject({ outcome: 'answered' });
    expect(messageAsText(life.root()?.blocks ?? [])).toContain(
      'could not be shown: Slack did not answer.',
    );
  });
});

describe('the files of a thread', () => {
  it('are shown once when the answer of their sharing got lost', async () => {
    const life = await startProcessing();
    let completions = 0;
    life.chat.onCall((method) => {
      if (method !== 'completeUpload') return;
      completions += 1;
      if (completions === 3) life.chat.failNext('completeUpload', slackAway(), 'after');
    });
    await life.run();
    expect(life.chat.transcript().match(/files in thread/g)).toHaveLength(1);
  });

  it('are uploaded once more when Slack takes them and never shows them', async () => {
    const life = await startProcessing();
    life.chat.processNext(true, true, false, true);
    await life.run();
    await expect(life.chat.transcript()).toMatchFileSnapshot(golden('files-lost-once'));
  });

  it('are given up in words when Slack never shows them', async () => {
    const life = await startProcessing();
    life.chat.processNext(true, true, false, false);
    await life.run();
    expect(messageAsText(life.root()?.blocks ?? [])).toContain(
      'The files for the thread could not be shown: Slack took the files but did not show them.',
    );
  });

  it('wait for the record rather than being shown twice', async () => {
    const life = await startProcessing();
    const away = new Failure('store-unavailable', { what: 'Redis is away' });
    const ports = {
      ...life.ports,
      deliveries: { ...life.deliveries, note: () => Promise.reject(away) },
    };
    const process = createProcessor({ jobs: [samplePeak()], ports, investigationTimeoutMs: 1000 });
    await expect(process(life.delivery(), new AbortController().signal)).rejects.toBe(away);
    expect(life.root()?.blocks.filter(({ type }) => type === 'image')).toHaveLength(2);
    expect(life.chat.transcript()).not.toContain('files in thread');
    await life.run({ attempt: 2 });
    expect(life.chat.transcript().match(/files in thread/g)).toHaveLength(1);
  });
});

describe('the root message', () => {
  it('keeps the finding in plain words when Slack refuses the layout', async () => {
    const life = await startProcessing();
    life.chat.failNext(
      'update',
      new Failure('slack-refused', { what: 'Slack refused chat.update', why: 'invalid_blocks' }),
    );
    await life.run();
    expect(life.chat.transcript()).toContain('Slack refused the full layout of this message');
  });

  it('that somebody deleted does not leave the asker without an answer', async () => {
    const life = await startProcessing();
    const gone = () =>
      new Failure('slack-refused', {
        what: 'Slack refused chat.update',
        why: 'message_not_found',
      });
    for (let count = 0; count < 4; count += 1) life.chat.failNext('update', gone());
    await life.run();
    expect(life.chat.transcript()).toContain('whisper to U1 in C1');
  });

  it('waits for Slack to come back and has its answer then', async () => {
    const life = await startProcessing();
    life.chat.failNext('update', slackAway());
    await expect(life.run()).rejects.toMatchObject({ kind: 'slack-unavailable' });
    await life.run({ attempt: 2 });
    expect(life.root()?.text).toContain('held 3.20 GiB');
  });
});
