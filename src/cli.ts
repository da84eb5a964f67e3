#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { jobs } from '../jobs/index.ts';
import type { Job } from '../jobs/job.ts';
import { failureText } from '../templates/text/failure.ts';
import { verbCommand } from './cli/common-options.ts';
import { type RunFlags, runWords } from './cli/run.ts';
import { Failure, toFailure } from './failure.ts';

/** Exit codes: 0 found, 1 failed, 2 usage. */
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => stop.abort(new Failure('cancelled', { what: 'Stopped', why: name })));
}

await createProgram()
  .parseAsync(process.argv)
  .catch((thrown: unknown) => {
    if (isCommanderExit(thrown)) {
      process.exitCode = thrown.exitCode === 0 ? 0 : EXIT_USAGE;
      return;
    }
    const failure = toFailure(thrown);
    process.stderr.write(`${failureText(failure)}\n`);
    if (failure.kind === 'bug' && failure.cause instanceof Error) {
      process.stderr.write(`${failure.cause.stack}\n`);
    }
    process.exitCode = failure.kind === 'usage' ? EXIT_USAGE : EXIT_FAILED;
  });

function createProgram(): Command {
  const program = new Command('memprof')
    .description(
      'ClickHouse memory investigations from the shell: what held the memory, how much, how sure, what to try next.',
    )
    .version(version())
    .showHelpAfterError('Run memprof --help for all verbs.')
    .exitOverride();
  program.commandsGroup('Investigations (the same verbs as in chat):');
  for (const job of jobs.filter(({ runsInShell }) => runsInShell)) addJob(program, job);
  program.commandsGroup('Try it:');
  addDemo(program);
  return program;
}

function addJob(program: Command, job: Job): void {
  const command = verbCommand(program, job)
    .allowUnknownOption()
    .addHelpText('after', `\nExample:\n  memprof ${job.example}`)
    .action(async (words: string[], flags: RunFlags) => {
      const { investigate } = await import('./cli/investigate.ts');
      await investigate({
        job,
        args: job.name === 'run' ? await runWords(words, flags, process.stdin) : words,
        flags,
        env: process.env,
        signal: stop.signal,
        print: (text) => process.stdout.write(text),
        tell: (line) => process.stderr.write(`${line}\n`),
      });
    });
  if (job.name === 'run') addRunOptions(command);
}

/** A statement comes from a file rather than through the quotes of a shell; its caps are options. */
function addRunOptions(command: Command): void {
  command
    .option('-f, --sql-file <file>', 'the file with the SELECT, - for standard input')
    .option('--time <span>', 'stop it after this (30s)')
    .option('--memory <size>', 'stop it at this much memory (4GiB)')
    .option('--rows <count>', 'stop it when it has read so many rows')
    .option('--bytes <size>', 'stop it when it has read so much (10GiB)');
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('start everything on embedded defaults and print one URL')
    .option('--once', 'post one /memprof peak, write the result, and end')
    .option('-o, --out <dir>', 'with --once: where the result is written')
    .option('--data <dir>', 'data folder', '.memprof/demo')
    .option('--port <number>', 'port of the page')
    .action(async (flags: DemoFlags) => {
      const { runDemo } = await import('./local/demo.ts');
      await runDemo({
        dataDir: flags.data,
        ...(flags.port === undefined ? {} : { port: Number(flags.port) }),
        ...(flags.once ? { once: flags.out === undefined ? {} : { outDir: flags.out } } : {}),
        ...(process.env.REDIS_URL === undefined ? {} : { redisUrl: process.env.REDIS_URL }),
        signal: stop.signal,
        tell: (line) => process.stdout.write(`${line}\n`),
      });
    });
}

interface DemoFlags {
  readonly once?: boolean;
  readonly out?: string;
  readonly data: string;
  readonly port?: string;
}

function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('#package');
  return (manifest as { version: string }).version;
}

function isCommanderExit(thrown: unknown): thrown is { exitCode: number } {
  return (
    thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('commander.')
  );
}
