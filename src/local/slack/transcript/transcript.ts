import type { Core } from '../core.ts';
import type { Change } from '../state/changes.ts';
import type { Message } from '../state/model.ts';
import { blockLines } from './block-lines.ts';

/** Replaces what differs from run to run. */
export interface Mask {
  readonly pattern: RegExp;
  readonly label: string;
}

export interface Transcript {
  /**
   * Everything that happened in a channel since the workspace started, in order, as text that is the same in each
   * run: messages are numbered (replies as 2.1), file ids too, and moments and the origin are left out.
   */
  of(channel: string, masks?: readonly Mask[]): string;
}

interface Entry {
  readonly channel: string;
  readonly ts: string;
  readonly what: 'posted' | 'edited' | 'deleted';
  readonly message: Message | undefined;
}

export function createTranscript(core: Core): Transcript {
  const entries: Entry[] = [];
  core.changes.subscribe((change) => {
    const entry = entryOf(core, change);
    if (entry !== undefined) entries.push(entry);
  });
  return {
    of(channel, masks = []) {
      const own = entries.filter((entry) => entry.channel === channel);
      const numbers = numbersOf(own);
      const text = own.map((entry) => entryText(core, entry, numbers)).join('\n');
      return masked(core, text, numbers, masks);
    },
  };
}

function entryOf(core: Core, change: Change): Entry | undefined {
  if (change.kind === 'ephemeral') {
    const { channel, ts, what } = change;
    return { channel, ts, what, message: core.messages.ephemeral(channel, ts) };
  }
  if (change.kind !== 'message' || change.what === 'counted') return undefined;
  const { channel, ts, what } = change;
  return { channel, ts, what, message: core.messages.get(channel, ts) };
}

/** "2" for a message, "2.1" for the first reply to it; what was said before the start is "0". */
function numbersOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  const replies = new Map<string, number>();
  let roots = 0;
  for (const { ts, message } of entries) {
    if (numbers.has(ts) || message === undefined) continue;
    const parent = message.threadTs;
    if (parent === undefined) {
      roots += 1;
      numbers.set(ts, String(roots));
      continue;
    }
    if (!numbers.has(parent)) numbers.set(parent, '0');
    const count = (replies.get(parent) ?? 0) + 1;
    replies.set(parent, count);
    numbers.set(ts, `${numbers.get(parent)}.${count}`);
  }
  return numbers;
}

function entryText(core: Core, entry: Entry, numbers: ReadonlyMap<string, string>): string {
  const { ts, what, message } = entry;
  const number = numbers.get(ts) ?? '?';
  if (message === undefined) return `[${number}] deleted`;
  const who = nameOf(core, message.user);
  const seenBy =
    message.visibleTo === undefined ? '' : ` (only ${nameOf(core, message.visibleTo)} sees it)`;
  const head = `[${number}] ${what === 'edited' ? 'edited by ' : ''}${who}${seenBy}:`;
  const lines = [
    ...message.text.split('\n'),
    ...message.blocks.flatMap(blockLines).map((line) => `  ${line}`),
    ...message.files.map((id) => `  file ${id} ${core.files.get(id)?.name ?? ''}`),
  ];
  return [`${head} ${lines[0] ?? ''}`.trimEnd(), ...lines.slice(1)].join('\n');
}

function nameOf(core: Core, user: string): string {
  return core.directory.user(user)?.name ?? user;
}

function masked(
  core: Core,
  text: string,
  numbers: ReadonlyMap<string, string>,
  masks: readonly Mask[],
): string {
  const files = new Map<string, string>();
  const numbered = (id: string) => {
    if (!files.has(id)) files.set(id, `F${files.size + 1}`);
    return files.get(id) ?? id;
  };
  const plain = text
    .replaceAll(core.origin, 'http://slack')
    .replace(/p(\d{10})(\d{6})(\?[^\s|>]*)?/g, (_, seconds: string, micros: string) => {
      return `p[${numbers.get(`${seconds}.${micros}`) ?? '?'}]`;
    })
    .replace(/\bF0[A-Z0-9]{9}\b/g, numbered)
    .replace(/<!date\^[^|>]*\|[^>]*>/g, '<date>')
    .replace(/<@([UW][A-Z0-9]+)(\|[^>]*)?>/g, (_, id: string) => `@${nameOf(core, id)}`);
  return masks.reduce((current, { pattern, label }) => current.replace(pattern, label), plain);
}
