#!/usr/bin/env node
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { jobs } from '../jobs/index.ts';
import type { Job } from '../jobs/job.ts';
import { failureText } from '../templates/text/failure.ts';
import type { ShellFlags } from './cli/settings.ts';
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
  program
    .command(job.name)
    .description(job.summary)
    .argument('[words...]', job.usage)
    .option('-t, --target <name>', 'the server, by its name in the config')
    .option('-c, --config <file>', 'config file (else MEMPROF_CONFIG, else memprof.yaml)')
    .option('--url <url>', 'a server without a config file (password in MEMPROF_PASSWORD)')
    .option('--user <name>', 'with --url: the ClickHouse user (memprof)')
    .option('-o, --out <dir>', 'write message, pictures and raw files there')
    .option('--json', 'print JSON instead of text')
    .allowUnknownOption()
    .addHelpText('after', `\nExample:\n  memprof ${job.example}`)
    .action(async (words: string[], flags: ShellFlags) => {
      const { investigate } = await import('./cli/investigate.ts');
      await investigate({
        job,
        args: words,
        flags,
        env: process.env,
        signal: stop.signal,
        print: (text) => process.stdout.write(text),
        tell: (line) => process.stderr.write(`${line}\n`),
      });
    });
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
