import type { Command } from 'commander';
import type { Job } from '../../jobs/job.ts';

/** A verb of the table as a command of the shell, with the options that all of them have. */
export function verbCommand(program: Command, job: Job): Command {
  return program
    .command(job.name)
    .description(job.summary)
    .argument('[words...]', job.usage)
    .option('-t, --target <name>', 'the server, by its name in the config')
    .option('-c, --config <file>', 'config file (else MEMPROF_CONFIG, else memprof.yaml)')
    .option('--url <url>', 'a server without a config file (password in MEMPROF_PASSWORD)')
    .option('--user <name>', 'with --url: the ClickHouse user (memprof)')
    .option('-o, --out <dir>', 'write message, pictures and raw files there')
    .option('--json', 'print JSON instead of text');
}
