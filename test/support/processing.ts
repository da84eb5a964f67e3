import type { Job } from '../../jobs/job.ts';
import { createProcessor, type ProcessorOptions } from '../../jobs/processor.ts';
import type { Request } from '../../jobs/request.ts';
import type { Investigation } from '../../src/investigation.ts';
import type { JobDelivery } from '../../src/ports.ts';
import { createFakeChat, type FakeChatOptions } from '../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../fakes/fake-delivery-record.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';
import { samplePeak } from './sample-job.ts';
import { silentLog } from './silent-log.ts';

/** A processor on fakes with one request whose root message stands. */
export async function startProcessing(job: Job = samplePeak(), chatOptions: FakeChatOptions = {}) {
  const chat = createFakeChat(chatOptions);
  const investigations = createFakeInvestigations();
  const deliveries = createFakeDeliveryRecord();
  const studio = createFakeStudio();
  const address = await chat.post({
    channel: 'C1',
    text: 'memprof is looking into peak 8678d8fe on:prod: queued',
    deliveryKey: 'k7f2m9qd',
  });
  const request: Request = {
    investigationId: 'k7f2m9qd',
    verb: 'peak',
    args: { queryId: '8678d8fe', target: 'prod' },
    target: 'prod',
    command: 'peak 8678d8fe on:prod',
    user: 'U1',
    address,
    askedAtMicros: 1_790_000_000_000_000,
  };
  const investigation: Investigation = {
    id: 'k7f2m9qd',
    state: 'opening',
    command: request.command,
    verb: 'peak',
    user: 'U1',
    channel: 'C1',
    openedAtMicros: request.askedAtMicros,
    request,
  };
  await investigations.open(investigation);
  await investigations.note('k7f2m9qd', { state: 'queued', ts: address.ts });
  const ports: ProcessorOptions['ports'] = {
    clickhouse: {
      rows: () => Promise.reject(new Error('no server in this test')),
      statement: () => Promise.reject(new Error('no server in this test')),
      bytes: () => {
        throw new Error('no server in this test');
      },
    },
    studio,
    clock: { nowMicros: () => request.askedAtMicros },
    chat,
    investigations,
    deliveries,
    edits: { take: async () => true },
    pause: async (_ms, signal) => signal.throwIfAborted(),
    log: silentLog,
  };
  const delivery = (changes: Partial<JobDelivery> = {}): JobDelivery => ({
    id: `C1-${address.ts}`,
    data: structuredClone(request),
    attempt: 1,
    isLastAttempt: false,
    interruptions: 0,
    dueAtMicros: request.askedAtMicros,
    ...changes,
  });
  return {
    chat,
    investigations,
    deliveries,
    ports,
    request,
    address,
    delivery,
    root: () => chat.messages.get(`C1 ${address.ts}`),
    process: createProcessor({ jobs: [job], ports, investigationTimeoutMs: 60_000 }),
    /** One delivery to its end. */
    run(changes: Partial<JobDelivery> = {}, signal = new AbortController().signal) {
      return createProcessor({ jobs: [job], ports, investigationTimeoutMs: 60_000 })(
        delivery(changes),
        signal,
      );
    },
  };
}
