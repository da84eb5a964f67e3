import * as z from 'zod';
import { Failure } from '../../src/failure.ts';
import type { RunCaps } from '../../src/ports.ts';
import type { CommandWords } from '../job.ts';
import { readSize, readSpan } from '../option-words.ts';

export const RunArgs = z.object({
  target: z.string().min(1),
  sql: z.string().min(1),
  /** Asked for by the person; absent: the target's. */
  caps: z
    .object({
      seconds: z.number().int().positive(),
      memoryBytes: z.number().positive(),
      readRows: z.number().positive(),
      readBytes: z.number().positive(),
    })
    .partial(),
  /** Slack user id of whoever approved it; never read from words. */
  approvedBy: z.string().optional(),
});
export type RunArgs = z.infer<typeof RunArgs>;

const capOptions = ['time', 'memory', 'rows', 'bytes'] as const;
type CapOption = (typeof capOptions)[number];

const MAX_SQL_CHARS = 20_000;
const OPTION = /^(on|time|memory|rows|bytes):(\S+)\s*/;

/**
 * Options first, then the statement, untouched: it may hold colons, quotes and blanks of its own. A fence of back-ticks
 * round it is taken off.
 */
export function readRunWords(
  { raw, options }: CommandWords,
  usage: string,
): { readonly target: string; readonly sql: string; readonly caps: Partial<RunCaps> } {
  const said = new Map<string, string>();
  let rest = raw.trim();
  for (let match = OPTION.exec(rest); match !== null; match = OPTION.exec(rest)) {
    said.set(match[1] as string, match[2] as string);
    rest = rest.slice(match[0].length);
  }
  // Whoever adds the server to a command, a form or a button, adds it at the end.
  const last = /\s+on:([A-Za-z0-9][\w.-]*)\s*$/.exec(rest);
  if (last !== null) rest = rest.slice(0, last.index);
  const sql = withoutFence(rest);
  if (sql === '') throw badRun('run needs a SELECT', usage);
  if (sql.length > MAX_SQL_CHARS) throw badRun('The statement is too long', usage);
  const target = said.get('on') ?? last?.[1] ?? options.on;
  if (target === undefined) throw badRun('run needs a server', usage);
  return { target, sql, caps: readCaps(said) };
}

/** Caps as people type them: `time:30s memory:4GiB rows:1000000 bytes:10GiB`. */
function readCaps(said: ReadonlyMap<string, string>): Partial<RunCaps> {
  const typed = (option: CapOption) => said.get(option);
  const [time, memory, rows, bytes] = capOptions.map(typed);
  return {
    ...(time === undefined
      ? {}
      : { seconds: positive('time', Math.ceil(readSpan('time', time) / 1000)) }),
    ...(memory === undefined
      ? {}
      : { memoryBytes: positive('memory', readSize('memory', memory)) }),
    ...(rows === undefined ? {} : { readRows: positive('rows', readRows(rows)) }),
    ...(bytes === undefined ? {} : { readBytes: positive('bytes', readSize('bytes', bytes)) }),
  };
}

function readRows(typed: string): number {
  const rows = Number(typed.replace(/[_,]/g, ''));
  if (Number.isInteger(rows)) return rows;
  throw new Failure('usage', {
    what: `rows:${typed} is not a number of rows`,
    fix: 'Write it like rows:1000000',
  });
}

function positive(option: CapOption, value: number): number {
  if (value > 0) return value;
  // To ClickHouse, a limit of 0 is none.
  throw new Failure('usage', {
    what: `${option}: must be more than 0`,
    fix: `Leave ${option}: out for what the config allows`,
  });
}

function withoutFence(text: string): string {
  const fenced = /^(`{1,3})(?:sql\n)?([\s\S]*?)\1\s*$/.exec(text.trim());
  return (fenced?.[2] ?? text).trim().replace(/[;\s]+$/, '');
}

function badRun(what: string, usage: string): Failure {
  return new Failure('usage', { what, fix: `Usage: ${usage}` });
}

/** What will hold: what was asked for, where the config allows it. Throws `usage` where it does not. */
export function capsInForce(wanted: RunArgs['caps'], allowed: RunCaps): RunCaps {
  for (const name of capNames) {
    const [asked, most] = [wanted[name], allowed[name]];
    if (asked === undefined || asked <= most) continue;
    throw tooMuchAsked(name, most, 'the config');
  }
  const { seconds, memoryBytes, readRows, readBytes } = wanted;
  return {
    seconds: seconds ?? allowed.seconds,
    memoryBytes: memoryBytes ?? allowed.memoryBytes,
    readRows: readRows ?? allowed.readRows,
    readBytes: readBytes ?? allowed.readBytes,
  };
}

/** `by`: who allows no more. */
export function tooMuchAsked(name: keyof RunCaps, most: number, by: string): Failure {
  const option = OPTIONS[name];
  return new Failure('usage', {
    what: `${option}: asks for more than ${by} allows on this server`,
    why: `the most is ${option}:${most}${name === 'seconds' ? 's' : ''}`,
    fix: `Leave ${option}: out, or have ${by === 'the config' ? 'the cap in the config' : 'its constraint'} raised`,
  });
}

const OPTIONS: Readonly<Record<keyof RunCaps, CapOption>> = {
  seconds: 'time',
  memoryBytes: 'memory',
  readRows: 'rows',
  readBytes: 'bytes',
};

export const capNames = ['seconds', 'memoryBytes', 'readRows', 'readBytes'] as const;
