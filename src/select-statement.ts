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
  return {
    kind: nodes[0]?.words[0] ?? '',
    hasSettings: nodes.some(({ words }) => words[0] === 'Set'),
    functions,
    tableFunctions,
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
    functions.find((name) => REACHING_OUT.test(name));
  if (outer !== undefined) {
    throw refused(
      `the function ${outer} can reach files or other servers`,
      'Query tables of the server itself',
    );
  }
}

function kindWords(kind: string): string {
  const name = kind.replace(/Query$/, '');
  return name === '' ? 'empty' : `a statement of the kind ${name}`;
}

export function refused(why: string, fix: string): Failure {
  return new Failure('usage', { what: 'memprof does not run this statement', why, fix });
}
