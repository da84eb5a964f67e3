import { distance } from 'fastest-levenshtein';
import type { CommandWords, Job } from '../jobs/job.ts';
import { Failure } from './failure.ts';

/** What a person typed after `/memprof` or `@memprof`, understood as far as possible. Nothing is ever guessed and run. */
export type Command =
  | { readonly kind: 'job'; readonly job: Job; readonly words: CommandWords }
  /** Nothing was typed: people want the form. */
  | { readonly kind: 'empty' }
  /** `help`, `help peak`, `peak help`. */
  | { readonly kind: 'help'; readonly job?: Job }
  /** No such verb; `corrected` is the whole command with the nearest verb, for a button. */
  | { readonly kind: 'unknown'; readonly verb: string; readonly corrected?: string };

/** Text to command; the verbs are those of the table of jobs. */
export function parseCommand(text: string, jobs: readonly Job[]): Command {
  const raw = text.replace(/^\s*(?:\/?memprof\b)?\s*/i, '').trim();
  const tokens = tokenise(raw);
  const first = tokens[0];
  if (first === undefined) return { kind: 'empty' };
  const find = (name: string | undefined) =>
    jobs.find((job) => job.name === name?.toLowerCase().replace(/^-+/, ''));
  if (/^(?:-*help|-h|\?)$/i.test(first.text)) {
    const [, asked] = tokens;
    if (asked === undefined) return { kind: 'help' };
    const about = find(asked.text);
    return about === undefined ? unknownHelp(asked.text, jobs) : { kind: 'help', job: about };
  }
  const job = find(first.text);
  if (job === undefined) return unknown(first, raw, jobs);
  const rest = tokens.slice(1);
  if (rest.length === 1 && /^-*help$/i.test(rest[0]?.text ?? '')) return { kind: 'help', job };
  return { kind: 'job', job, words: toWords(rest, raw.slice(first.end).trim()) };
}

/** Words that a shell has split already: `key:value` and `--key value` or `--key=value` are options. */
export function wordsOfArguments(args: readonly string[]): CommandWords {
  const words: string[] = [];
  const options: Record<string, string> = {};
  for (let index = 0; index < args.length; index += 1) {
    const text = args[index] as string;
    const flag = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(text);
    if (flag?.[1] !== undefined) {
      options[flag[1]] = flag[2] ?? args[++index] ?? '';
      continue;
    }
    const option = optionOf({ text, isQuoted: false, end: 0 });
    if (option === undefined) words.push(text);
    else options[option.key] = option.value;
  }
  return { words, options, raw: args.join(' ') };
}

/** Throws `usage` for an option that a verb does not know, naming the nearest that it does. */
export function requireKnownOptions(
  job: Pick<Job, 'name' | 'usage'>,
  { options }: CommandWords,
  known: readonly string[],
): void {
  const odd = Object.keys(options).find((key) => !known.includes(key));
  if (odd === undefined) return;
  const near = nearest(odd, known);
  throw new Failure('usage', {
    what: `${job.name} has no option ${odd}`,
    why: known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`,
    fix: near === undefined ? `Usage: ${job.usage}` : `Did you mean ${near}:${options[odd]}?`,
  });
}

/** The candidate that a typo most likely meant, or none when nothing is near. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const ranked = candidates
    .map((name) => ({
      name,
      cost:
        (name.startsWith(word) && word.length > 1) || isSwapped(word, name)
          ? 0
          : distance(word, name),
    }))
    .sort((a, b) => a.cost - b.cost || a.name.localeCompare(b.name));
  const best = ranked[0];
  return best !== undefined && best.cost <= Math.max(1, Math.floor(word.length / 3))
    ? best.name
    : undefined;
}

/** Two letters typed in the wrong order: "paek". */
function isSwapped(word: string, name: string): boolean {
  return word.length === name.length && distance(word, name) === 2 && sorted(word) === sorted(name);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

/** Help about a verb that there is not. */
function unknownHelp(verb: string, jobs: readonly Job[]): Command {
  const near = nearest(
    verb,
    jobs.map(({ name }) => name),
  );
  return { kind: 'unknown', verb, ...(near === undefined ? {} : { corrected: `help ${near}` }) };
}

const QUERY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function unknown(first: Token, raw: string, jobs: readonly Job[]): Command {
  if (QUERY_ID.test(first.text) && jobs.some(({ name }) => name === 'peak')) {
    return { kind: 'unknown', verb: first.text, corrected: `peak ${raw}` };
  }
  const near = nearest(
    first.text,
    jobs.map(({ name }) => name),
  );
  if (near === undefined) return { kind: 'unknown', verb: first.text };
  const rest = raw.slice(first.end).trim();
  return { kind: 'unknown', verb: first.text, corrected: rest === '' ? near : `${near} ${rest}` };
}

interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Where it ends in the raw text. */
  readonly end: number;
}

/** Quotes of any kind that phones and editors put round what people paste. */
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
};

/** Splits at blanks, keeping what stands in quotes together; a quote that never closes is a character like any other. */
function tokenise(raw: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < raw.length) {
    if (/\s/.test(raw[at] as string)) {
      at += 1;
      continue;
    }
    const token = quoted(raw, at) ?? plain(raw, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function quoted(raw: string, start: number): Token | undefined {
  const run = /^`{1,3}/.exec(raw.slice(start))?.[0] ?? (raw[start] as string);
  const close = run.startsWith('`') ? run : QUOTES[run];
  if (close === undefined) return undefined;
  const end = raw.indexOf(close, start + run.length);
  if (end < 0) return undefined;
  return {
    text: raw.slice(start + run.length, end).trim(),
    isQuoted: true,
    end: end + close.length,
  };
}

function plain(raw: string, start: number): Token {
  let end = start;
  while (end < raw.length && !/\s/.test(raw[end] as string)) {
    // key:"a value with blanks"
    const value = raw[end] === ':' ? quoted(raw, end + 1) : undefined;
    if (value !== undefined) {
      return { text: `${raw.slice(start, end + 1)}${value.text}`, isQuoted: false, end: value.end };
    }
    end += 1;
  }
  return { text: raw.slice(start, end), isQuoted: false, end };
}

function toWords(tokens: readonly Token[], raw: string): CommandWords {
  const words: string[] = [];
  const options: Record<string, string> = {};
  for (const token of tokens) {
    const option = optionOf(token);
    if (option === undefined) words.push(token.text);
    else options[option.key] = option.value;
  }
  return { words: words.filter((word) => word !== ''), options, raw };
}

/** `key:value`; not what is quoted, not a URL, not an IPv6 address, not a time. */
function optionOf(token: Token): { key: string; value: string } | undefined {
  if (token.isQuoted) return undefined;
  const match = /^([a-z][a-z-]{1,24}):(?!\/\/)([\s\S]+)$/.exec(token.text);
  return match?.[1] === undefined || match[2] === undefined
    ? undefined
    : { key: match[1], value: match[2] };
}
