/** `npm run engine`: the embedded ClickHouse server alone, as a test server, until Ctrl-C. */
import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { stringify } from 'yaml';
import { failureText } from '../../../templates/text/failure.ts';
import { textTable } from '../../../templates/text/table.ts';
import { Failure, toFailure } from '../../failure.ts';
import { emulatedTable } from './emulated.ts';
import { type Engine, startEngine } from './engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Flags {
  readonly configOut?: string;
  readonly data?: string;
  readonly port?: number;
}

const program = new Command('npm run engine --')
  .description('A genuine ClickHouse 26.7 server out of an npm package, until Ctrl-C.')
  .option('--config-out <file>', 'write a memprof config in which it is the target "local"')
  .option('--data <dir>', 'keep its data there (else a temporary folder)')
  .option('--port <number>', 'port (else a free one)', portNumber)
  .addHelpText('after', `\nWhat of it is genuine:\n${textTable(emulatedTable())}`)
  .action(serve);
await program.parseAsync().catch((thrown: unknown) => {
  process.stderr.write(`${failureText(toFailure(thrown))}\n`);
  process.exitCode = 1;
});

async function serve(flags: Flags): Promise<void> {
  const stopped = new Promise<void>((stop) => {
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
  await using folder = flags.data === undefined ? await temporaryFolder('memprof-engine') : null;
  await using engine = await startEngine({
    dataDir: folder?.path ?? flags.data ?? '',
    ...(flags.port === undefined ? {} : { port: flags.port }),
  });
  if (flags.configOut !== undefined) await writeConfig(flags.configOut, engine);
  tell(`ClickHouse answers at ${engine.url}`);
  tell(`  ${curlLine(engine)}`);
  if (flags.configOut !== undefined) tell(`memprof config: ${flags.configOut} (target "local")`);
  tell('Memory samples and function names are emulated or recovered: --help says which.');
  tell('Ctrl-C stops it.');
  await stopped;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

function curlLine({ url, users }: Engine): string {
  return `curl -s '${url}/' -u ${users.admin.user}:${users.admin.password} -d 'SELECT version()'`;
}

/** The least-privileged user, as a real config should have it. */
async function writeConfig(file: string, { url, users }: Engine): Promise<void> {
  const text = stringify({ targets: { local: { url, ...users.memprof } } });
  await writeFile(file, text).catch((cause: Error) => {
    throw new Failure('environment', {
      what: `Could not write the config to ${file}`,
      why: cause.message,
      fix: 'Name a file in a folder that is there and may be written',
      cause,
    });
  });
}
