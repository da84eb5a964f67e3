import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { KnownBlock } from '@slack/types';
import { messageAsText } from '../../templates/text/message.ts';
import { Failure } from '../failure.ts';
import { formatDuration } from '../format.ts';
import { makeFolder } from '../make-folder.ts';
import type { SeededQuery } from './clickhouse/seed.ts';
import { peakCommand } from './demo-words.ts';
import type { Message, WorkspaceFile } from './slack/state/model.ts';
import type { Workspace } from './slack/workspace.ts';

const ANSWER_MS = 180_000;
/** Nothing more comes when nothing came for this long. */
const QUIET_MS = 1500;

export interface OnceOptions {
  readonly workspace: Workspace;
  readonly query: SeededQuery;
  readonly outDir: string;
  readonly tell: (line: string) => void;
}

/**
 * Posts one `/memprof peak` as a person, waits for its answer, and writes message, pictures and files to a folder.
 * Throws when the answer is a failure or does not come.
 */
export async function runOnce({ workspace, query, outDir, tell }: OnceOptions): Promise<void> {
  const command = peakCommand(query);
  const channel = workspace.channels.dbOncall;
  const askedAt = Date.now();
  const before = new Set(workspace.messages(channel).map(({ ts }) => ts));
  tell(`${command}`);
  await workspace.command({ user: workspace.users.dana, channel, text: command });
  const isRoot = ({ ts, user }: Message) => !before.has(ts) && user === workspace.botUserId;
  await workspace.waitFor(
    () => workspace.messages(channel).some((message) => isRoot(message) && hasFinding(message)),
    ANSWER_MS,
  );
  const foundMs = Date.now() - askedAt;
  await quiet(workspace);
  const root = workspace.messages(channel).find(isRoot);
  if (root === undefined) throw noAnswer('its message is gone');
  if (imageCount(root) === 0) throw noAnswer(root.text);
  const paths = await write(workspace, root, outDir);
  tell(`\n${asText(root)}`);
  tell(
    `Answered after ${formatDuration(foundMs)}. Written:\n${paths.map((path) => `  ${path}`).join('\n')}`,
  );
}

function noAnswer(why: string): Failure {
  return new Failure('environment', {
    what: 'The demo got no finding',
    why,
    fix: 'See bot.log and worker.log in the data folder of the demo',
  });
}

/** The buttons of a running investigation are gone, and no picture is being drawn. */
function hasFinding({ blocks }: Message): boolean {
  const text = JSON.stringify(blocks);
  return blocks.length > 0 && !text.includes('"action_id":"cancel"') && !text.includes('Drawing ');
}

function imageCount({ blocks }: Message): number {
  return blocks.filter(({ type }) => type === 'image').length;
}

/** Resolves when the app has not called for a while. */
async function quiet(workspace: Workspace): Promise<void> {
  for (let calls = -1; calls !== workspace.calls().length; ) {
    calls = workspace.calls().length;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}

async function write(
  workspace: Workspace,
  root: Message,
  outDir: string,
): Promise<readonly string[]> {
  await makeFolder(outDir);
  const replies = workspace.thread(root.channel, root.ts).filter(({ ts }) => ts !== root.ts);
  const contents: [string, string | Uint8Array][] = [
    ['message.txt', asText(root)],
    ['message.json', `${JSON.stringify({ root, replies }, null, 2)}\n`],
    ...workspace
      .files()
      .filter(({ state }) => state === 'ready')
      .map((file): [string, Uint8Array] => [fileName(file), file.bytes]),
  ];
  const paths: string[] = [];
  for (const [name, content] of contents) {
    const path = join(outDir, name);
    await writeFile(path, content);
    paths.push(path);
  }
  return paths;
}

function fileName({ name }: WorkspaceFile): string {
  return basename(name);
}

function asText({ blocks }: Message): string {
  // What the workspace accepted has passed its checks of Block Kit.
  return messageAsText(blocks as unknown as readonly KnownBlock[]);
}
