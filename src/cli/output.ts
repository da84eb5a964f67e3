import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reply } from '../../jobs/job.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { makeFolder } from '../make-folder.ts';
import type { Studio } from '../ports.ts';

/** The message of a reply as the shell shows it. */
export function replyAsText(reply: Reply): string {
  return messageAsText([...reply.head, ...reply.tail]);
}

/** Writes text, JSON, pictures and raw files of a reply to a folder; resolves to the paths written. */
export async function writeReply(
  folder: string,
  reply: Reply,
  studio: Studio,
  signal: AbortSignal,
): Promise<readonly string[]> {
  await makeFolder(folder);
  const paths: string[] = [];
  const write = async (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, content);
    paths.push(path);
  };
  await write('message.txt', replyAsText(reply));
  await write('message.json', `${JSON.stringify(reply.json, null, 2)}\n`);
  for (const picture of [...reply.pictures, ...reply.threadPictures]) {
    if (picture.format === 'svg') {
      await write(`${picture.name}.svg`, await studio.drawFile(picture.request, signal));
    } else await write(`${picture.name}.png`, (await studio.draw(picture.request, signal)).png);
  }
  for (const file of reply.files) await write(file.name, file.bytes);
  return paths;
}
