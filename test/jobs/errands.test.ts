import { describe, expect, it } from 'vitest';
import { attach } from '../../jobs/attach.ts';
import { cancel } from '../../jobs/cancel.ts';
import { createHelp } from '../../jobs/help.ts';
import { status } from '../../jobs/status.ts';
import { targets } from '../../jobs/targets.ts';
import { Failure } from '../../src/failure.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { createTestDesk, runErrand, sampleInvestigation, type TestDesk } from '../support/desk.ts';
import { startProcessing } from '../support/processing.ts';
import { samplePeak } from '../support/sample-job.ts';

const said = async (job: Parameters<typeof runErrand>[0], words: string, desk: TestDesk) =>
  messageAsText((await runErrand(job, words, desk)).head);

async function queued(desk: TestDesk, changes = {}) {
  const investigation = sampleInvestigation(changes);
  const { ts } = await desk.chat.post({
    channel: investigation.channel,
    text: 'memprof is looking into peak 8678d8fe on:prod: queued',
    deliveryKey: investigation.id,
  });
  await desk.investigations.open(investigation);
  await desk.investigations.note(investigation.id, { state: 'queued', ts });
  await desk.queue.enqueue(`${investigation.channel}-${ts}`, investigation.request);
  return { investigation, ts };
}

describe('help', () => {
  const help = createHelp(() => [samplePeak(), status, help]);

  it('shows every verb on one screen', async () => {
    await expect(await said(help, '', createTestDesk())).toMatchFileSnapshot(
      '../golden/messages/help.txt',
    );
  });

  it('shows how one verb is used', async () => {
    const words = await said(help, 'peak', createTestDesk());
    expect(words).toContain('Usage: /memprof peak <query_id> [on:<target>]');
    expect(words).toContain('Example: /memprof peak 8678d8fe on:prod');
  });

  it('names the verbs when asked about one that is none', async () => {
    await expect(runErrand(help, 'levitate', createTestDesk())).rejects.toMatchObject({
      kind: 'usage',
      why: 'the verbs are peak, status, help',
    });
  });
});

describe('targets', () => {
  it('lists names, never addresses', async () => {
    const desk = createTestDesk({
      targets: [
        { name: 'prod', kind: 'clickhouse', group: 'eu' },
        { name: 'keeper-1', kind: 'keeper' },
      ],
    });
    expect(await said(targets, '', desk)).toBe('prod  ClickHouse, group eu\nkeeper-1  Keeper\n');
  });

  it('says what to do when there are none', async () => {
    expect(await said(targets, '', createTestDesk())).toContain('adds them under targets');
  });
});

describe('status', () => {
  it("shows the asker's last ones", async () => {
    const desk = createTestDesk();
    await queued(desk);
    await desk.investigations.note('k7f2m9qd', { state: 'running', stage: 'reading samples' });
    await desk.investigations.open(sampleInvestigation({ id: 'aaaaaaaa', user: 'U2' }));
    const words = await said(status, '', desk);
    expect(words).toContain('k7f2m9qd');
    expect(words).toContain('under way: reading samples');
    expect(words).not.toContain('aaaaaaaa');
  });

  it('shows nothing of an investigation in a channel that the asker is not in', async () => {
    const desk = createTestDesk(
      { user: 'U9', place: { channel: 'C1' } },
      { members: { C2: ['U1', 'bot'] } },
    );
    await queued(desk, { channel: 'C2' });
    await expect(runErrand(status, 'k7f2m9qd', desk)).rejects.toMatchObject({
      kind: 'not-found',
      what: 'There is no investigation k7f2m9qd that you may see',
    });
  });

  it('says what the id of an investigation looks like', async () => {
    await expect(async () => runErrand(status, 'it?', createTestDesk())).rejects.toMatchObject({
      kind: 'usage',
      what: 'it? is not the id of an investigation',
    });
  });
});

describe('cancel', () => {
  it('takes back what no worker has begun, and the thread says so', async () => {
    const desk = createTestDesk();
    await queued(desk);
    expect(await said(cancel, 'k7f2m9qd', desk)).toContain('is cancelled; no worker had begun');
    expect(desk.queue.waiting.size).toBe(0);
    expect(desk.chat.transcript()).toContain('Cancelled by @U1 before a worker took it up.');
    expect(await desk.investigations.get('k7f2m9qd')).toMatchObject({ state: 'cancelled' });
  });

  it('asks the worker that has it to stop', async () => {
    const desk = createTestDesk();
    const { ts } = await queued(desk);
    desk.queue.take();
    expect(await said(cancel, 'k7f2m9qd', desk)).toContain('is being stopped');
    expect(desk.queue.interrupted).toEqual([`C1-${ts}`]);
    expect(await desk.investigations.get('k7f2m9qd')).toMatchObject({ cancelledBy: 'U1' });
  });

  it('leaves the last word to a worker when Slack is away', async () => {
    const desk = createTestDesk();
    const { ts } = await queued(desk);
    desk.chat.failNext('update', new Failure('slack-unavailable', { what: 'Slack is away' }));
    await expect(runErrand(cancel, 'k7f2m9qd', desk)).rejects.toMatchObject({
      kind: 'slack-unavailable',
    });
    expect(await desk.investigations.get('k7f2m9qd')).toMatchObject({ cancelledBy: 'U1' });
    expect([...desk.queue.waiting.keys()]).toEqual([`C1-${ts}`]);
  });

  it('says that it has ended when it has', async () => {
    const desk = createTestDesk();
    await queued(desk);
    await desk.investigations.note('k7f2m9qd', { state: 'answered', finding: 'Peak 3.20 GiB.' });
    expect(await said(cancel, 'k7f2m9qd', desk)).toContain('has ended already: Peak 3.20 GiB.');
  });

  it("needs a right for somebody else's", async () => {
    const desk = createTestDesk({
      user: 'U2',
      requireRight: (verb) => {
        throw new Failure('not-allowed', { what: `You may not use ${verb} from here` });
      },
    });
    await queued(desk);
    await expect(runErrand(cancel, 'k7f2m9qd', desk)).rejects.toMatchObject({
      kind: 'not-allowed',
    });
    expect(desk.queue.waiting.size).toBe(1);
  });
});

describe('attach', () => {
  const LINK = 'https://example.slack.com/archives/C2/p1780000000000100';

  async function answered(chatOptions = {}, changes = {}) {
    const life = await startProcessing(samplePeak(), chatOptions);
    await life.run();
    const desk: TestDesk = {
      ...createTestDesk(changes),
      chat: life.chat,
      investigations: life.investigations,
      deliveries: life.deliveries,
    };
    return { life, desk };
  }

  it('posts finding and pictures as a new message, and each links to the other', async () => {
    const { desk } = await answered();
    expect(await said(attach, `k7f2m9qd ${LINK}`, desk)).toContain('is attached');
    await expect(desk.chat.transcript()).toMatchFileSnapshot('../golden/threads/attached.txt');
  });

  it('posts into the thread of a reply', async () => {
    const { desk } = await answered();
    await said(attach, `k7f2m9qd ${LINK}?thread_ts=1770000000.000100&cid=C2`, desk);
    expect(desk.chat.transcript()).toContain('to C2 in thread 1770000000.000100');
  });

  it('posts once, however often it is asked', async () => {
    const { desk } = await answered();
    await said(attach, `k7f2m9qd ${LINK}`, desk);
    expect(await said(attach, `k7f2m9qd ${LINK}`, desk)).toContain('was attached before');
    expect(desk.chat.messages.size).toBe(2);
  });

  it('posts once when the answer of Slack got lost', async () => {
    const { desk } = await answered();
    desk.chat.failNext('post', new Failure('slack-unavailable', { what: 'Lost' }), 'after');
    await said(attach, `k7f2m9qd ${LINK}`, desk);
    expect(desk.chat.messages.size).toBe(2);
  });

  it('finishes what a dead bot began', async () => {
    const { desk } = await answered();
    await desk.deliveries.note('k7f2m9qd', 'attached:C2:1780000000.000100', 'posting since 1000');
    expect(await said(attach, `k7f2m9qd ${LINK}`, desk)).toContain('is attached');
    expect(desk.chat.messages.size).toBe(2);
  });

  it('does not post beside one that is being posted', async () => {
    const { desk } = await answered();
    const since = desk.nowMicros() - 1_000_000;
    await desk.deliveries.note(
      'k7f2m9qd',
      'attached:C2:1780000000.000100',
      `posting since ${since}`,
    );
    await expect(runErrand(attach, `k7f2m9qd ${LINK}`, desk)).rejects.toMatchObject({
      what: 'The finding is being attached to that thread at this moment',
    });
    expect(desk.chat.messages.size).toBe(1);
  });

  it.each([
    ['nonsense', {}, 'That is not a link to a message of this workspace'],
    [LINK, { members: { C2: ['U1'] } }, 'memprof is not in the channel of that thread'],
    [LINK, { members: { C2: ['bot'] } }, 'You are not in the channel of that thread'],
  ])('refuses with a sentence: %s %j', async (link, chatOptions, what) => {
    const { desk } = await answered(chatOptions);
    await expect(runErrand(attach, `k7f2m9qd ${link}`, desk)).rejects.toMatchObject({ what });
    expect(desk.chat.messages.size).toBe(1);
  });

  it('waits for a finding', async () => {
    const desk = createTestDesk();
    await queued(desk);
    await expect(runErrand(attach, `k7f2m9qd ${LINK}`, desk)).rejects.toMatchObject({
      what: 'Investigation k7f2m9qd has no finding to attach',
      why: 'it is still under way',
    });
    expect(desk.chat.messages.size).toBe(1);
  });
});
