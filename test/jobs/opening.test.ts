import { describe, expect, it } from 'vitest';
import { type Opening, openInvestigation, resumeOpening } from '../../jobs/opening.ts';
import { Request } from '../../jobs/request.ts';
import { Failure } from '../../src/failure.ts';
import { createFakeChat, type FakeChatOptions } from '../fakes/fake-chat.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { createFakeQueue } from '../fakes/fake-queue.ts';
import { silentLog } from '../support/silent-log.ts';

const NOW = 1_790_000_000_000_000;

function createPorts(chatOptions: FakeChatOptions = {}) {
  return {
    chat: createFakeChat(chatOptions),
    queue: createFakeQueue(),
    investigations: createFakeInvestigations(() => NOW),
    clock: { nowMicros: () => NOW },
    log: silentLog,
  };
}

const opening = (changes: Partial<Opening> = {}): Opening => ({
  investigationId: 'k7f2m9qd',
  verb: 'peak',
  admission: {
    args: { queryId: '8678d8fe', target: 'prod' },
    target: 'prod',
    command: 'peak 8678d8fe on:prod',
  },
  user: 'U1',
  place: { channel: 'C1' },
  ...changes,
});

const slackAway = () => new Failure('slack-unavailable', { what: 'Slack did not answer' });
const storeAway = () =>
  new Failure('store-unavailable', { what: 'Redis is away', why: 'it refuses connections' });

describe('opening an investigation', () => {
  it('posts the root message and queues the request under its address', async () => {
    const ports = createPorts();
    const address = await openInvestigation(ports, opening());
    expect(address).toEqual({ channel: 'C1', ts: '1790000000.000100' });
    await expect(ports.chat.transcript()).toMatchFileSnapshot('../golden/threads/opened.txt');
    const job = ports.queue.take();
    expect(job?.id).toBe('C1-1790000000.000100');
    expect(Request.parse(job?.data)).toMatchObject({
      investigationId: 'k7f2m9qd',
      verb: 'peak',
      target: 'prod',
      address: { channel: 'C1', ts: '1790000000.000100' },
    });
    expect(await ports.investigations.get('k7f2m9qd')).toMatchObject({ state: 'queued' });
  });

  it('answers in the thread that the request came from', async () => {
    const ports = createPorts();
    await openInvestigation(
      ports,
      opening({ place: { channel: 'C1', threadTs: '1780000000.000100' } }),
    );
    expect(ports.chat.transcript()).toContain('to C1 in thread 1780000000.000100');
    expect(ports.queue.take()?.data).toMatchObject({ threadTs: '1780000000.000100' });
  });

  it('says what it understood when it is not what was typed', async () => {
    const ports = createPorts();
    await openInvestigation(
      ports,
      opening({ admission: { ...opening().admission, understood: 'Read as query 8678d8fe' } }),
    );
    expect(ports.chat.transcript()).toContain('Read as query 8678d8fe.');
  });

  it('does nothing the second time the same request comes', async () => {
    const ports = createPorts();
    await openInvestigation(ports, opening());
    expect(await openInvestigation(ports, opening())).toBeUndefined();
    expect(ports.chat.messages.size).toBe(1);
    expect(ports.queue.waiting.size).toBe(1);
  });

  it('says at once that the queue is away when nothing can be noted', async () => {
    const ports = createPorts();
    ports.investigations.open = () => Promise.reject(storeAway());
    await openInvestigation(ports, opening());
    await expect(ports.chat.transcript()).toMatchFileSnapshot('../golden/threads/queue-away.txt');
  });

  it('says in the root message that the queue went away after it was posted', async () => {
    const ports = createPorts();
    ports.queue.goAway();
    await openInvestigation(ports, opening());
    const [root] = ports.chat.messages.values();
    expect(root?.text).toContain('The queue (Redis) cannot be reached');
    expect(await ports.investigations.get('k7f2m9qd')).toMatchObject({ state: 'failed' });
  });

  it('looks for the root message when the answer of Slack got lost, and posts no second one', async () => {
    const ports = createPorts();
    ports.chat.failNext('post', slackAway(), 'after');
    await openInvestigation(ports, opening());
    expect(ports.chat.messages.size).toBe(1);
    expect(ports.queue.waiting.size).toBe(1);
  });

  it('posts again when the root message is not there', async () => {
    const ports = createPorts();
    ports.chat.failNext('post', slackAway(), 'before');
    await openInvestigation(ports, opening());
    expect(ports.chat.messages.size).toBe(1);
  });

  it('asks to type it again when it may not look, rather than posting twice', async () => {
    const ports = createPorts({ mayNotLook: true });
    ports.chat.failNext('post', slackAway(), 'after');
    await expect(openInvestigation(ports, opening())).rejects.toMatchObject({
      what: 'Slack did not say whether the message of your investigation was posted',
    });
    expect(ports.chat.messages.size).toBe(1);
  });

  it('hands on that memprof is not in the channel', async () => {
    const ports = createPorts({ members: { C1: ['U1'] } });
    await expect(openInvestigation(ports, opening())).rejects.toMatchObject({
      kind: 'not-in-channel',
    });
    expect(await resumeOpening(ports, NOW + 1)).toBe(false);
  });
});

describe('an opening that a dead bot left behind', () => {
  const leftAt = async (step: 'noted' | 'posted' | 'queued', chatOptions: FakeChatOptions = {}) => {
    const ports = createPorts(chatOptions);
    const dead = {
      ...ports,
      chat:
        step === 'noted' ? { ...ports.chat, post: () => new Promise<never>(() => {}) } : ports.chat,
      queue:
        step === 'posted'
          ? { ...ports.queue, enqueue: () => new Promise<never>(() => {}) }
          : ports.queue,
      investigations:
        step === 'posted'
          ? { ...ports.investigations, note: () => new Promise<never>(() => {}) }
          : ports.investigations,
    };
    void openInvestigation(dead, opening());
    await new Promise((resolve) => setTimeout(resolve, 10));
    return ports;
  };

  it.each(['noted', 'posted'] as const)('is finished by the next one (%s)', async (step) => {
    const ports = await leftAt(step);
    expect(await resumeOpening(ports, NOW + 1)).toBe(true);
    expect(ports.chat.messages.size).toBe(1);
    expect([...ports.queue.waiting.keys()]).toEqual(['C1-1790000000.000100']);
    expect(await resumeOpening(ports, NOW + 1)).toBe(false);
  });

  it('is nothing when it was queued', async () => {
    const ports = await leftAt('queued');
    expect(await resumeOpening(ports, NOW + 1)).toBe(false);
  });

  it('is told to the asker when memprof may not look for its message', async () => {
    const ports = await leftAt('posted', { mayNotLook: true });
    await resumeOpening(ports, NOW + 1);
    expect(ports.chat.messages.size).toBe(1);
    expect(ports.chat.transcript()).toContain(
      'whisper to U1 in C1: memprof was restarted while it took up "peak 8678d8fe on:prod".',
    );
  });

  it('waits for Slack when Slack is away', async () => {
    const ports = await leftAt('noted');
    for (const _ of [1, 2]) ports.chat.failNext('find', slackAway());
    await expect(resumeOpening(ports, NOW + 1)).rejects.toMatchObject({
      kind: 'slack-unavailable',
    });
    expect(await ports.investigations.get('k7f2m9qd')).toMatchObject({ state: 'opening' });
  });
});
