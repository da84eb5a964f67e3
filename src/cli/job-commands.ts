import type { Command } from 'commander';
import { jobs } from '../../jobs/index.ts';
import type { Job } from '../../jobs/job.ts';
import { verbCommand } from './common-options.ts';
import { isFileVerb } from './file-commands.ts';
import type { FileIo } from './file-io.ts';
import { type RunFlags, runWords } from './run.ts';

interface Surroundings {
  readonly io: FileIo;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Adds the verbs of chat to the shell; where a file verb has the same name, that one is the shell's. */
export function addJobCommands(program: Command, surroundings: Surroundings): void {
  program.commandsGroup('Investigations (the same verbs as in chat):');
  for (const job of jobs) {
    if (job.runsInShell && !isFileVerb(job.name)) addJob(program, job, surroundings);
  }
}

function addJob(program: Command, job: Job, { io, env, signal }: Surroundings): void {
  const command = verbCommand(program, job)
    .allowUnknownOption()
    .addHelpText('after', `\nExample:\n  memprof ${job.example}`)
    .action(async (words: string[], flags: RunFlags) => {
      const { investigate } = await import('./investigate.ts');
      await investigate({
        job,
        args: job.name === 'run' ? await runWords(words, flags, io.standardInput) : words,
        flags,
        ...{ env, signal, print: io.print, tell: io.tell },
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
