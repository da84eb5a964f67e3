import type { CommandWords, Desk, Job, Reply } from '../../jobs/job.ts';
import { wordsOfArguments } from '../../src/command.ts';
import { Failure } from '../../src/failure.ts';
import type { Investigation } from '../../src/investigation.ts';
import { createFakeChat, type FakeChat, type FakeChatOptions } from '../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../fakes/fake-delivery-record.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { createFakeQueue, type FakeQueue } from '../fakes/fake-queue.ts';
import { createFakeSchedules } from '../fakes/fake-schedules.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';

export interface TestDesk extends Desk {
  readonly chat: FakeChat;
  readonly queue: FakeQueue;
}

/** What errands use, on fakes; U1 asks in C1 unless said. */
export function createTestDesk(
  changes: Partial<Desk> = {},
  chatOptions: FakeChatOptions = {},
): TestDesk {
  return {
    investigations: createFakeInvestigations(),
    deliveries: createFakeDeliveryRecord(),
    schedules: createFakeSchedules(),
    store: createFakeStore(),
    targets: [],
    user: 'U1',
    place: { channel: 'C1' },
    nowMicros: () => 1_790_000_000_000_000,
    requireRight: () => undefined,
    ...changes,
    chat: createFakeChat(chatOptions),
    queue: createFakeQueue(),
  };
}

export function sampleInvestigation(changes: Partial<Investigation> = {}): Investigation {
  return {
    id: 'k7f2m9qd',
    state: 'opening',
    command: 'peak 8678d8fe on:prod',
    verb: 'peak',
    target: 'prod',
    user: 'U1',
    channel: 'C1',
    openedAtMicros: 1_790_000_000_000_000,
    request: {
      investigationId: 'k7f2m9qd',
      verb: 'peak',
      args: { queryId: '8678d8fe', target: 'prod' },
      command: 'peak 8678d8fe on:prod',
      user: 'U1',
      askedAtMicros: 1_790_000_000_000_000,
    },
    ...changes,
  };
}

/** Runs an errand as the bot does: words in, a reply for the asker out. A list stands for words with blanks in them. */
export async function runErrand(
  job: Job,
  words: string | readonly string[],
  desk: Desk,
): Promise<Reply> {
  const split = typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;
  const command: CommandWords = wordsOfArguments(split);
  const none = () => Promise.reject(new Failure('bug', { what: 'errands read no server' }));
  return job.run(job.read(command).args, {
    ports: {
      clickhouse: {
        rows: none,
        statement: none,
        bytes: () => {
          throw new Failure('bug', { what: 'errands read no server' });
        },
      },
      studio: createFakeStudio(),
      clock: { nowMicros: desk.nowMicros },
    },
    signal: new AbortController().signal,
    investigationId: 'k7f2m9qd',
    askedBy: `<@${desk.user}>`,
    progress: () => undefined,
    desk,
  });
}
