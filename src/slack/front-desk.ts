import { type Admission, admit } from '../../jobs/admission.ts';
import type { CommandWords, Desk, Job, JobPorts, Located } from '../../jobs/job.ts';
import { type OpeningPorts, openInvestigation } from '../../jobs/opening.ts';
import type { Message } from '../../templates/message/blocks.ts';
import { failureWhisper } from '../../templates/message/failure.ts';
import { helpMessage, unknownVerbMessage, verbHelpMessage } from '../../templates/message/help.ts';
import { parseCommand } from '../command.ts';
import { type Config, targetSummaries } from '../config.ts';
import { Failure, toFailure } from '../failure.ts';
import type { Place } from '../investigation.ts';
import type { DeliveryRecord, MessageAddress, Schedules, Store } from '../ports.ts';
import { type Asker, requireRight } from '../rights.ts';
import { investigationIdOf } from './investigation-id.ts';
import { createSeen } from './seen.ts';

/** What a person asked, however: command, mention, button or form. */
export interface Ask {
  /** Tells this request from every other; the same again is a second delivery of it. */
  readonly source: string;
  readonly text: string;
  readonly user: string;
  /** Where the answer goes. */
  readonly place: Place;
  /** Tells the asker alone. */
  readonly whisper: (message: Message) => Promise<void>;
}

export interface FrontDesk {
  /** Carries a request out as far as the bot does; resolves to the root message when it opened an investigation. */
  take(ask: Ask): Promise<MessageAddress | undefined>;
}

export interface FrontDeskOptions {
  readonly config: Config;
  readonly jobs: readonly Job[];
  readonly ports: OpeningPorts & {
    readonly deliveries: DeliveryRecord;
    readonly schedules: Schedules;
    readonly store: Store;
  };
  readonly groupsOf: (user: string) => Promise<readonly string[]>;
}

export function createFrontDesk(options: FrontDeskOptions): FrontDesk {
  const { jobs, ports } = options;
  const isSeen = createSeen(ports.clock.nowMicros);
  return {
    async take(ask) {
      if (isSeen(ask.source)) return undefined;
      try {
        const command = parseCommand(ask.text, jobs);
        switch (command.kind) {
          case 'job':
            return await carryOut(options, ask, command.job, command.words);
          case 'help':
            await ask.whisper(
              command.job === undefined ? helpMessage(jobs) : verbHelpMessage(command.job),
            );
            return undefined;
          case 'empty':
            await ask.whisper(helpMessage(jobs));
            return undefined;
          case 'unknown': {
            const names = jobs.map(({ name }) => name);
            await ask.whisper(unknownVerbMessage(command.verb, command.corrected, names));
            return undefined;
          }
        }
      } catch (thrown) {
        const failure = toFailure(thrown);
        const about = { user: ask.user, channel: ask.place.channel, kind: failure.kind };
        if (failure.kind === 'bug')
          ports.log.error({ ...about, err: thrown }, 'a fault of memprof');
        else ports.log.info({ ...about, what: failure.what }, 'request not carried out');
        await ask.whisper(failureWhisper(failure, ask.text));
        return undefined;
      }
    },
  };
}

async function carryOut(
  options: FrontDeskOptions,
  ask: Ask,
  job: Job,
  words: CommandWords,
): Promise<MessageAddress | undefined> {
  const { config, ports } = options;
  const { user, place } = ask;
  const asker = { user, groups: await options.groupsOf(user), channel: place.channel };
  const admission = admit(config, asker, job, words);
  const investigationId = investigationIdOf(ask.source);
  if (!job.isErrand) {
    const located = await job.locate?.(admission.args, deskOf(options, ask, asker));
    return openInvestigation(ports, {
      investigationId,
      verb: job.name,
      admission: locatedAdmission(admission, located),
      user,
      place,
    });
  }
  const reply = await job.run(admission.args, {
    ports: { ...noServers, clock: ports.clock },
    signal: AbortSignal.timeout(ERRAND_TIMEOUT_MS),
    investigationId,
    askedBy: `<@${user}>`,
    progress: () => undefined,
    desk: deskOf(options, ask, asker),
  });
  await ask.whisper({ text: reply.finding, blocks: [...reply.head, ...reply.tail] });
  return undefined;
}

function locatedAdmission(admission: Admission, located: string | Located | undefined): Admission {
  if (located === undefined) return admission;
  return { ...admission, ...(typeof located === 'string' ? { target: located } : located) };
}

const ERRAND_TIMEOUT_MS = 60_000;

function deskOf({ config, ports, jobs }: FrontDeskOptions, ask: Ask, asker: Asker): Desk {
  return {
    chat: ports.chat,
    queue: ports.queue,
    investigations: ports.investigations,
    deliveries: ports.deliveries,
    schedules: ports.schedules,
    store: ports.store,
    targets: targetSummaries(config),
    user: ask.user,
    nowMicros: ports.clock.nowMicros,
    place: ask.place,
    requireRight(verb, target, channel) {
      const isRestricted = jobs.find(({ name }) => name === verb)?.isRestricted ?? false;
      const on = target === undefined ? {} : { target };
      requireRight(config, { ...asker, channel }, { verb, isRestricted, ...on });
    },
  };
}

/** Errands read no server and draw nothing: the bot must stay free to answer Slack. */
const noServers: Omit<JobPorts, 'clock'> = {
  clickhouse: { rows: refuse, statement: refuse, bytes: () => refuseNow() },
  studio: { draw: refuse, drawFile: refuse },
};

function refuse(): Promise<never> {
  return Promise.resolve().then(refuseNow);
}

function refuseNow(): never {
  throw new Failure('bug', { what: 'An errand asked for what only a worker does' });
}
