import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { type ConfigFile, ConfigSchema, type Target } from './config-schema.ts';
import { Failure } from './failure.ts';
import type { SubsystemRule } from './profile/subsystem-rule.ts';

export type Config = ConfigFile;
export type { ClickHouseTarget, KeeperTarget, Right, Target } from './config-schema.ts';

/** A fault of the config file: where and why. */
export interface ConfigFault {
  /** From 1. */
  readonly line: number;
  /** "targets.prod-1.url"; empty for the whole file. */
  readonly path: string;
  readonly reason: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The parts that a process does not use, so that the shell needs no Slack tokens in its environment. */
export type UnusedSection = 'slack' | 'redis' | 'store';

/**
 * The config of memprof from YAML text. `${NAME}` in a value is replaced by the environment variable, so that
 * secrets stay out of the file. Throws one `config` failure that lists every fault with its line.
 */
export function readConfig(
  text: string,
  env: Env,
  fileName: string,
  unused: readonly UnusedSection[] = [],
): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = document.errors.map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    path: '',
    reason: error.message,
  }));
  if (syntax.length > 0) throw configFailure(fileName, syntax);

  const faults: ConfigFault[] = [];
  const at = (path: readonly PropertyKey[]) => lineOf(document, lines, path);
  const raw: unknown = document.toJS() ?? {};
  if (isRecord(raw)) for (const section of unused) delete raw[section];
  const value = substitute(raw, env, [], (path, reason) =>
    faults.push({ line: at(path), path: path.join('.'), reason }),
  );
  const parsed = ConfigSchema.safeParse(value);
  for (const issue of parsed.error?.issues ?? []) {
    const path = issuePath(issue);
    if (faults.some((fault) => fault.path === path.join('.'))) continue;
    faults.push({ line: at(path), path: path.join('.'), reason: reasonOf(issue) });
  }
  faults.push(...unknownTargets(value, at));
  if (faults.length > 0 || parsed.data === undefined) {
    throw configFailure(
      fileName,
      faults.sort((a, b) => a.line - b.line),
    );
  }
  return parsed.data;
}

/** The target of this name; throws `unknown-target` with the names that exist. */
export function targetOf(config: Config, name: string): Target {
  const target = Object.hasOwn(config.targets, name) ? config.targets[name] : undefined;
  if (target !== undefined) return target;
  const known = Object.keys(config.targets);
  throw new Failure('unknown-target', {
    what: `There is no target named ${name}`,
    why: known.length === 0 ? 'the config lists no targets' : `the config has ${known.join(', ')}`,
    fix: 'Use one of these names, or ask whoever runs memprof to add the server to the config file',
  });
}

/** The team's own rules, which are tried before the bundled ones. */
export function subsystemRulesOf({ subsystems }: Config): readonly SubsystemRule[] {
  return subsystems.map(({ subsystem, pattern }) => ({ subsystem, pattern: new RegExp(pattern) }));
}

/** What anybody may know of the targets. Their addresses and users are not for the chat. */
export function targetSummaries({
  targets,
}: Config): readonly (Pick<Target, 'kind'> & { readonly name: string; readonly group?: string })[] {
  return Object.entries(targets).map(([name, { kind, group }]) => ({
    ...{ name, kind },
    ...(group === undefined ? {} : { group }),
  }));
}

/** Names of targets that nothing defines. Looks at the text as it came, so that it also works beside other faults. */
function unknownTargets(value: unknown, at: (path: PropertyKey[]) => number): ConfigFault[] {
  const targets = entriesOf(value, 'targets');
  const known = new Set<unknown>(['*', undefined, ...targets.map(([name]) => name)]);
  for (const [, target] of targets) if (isRecord(target)) known.add(target.group);
  const used: [PropertyKey[], unknown][] = entriesOf(value, 'channels').map(
    ([channel, setting]) => [
      ['channels', channel, 'target'],
      isRecord(setting) ? setting.target : undefined,
    ],
  );
  for (const [index, right] of entriesOf(value, 'rights')) {
    if (!isRecord(right)) continue;
    for (const [n, name] of entriesOf(right, 'targets')) {
      used.push([['rights', Number(index), 'targets', Number(n)], name]);
    }
  }
  return used
    .filter(([, name]) => !known.has(name))
    .map(([path, name]) => ({
      line: at(path),
      path: path.join('.'),
      reason: `no target or group is named ${String(name)}`,
    }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function entriesOf(value: unknown, key: string): [string, unknown][] {
  const part = isRecord(value) ? value[key] : undefined;
  return isRecord(part) ? Object.entries(part) : [];
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

function substitute(
  value: unknown,
  env: Env,
  path: readonly PropertyKey[],
  fault: (path: readonly PropertyKey[], reason: string) => void,
): unknown {
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (whole, name: string) => {
      const found = env[name];
      if (found !== undefined && found !== '') return found;
      fault(path, `environment variable ${name} is not set`);
      return whole;
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => substitute(item, env, [...path, index], fault));
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        substitute(item, env, [...path, key], fault),
      ]),
    );
  }
  return value;
}

function issuePath(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'memprof knows no setting of this name';
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? `missing; expected ${issue.expected}`
      : `expected ${issue.expected}`;
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'too_small' && issue.origin === 'array') return 'the list is empty';
  return issue.message;
}

/** The line of a value, or of the nearest thing above it that exists. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function configFailure(fileName: string, faults: readonly ConfigFault[]): Failure {
  const list = faults.map(
    ({ line, path, reason }) => `line ${line}: ${path === '' ? '' : `${path}: `}${reason}`,
  );
  return new Failure('config', {
    what: `${fileName} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}`,
    why: list.join('; '),
    fix: 'Correct the file and start again; the README has an example',
    paste: list.join('\n'),
  });
}
