import type { OutgoingFile } from '../src/ports.ts';
import type { Profile } from '../src/profile/profile.ts';
import type { Bytes } from '../src/units.ts';
import { collapsedText } from '../src/writers/collapsed.ts';
import { speedscopeJson } from '../src/writers/speedscope.ts';

/** A chat is no place for more, and speedscope becomes slow. */
const MAX_FILE_BYTES: Bytes = 20 * 2 ** 20;
const MAX_NAME_LENGTH = 100;

/** A profile as files for the thread, for whoever digs with own tools: collapsed stacks, and for speedscope. */
export function profileFiles(
  profile: Profile,
  { name, title }: { readonly name: string; readonly title: string },
): readonly OutgoingFile[] {
  const stem = fileStem(name);
  const files = [
    {
      name: `${stem}.collapsed.txt`,
      title: `${title}, collapsed stacks`,
      bytes: collapsedText(profile),
    },
    {
      name: `${stem}.speedscope.json`,
      title: `${title}, for speedscope.app`,
      bytes: speedscopeJson(profile, title),
    },
  ];
  // Nothing in it: Slack refuses empty files.
  const [collapsed] = files;
  if (collapsed?.bytes.length === 0) return [];
  return files.filter(({ bytes }) => bytes.length <= MAX_FILE_BYTES);
}

/** Ids of queries are free text that clients choose; the shell writes files by these names. */
function fileStem(name: string): string {
  return name.replace(/[^\w.-]+/g, '_').slice(0, MAX_NAME_LENGTH);
}
