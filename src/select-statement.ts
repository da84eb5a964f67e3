import { Failure } from './failure.ts';

/** What a server's own reading of a statement (EXPLAIN AST) tells of it. */
export interface StatementOutline {
  /** "SelectWithUnionQuery", "InsertQuery". */
  readonly kind: string;
  /** Whether a SETTINGS clause stands anywhere in it. */
  readonly hasSettings: boolean;
  /** Functions that stand where a table does. */
  readonly tableFunctions: readonly string[];
  /** All functions. */
  readonly functions: readonly string[];
  /** Names of columns; a function that is handed to another one (`arrayMap(file, …)`) is told as one too. */
  readonly identifiers: readonly string[];
  readonly tables: readonly string[];
  /** Whether APPLY stands in it, whose function EXPLAIN AST keeps back. */
  readonly hasApply: boolean;
}

/** Reads the text of EXPLAIN AST: a node a line, one more blank before each level. */
export function readSyntaxTree(text: string): StatementOutline {
  const nodes = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ depth: line.search(/\S/), words: line.trim().split(' ') }));
  const functions: string[] = [];
  const tableFunctions: string[] = [];
  for (const [index, { depth, words }] of nodes.entries()) {
    if (words[0] !== 'Function' || words[1] === undefined) continue;
    functions.push(words[1]);
    const parent = nodes.slice(0, index).findLast((node) => node.depth < depth);
    if (parent?.words[0] === 'TableExpression') tableFunctions.push(words[1]);
  }
  const named = (node: string) =>
    nodes.flatMap(({ words: [kind, name] }) => (kind === node && name !== undefined ? [name] : []));
  return {
    kind: nodes[0]?.words[0] ?? '',
    hasSettings: nodes.some(({ words }) => words[0] === 'Set'),
    functions,
    tableFunctions,
    identifiers: named('Identifier'),
    tables: named('TableIdentifier'),
    hasApply: nodes.some(({ words }) => words[0] === 'ColumnsApplyTransformer'),
  };
}

/** Table functions that stay within the server and its own cluster. */
const INNER_TABLE_FUNCTIONS: ReadonlySet<string> = new Set(
  [
    ...['numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'primes', 'one', 'null', 'values', 'view'],
    ...['generateRandom', 'generate_series', 'generateSeries', 'loop', 'merge', 'mergeTreeIndex'],
    ...['cluster', 'clusterAllReplicas', 'dictionary'],
  ].map((name) => name.toLowerCase()),
);

/** Functions that read files or other servers wherever they stand: `x IN url(…)` is one without a FROM. */
const REACHING_OUT =
  /^(?:file|fileCluster|url|urlCluster|s3|s3Cluster|gcs|oss|cosn|hdfs|hdfsCluster|azureBlobStorage.*|remote|remoteSecure|mysql|postgresql|mongodb|sqlite|redis|jdbc|odbc|executable|input|iceberg.*|deltaLake.*|hudi.*|paimon.*|ytsaurus|arrowFlight|prometheusQuery.*|timeSeries(?:Data|Tags|Metrics)|kafka|nats|rabbitmq)$/i;

/** Functions of single values that reach out, by any way of calling them. */
const REACHING_VALUE =
  /^(?:file|catboostEvaluate|hasColumnInTable|reverseDNSQuery|modelEvaluate|ai(?:classify|embed|extract|generate|translate)\w*)$/i;

/** Functions that take another one, which may be told by its bare name. */
const HIGHER_ORDER = /^(?:array|map)/i;

function reachesOut(name: string): boolean {
  return REACHING_OUT.test(name) || REACHING_VALUE.test(name);
}

/** Throws `usage` for whatever is not one SELECT that stays within the server and within memprof's caps. */
export function requireHarmlessSelect(outline: StatementOutline): void {
  const { kind, hasSettings, tableFunctions, functions } = outline;
  if (kind !== 'SelectWithUnionQuery') {
    throw refused(`it is ${kindWords(kind)}`, 'Give one SELECT; its rows are thrown away');
  }
  if (hasSettings) {
    throw refused(
      'it has a SETTINGS clause, which could lift the caps',
      'Take the clause out: memprof sets the profiler and the caps itself',
    );
  }
  if (tableFunctions.includes('viewExplain')) {
    throw refused('it is a statement of the kind Explain', 'Give the SELECT itself');
  }
  const outer =
    tableFunctions.find((name) => !INNER_TABLE_FUNCTIONS.has(name.toLowerCase())) ??
    functions.find(reachesOut) ??
    (functions.some((name) => HIGHER_ORDER.test(name))
      ? outline.identifiers.find((name) => REACHING_VALUE.test(name))
      : undefined);
  if (outer !== undefined) throw reachingOut(`the function ${outer}`);
  // Some databases take any name of a table for a file or an address.
  const path = [...outline.tables, ...outline.identifiers].find((name) => name.includes('/'));
  if (path !== undefined) throw reachingOut(`a table named ${path}`);
}

function reachingOut(what: string): Failure {
  return refused(`${what} can reach files or other servers`, 'Query tables of the server itself');
}

/**
 * What EXPLAIN AST keeps back, as far as the text tells of it: the function of APPLY, and the expression before `.*`.
 * Throws `usage`.
 */
export function requireNothingHidden(sql: string, { hasApply }: StatementOutline): void {
  const { names, shape } = withoutLiterals(sql);
  if (/[)\]}']\s*\.\s*(?:\*|COLUMNS\b)/i.test(shape)) {
    throw refused(
      'the server does not show what stands before .* there',
      'Name the elements that you want',
    );
  }
  if (!hasApply) return;
  const outer = names.find((name) => REACHING_VALUE.test(name));
  if (outer !== undefined) throw reachingOut(`APPLY with the function ${outer}`);
  if (shape.includes('->') || /[‘’“”]/.test(shape)) {
    throw refused(
      'the server does not show what APPLY does there',
      'Give APPLY the name of a function',
    );
  }
}

/** Strings, quoted names, heredocs and comments, as ClickHouse's lexer takes them. */
const TOKEN =
  /'(?:[^'\\]|\\[\s\S]|'')*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\//g;

/** A text with an empty string for each string, no comments, and quoted names bare; and all names in it. */
function withoutLiterals(sql: string): {
  readonly shape: string;
  readonly names: readonly string[];
} {
  const shape = sql.replace(TOKEN, (token) => {
    if (token.startsWith("'") || token.startsWith('$')) return "''";
    return /^[`"]/.test(token) ? token.slice(1, -1).replace(/\W/g, '_') : ' ';
  });
  return { shape, names: shape.match(/[A-Za-z_]\w*/g) ?? [] };
}

function kindWords(kind: string): string {
  const name = kind.replace(/Query$/, '');
  return name === '' ? 'empty' : `a statement of the kind ${name}`;
}

export function refused(why: string, fix: string): Failure {
  return new Failure('usage', { what: 'memprof does not run this statement', why, fix });
}
