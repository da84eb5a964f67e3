/** `npm run engine`: the embedded ClickHouse server alone, as a test server, until Ctrl-C. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { stringify } from 'yaml';
import { failureText } from '../../../templates/text/failure.ts';
import { textTable } from '../../../templates/text/table.ts';
import { toFailure } from '../../failure.ts';
import { emulatedTable } from './emulated.ts';
import { type Engine, startEngine } from './engine.ts';

interface Flags {
  readonly configOut?: string;
  readonly data?: string;
  readonly port?: string;
}

const program = new Command('npm run engine --')
  .description('A genuine ClickHouse 26.7 server out of an npm package, until Ctrl-C.')
  .option('--config-out <file>', 'write a memprof config in which it is the target "local"')
  .option('--data <dir>', 'keep its data there (else a temporary folder)')
  .option('--port <number>', 'port (else a free one)')
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
  const dataDir = resolve(flags.data ?? (await mkdtemp(join(tmpdir(), 'memprof-engine-'))));
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const engine = await startEngine({
      dataDir,
      ...(flags.port === undefined ? {} : { port: Number(flags.port) }),
    });
    try {
      if (flags.configOut !== undefined) await writeFile(flags.configOut, targetConfig(engine));
      tell(`ClickHouse answers at ${engine.url}`);
      tell(`  ${curlLine(engine)}`);
      if (flags.configOut !== undefined)
        tell(`memprof config: ${flags.configOut} (target "local")`);
      tell('Ctrl-C stops it.');
      await stopped;
    } finally {
      await engine.stop();
    }
  } finally {
    if (flags.data === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

function curlLine({ url, users }: Engine): string {
  return `curl -s '${url}/' -u ${users.admin.user}:${users.admin.password} -d 'SELECT version()'`;
}

function targetConfig({ url, users }: Engine): string {
  return stringify({ targets: { local: { url, ...users.memprof } } });
}
