#!/usr/bin/env node
import './cli/short-run.ts';
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { failureText } from '../templates/text/failure.ts';
import { addFileCommands, isFileVerb } from './cli/file-commands.ts';
import { Failure, toFailure } from './failure.ts';

/** Exit codes: 0 found, 1 failed, 2 usage. */
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => stop.abort(new Failure('cancelled', { what: 'Stopped', why: name })));
}

// Whoever pipes into head wants no more.
process.stdout.on('error', () => process.exit());

const io = {
  standardInput: process.stdin,
  print: (text: string) => void process.stdout.write(text),
  tell: (line: string) => void process.stderr.write(`${line}\n`),
};

await createProgram()
  .then((program) => program.parseAsync(process.argv))
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

async function createProgram(): Promise<Command> {
  const program = new Command('memprof')
    .description(
      'ClickHouse memory investigations from the shell: what held the memory, how much, how sure, what to try next.',
    )
    .version(version())
    .showHelpAfterError('Run memprof --help for all verbs.')
    .exitOverride();
  // The table of jobs takes longer to load than a small profile to draw.
  if (!isFileVerb(process.argv[2])) {
    const { addJobCommands } = await import('./cli/job-commands.ts');
    addJobCommands(program, { io, env: process.env, signal: stop.signal });
  }
  addFileCommands(program, io);
  program.commandsGroup('Try it:');
  addDemo(program);
  return program;
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('Start everything on embedded defaults and print one URL')
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
