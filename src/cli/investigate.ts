import { randomBytes } from 'node:crypto';
import type { CommandWords, Job, Reading } from '../../jobs/job.ts';
import { createClickHouse } from '../clickhouse/client.ts';
import { createQueryRunner } from '../clickhouse/query-runner.ts';
import { pause, systemClock } from '../clock.ts';
import { wordsOfArguments } from '../command.ts';
import { subsystemRulesOf, targetOf } from '../config.ts';
import { createDumpFolder } from '../dump-folder.ts';
import { Failure } from '../failure.ts';
import { createKeeper } from '../keeper/keeper.ts';
import { createMetricsEndpoint } from '../metrics-endpoint.ts';
import { createStudio } from '../studio/studio.ts';
import { replyAsText, writeReply } from './output.ts';
import { defaultTarget, type ShellFlags, shellConfig } from './settings.ts';

export interface ShellCommand {
  readonly job: Job;
  readonly args: readonly string[];
  readonly flags: ShellFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  /** Progress and remarks: standard error, so that standard output stays clean for pipes. */
  readonly tell: (line: string) => void;
}

/** Runs a verb without Slack and Redis, with the very job that the worker runs. */
export async function investigate(command: ShellCommand): Promise<void> {
  const { job, flags, signal } = command;
  const words = wordsOfArguments(command.args);
  const named = flags.target ?? words.options.on;
  // What is wrong with the words is said before anything about files and servers.
  readWords(job, words, named ?? 'any');
  const config = await shellConfig(flags, command.env);
  const on = named ?? defaultTarget(config);
  const reading = readWords(job, words, on);
  if (reading.understood !== undefined) command.tell(reading.understood);
  const target = reading.args.target;
  if (typeof target === 'string') targetOf(config, target);
  else if (on === undefined) throw noTarget(Object.keys(config.targets));

  const subsystemRules = subsystemRulesOf(config);
  await using clickhouse = createClickHouse(config);
  await using studio = createStudio({ threads: 1, subsystemRules });
  const reply = await job.run(reading.args, {
    ports: {
      clickhouse,
      studio,
      subsystemRules,
      clock: systemClock,
      pause,
      sources: {
        keeper: createKeeper(config),
        metrics: createMetricsEndpoint(config),
        dumps: createDumpFolder(config),
        runner: createQueryRunner(config),
      },
    },
    signal,
    investigationId: randomBytes(4).toString('hex'),
    askedBy: 'shell',
    progress: (stage, detail) =>
      command.tell(detail === undefined ? `… ${stage}` : `… ${stage}: ${detail}`),
  });
  command.print(flags.json ? `${JSON.stringify(reply.json, null, 2)}\n` : replyAsText(reply));
  if (flags.out === undefined) return;
  const paths = await writeReply(flags.out, reply, studio, signal);
  command.tell(`Written:\n${paths.map((path) => `  ${path}`).join('\n')}`);
}

function readWords(job: Job, words: CommandWords, on: string | undefined): Reading {
  return job.read(on === undefined ? words : { ...words, options: { ...words.options, on } });
}

function noTarget(names: readonly string[]): Failure {
  return new Failure('usage', {
    what: 'No target was named',
    why: `the config has ${names.join(', ') || 'none'}`,
    fix: 'Name one with --target',
  });
}
