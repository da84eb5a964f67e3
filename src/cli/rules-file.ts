import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { Failure } from '../failure.ts';
import type { SubsystemRule } from '../profile/subsystem-rule.ts';

/** Where a team's own rules are, as the shell has it. */
export interface RuleFlags {
  /** A file of rules, or a config that has some. */
  readonly rules?: string;
}

/**
 * The rules of a team: the list that the config has under `subsystems`, alone or within a config, of which nothing else
 * is looked at. None without a file. Throws `usage` for a file that cannot be read and `config` for one with faults.
 */
export async function readRules({ rules: path }: RuleFlags): Promise<readonly SubsystemRule[]> {
  if (path === undefined) return [];
  const text = textOf(path);
  // Most runs have no rules, and these two take longer to load than a small profile to draw.
  const [{ parse }, { SubsystemsSchema }] = await Promise.all([
    import('yaml'),
    import('../config-schema.ts'),
  ]);
  const list = listIn(parseOr(parse, text, path), path);
  const read = SubsystemsSchema.safeParse(list);
  if (!read.success) throw badRules(path, read.error.issues.map(faultOf).join('; '));
  return read.data.map(({ subsystem, pattern }) => ({ subsystem, pattern: new RegExp(pattern) }));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Failure('usage', {
      what: `Could not read the rules in ${path}`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Name a file with --rules FILE, or leave that out for the bundled rules',
      cause,
    });
  }
}

function parseOr(parse: (text: string) => unknown, text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const [line = ''] = String(cause instanceof Error ? cause.message : cause).split('\n');
    throw badRules(path, line);
  }
}

function listIn(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value;
  const isConfig = value !== null && typeof value === 'object' && 'subsystems' in value;
  if (isConfig) return value.subsystems;
  throw badRules(path, 'it is neither a list of rules nor a config with subsystems');
}

/** "rule 2, pattern: is not a regular expression". */
function faultOf({ path, message }: z.core.$ZodIssue): string {
  const [index, ...keys] = path;
  const which = typeof index === 'number' ? `rule ${index + 1}` : 'the list';
  return `${[which, ...keys].join(', ')}: ${message}`;
}

function badRules(path: string, why: string): Failure {
  return new Failure('config', {
    what: `The rules in ${path} have a fault`,
    why,
    fix: 'Write them like this',
    paste: '- { subsystem: my feature, pattern: "DB::MyFeature" }',
  });
}
