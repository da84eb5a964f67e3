import { requireKnownOptions } from '../src/command.ts';
import { readBack, readCron } from '../src/digest/cron.ts';
import { type Covered, coveredBy } from '../src/digest/targets.ts';
import { readTimeZone } from '../src/digest/time-zone.ts';
import { DEFAULT_WHEN, readWhen } from '../src/digest/when.ts';
import { DEFAULT_MIN_CHANGE, type DigestSchedule } from '../src/digest-schedule.ts';
import { Failure } from '../src/failure.ts';
import type { ScheduledDigest } from '../src/ports.ts';
import type { Message } from '../templates/message/blocks.ts';
import {
  type DigestLine,
  digestAddedMessage,
  digestListMessage,
  digestSaid,
  digestUnderWay,
} from '../templates/message/digest-list.ts';
import { defineErrand } from './errand.ts';
import type { CommandWords, Desk, Job } from './job.ts';
import { readPercentage } from './option-words.ts';

type Args =
  | { readonly action: 'list' }
  | { readonly action: 'remove' | 'pause' | 'resume' | 'now'; readonly id?: string }
  | ({ readonly action: 'add' } & Pick<
      DigestSchedule,
      'targets' | 'cron' | 'timeZone' | 'minChangeShare' | 'isAlwaysPosted'
    >);

const ACTIONS = ['add', 'list', 'remove', 'pause', 'resume', 'now'] as const;

const errand: Job = defineErrand({
  name: 'digest',
  summary: 'Set up fragmentation digests of this channel, silent unless something changed',
  usage:
    'digest add <target|group|all> [every monday 9:00 | cron:"0 9 * * 1"] [tz:Europe/Berlin] [min-change:10%] [always] · digest list · digest remove|pause|resume|now <id>',
  example: 'digest add all every monday 9:00 tz:Europe/Berlin',
  read: (command) => ({ ...readArgs(command) }),
  async run(args: Args & Readonly<Record<string, unknown>>, desk, id): Promise<Message> {
    const { action } = args;
    switch (action) {
      case 'add':
        return add(args, desk, id);
      case 'list':
        return list(desk);
      case 'now':
        return runNow(await digestOf(desk, args.id), desk, id);
      case 'remove':
        return remove(await ownDigestOf(desk, args.id), desk);
      case 'pause':
      case 'resume':
        return pause(await ownDigestOf(desk, args.id), action === 'pause', desk);
    }
  },
});

export const digest: Job = { ...errand, isInForm: true };

function readArgs(command: CommandWords): Args {
  const [said = 'list', ...rest] = command.words;
  const action = ACTIONS.find((one) => one === said.toLowerCase());
  if (action === undefined) {
    throw new Failure('usage', {
      what: `digest cannot ${said}`,
      why: `it can ${ACTIONS.join(', ')}`,
      fix: `Usage: ${digest.usage}`,
    });
  }
  if (action === 'add') return readAdd(command, rest);
  requireKnownOptions(digest, command, ['on']);
  if (action === 'list') return { action };
  const [id] = rest;
  return id === undefined ? { action } : { action, id: id.toLowerCase() };
}

function readAdd(command: CommandWords, words: readonly string[]): Args {
  requireKnownOptions(digest, command, ['on', 'cron', 'tz', 'min-change']);
  const { options } = command;
  const isAlwaysPosted = words.some((word) => word.toLowerCase() === 'always');
  const plain = words.filter((word) => word.toLowerCase() !== 'always');
  const [first, ...when] = options.on === undefined ? plain : [options.on, ...plain];
  if (first === undefined) {
    throw new Failure('usage', {
      what: 'digest add needs a server, a group of servers, or all',
      fix: `Usage: ${digest.usage}`,
    });
  }
  if (options.cron !== undefined && when.length > 0) {
    throw new Failure('usage', {
      what: 'A digest runs by words or by a cron pattern, not by both',
      why: `it was given "${when.join(' ')}" and cron:"${options.cron}"`,
      fix: 'Leave one of them out',
    });
  }
  return {
    action: 'add',
    targets: first,
    // Checked against the clock when it is carried out.
    cron: options.cron ?? readWhen(when.length === 0 ? DEFAULT_WHEN : when.join(' ')),
    timeZone: readTimeZone(options.tz ?? 'UTC'),
    minChangeShare:
      options['min-change'] === undefined
        ? DEFAULT_MIN_CHANGE
        : readPercentage('min-change', options['min-change']),
    isAlwaysPosted,
  };
}

async function add(
  { targets, cron, timeZone, minChangeShare, isAlwaysPosted }: Extract<Args, { action: 'add' }>,
  desk: Desk,
  requestId: string,
): Promise<Message> {
  const { channel } = desk.place;
  const covered = coveredBy(targets, desk.targets);
  if (covered.servers.length === 0) throw noServers(targets, covered, desk);
  for (const target of covered.servers) desk.requireRight('digest', target, channel);
  if (!(await desk.chat.isMember(channel))) throw notHere();
  const nowMicros = desk.nowMicros();
  const schedule: DigestSchedule = {
    // The same request delivered twice sets up one digest.
    id: `d${requestId.slice(0, 5)}`,
    channel,
    ...{ targets, timeZone, minChangeShare, isAlwaysPosted },
    cron: readCron(cron, nowMicros / 1000),
    isPaused: false,
    createdBy: desk.user,
    createdAtMicros: nowMicros,
  };
  await desk.schedules.put(schedule);
  const found = await desk.schedules.get(schedule.id);
  return digestAddedMessage(lineOf(found ?? { schedule }, desk), covered);
}

async function list(desk: Desk): Promise<Message> {
  const found = await desk.schedules.list(desk.place.channel);
  return digestListMessage(found.map((one) => lineOf(one, desk)));
}

/** Asked for twice at once, it is made and posted once. */
async function runNow(
  { schedule }: ScheduledDigest,
  desk: Desk,
  requestId: string,
): Promise<Message> {
  const { id, channel } = schedule;
  const before = await desk.schedules.runNow({ digestId: id, askedBy: desk.user, requestId });
  const where = channel === desk.place.channel ? 'here' : 'in its channel';
  if (before === undefined)
    return digestSaid(schedule, `is being made; it will be posted ${where}.`);
  return digestUnderWay(schedule, before, where);
}

async function remove(schedule: DigestSchedule, desk: Desk): Promise<Message> {
  await desk.schedules.remove(schedule.id);
  await desk.store.forgetDigest(schedule.id);
  return digestSaid(schedule, 'is removed. Readings that it took are kept.');
}

async function pause(schedule: DigestSchedule, isPaused: boolean, desk: Desk): Promise<Message> {
  if (schedule.isPaused === isPaused) {
    return digestSaid(schedule, isPaused ? 'is paused already.' : 'is not paused.');
  }
  await desk.schedules.put({ ...schedule, isPaused });
  return digestSaid(
    schedule,
    isPaused ? 'is paused. Its turns pass without a run.' : 'runs again.',
  );
}

/** The digest that the asker means: by its id, or the only one of this channel. */
async function digestOf(desk: Desk, id: string | undefined): Promise<ScheduledDigest> {
  const { channel } = desk.place;
  if (id !== undefined) {
    const found = await desk.schedules.get(id);
    const isSeen =
      found !== undefined &&
      (found.schedule.channel === channel || found.schedule.createdBy === desk.user);
    if (isSeen) return found;
  }
  const here = await desk.schedules.list(channel);
  const [only] = here;
  if (id === undefined && here.length === 1 && only !== undefined) return only;
  const ids = here.map(({ schedule }) => schedule.id).join(', ');
  throw new Failure(id === undefined ? 'usage' : 'not-found', {
    what:
      id === undefined ? 'The command does not say which digest' : `There is no digest ${id} here`,
    why: here.length === 0 ? 'this channel has none' : `this channel has ${ids}`,
    fix: 'Type digest list for the digests of this channel',
  });
}

/** One that the asker may change: his own, or one of a channel where he may use the verb. */
async function ownDigestOf(desk: Desk, id: string | undefined): Promise<DigestSchedule> {
  const { schedule } = await digestOf(desk, id);
  if (schedule.createdBy !== desk.user) desk.requireRight('digest', undefined, schedule.channel);
  return schedule;
}

function lineOf({ schedule, nextAtMicros }: ScheduledDigest, desk: Desk): DigestLine {
  return {
    ...{ schedule, when: readBack(schedule.cron), nowMicros: desk.nowMicros() },
    ...(nextAtMicros === undefined ? {} : { nextAtMicros }),
  };
}

function noServers(words: string, { keepers }: Covered, desk: Desk): Failure {
  const [keeper] = keepers;
  if (keeper !== undefined) {
    return new Failure('usage', {
      what: `A digest cannot cover ${keepers.length === 1 ? `the Keeper ${keeper}` : keepers.join(', ')}`,
      why: 'a Keeper has no tables that tell of waste by size class',
      fix: `Ask stats ${keeper} for its memory, or name a ClickHouse server`,
    });
  }
  const names = desk.targets.filter(({ kind }) => kind === 'clickhouse').map(({ name }) => name);
  const groups = [...new Set(desk.targets.flatMap(({ group }) => group ?? []))];
  return new Failure('unknown-target', {
    what: `There is no server or group named ${words}`,
    why: `the config has ${[...names, ...groups].join(', ') || 'none'}`,
    fix: 'Use one of these names, or all',
  });
}

function notHere(): Failure {
  return new Failure('not-in-channel', {
    what: 'memprof is not in this channel, so it could not post a digest here',
    fix: 'Type /invite @memprof here, then try again',
  });
}
