/** `npm run workspace`: the Slack workspace alone, for any app, until Ctrl-C. */
import { Command } from 'commander';
import { failureText } from '../../../templates/text/failure.ts';
import { textTable } from '../../../templates/text/table.ts';
import { toFailure } from '../../failure.ts';
import { workspaceTruths } from './emulated.ts';
import { startWorkspace, type Workspace } from './workspace.ts';

interface Flags {
  readonly port?: string;
}

const table = workspaceTruths.map(({ what, truth, how }) => [what, truth, how]);

const program = new Command('npm run workspace --')
  .description('A Slack workspace of its own, with its page, until Ctrl-C.')
  .option('--port <number>', 'port (else a free one)')
  .addHelpText('after', `\nWhat of it is genuine:\n${textTable([['what', 'is', 'how'], ...table])}`)
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
  await using workspace = await startWorkspace(
    flags.port === undefined ? {} : { port: Number(flags.port) },
  );
  process.stdout.write(`${greeting(workspace)}\n`);
  await stopped;
}

function greeting({ origin, apiUrl, botToken, appToken, signingSecret }: Workspace): string {
  return [
    `A Slack workspace is at ${origin}`,
    'memprof, or any app on @slack/bolt, takes these:',
    `  export SLACK_API_URL=${apiUrl}`,
    `  export SLACK_BOT_TOKEN=${botToken}`,
    `  export SLACK_APP_TOKEN=${appToken}`,
    `  export SLACK_SIGNING_SECRET=${signingSecret}`,
    'Ctrl-C stops it.',
  ].join('\n');
}
