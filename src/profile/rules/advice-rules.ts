import type { Share } from '../../units.ts';

/** What usually helps when a subsystem holds most of a query's memory. */
export interface AdviceRule {
  readonly subsystem: string;
  /** Only when the statement (literals removed) looks like this. */
  readonly statement?: RegExp;
  /** What in the statement speaks for it: "it calls uniqExact". */
  readonly because?: string;
  /** One sentence. */
  readonly tryNext: string;
}

/** The first rule of the subsystem that fits; a subsystem's last rule has no condition. */
const adviceRules: readonly AdviceRule[] = [
  {
    subsystem: 'aggregation',
    statement: /\b(?:uniqExact|count\s*\(\s*distinct)\b/i,
    because: 'the statement counts distinct values exactly',
    tryNext:
      'Use uniqCombined64 or uniq where 1 % of error is fine: they keep a sketch of fixed size instead of every value',
  },
  {
    subsystem: 'aggregation',
    statement: /\bgroup(?:Uniq)?Array(?:If)?\s*\(/i,
    because: 'the statement collects values into arrays',
    tryNext:
      'Bound the arrays, as in groupArray(100)(x), or aggregate what is done with them instead; then let it spill with max_bytes_before_external_group_by',
  },
  {
    subsystem: 'aggregation',
    statement: /\bquantile(?:s)?Exact/i,
    because: 'the statement computes exact quantiles',
    tryNext: 'Use quantileTDigest or quantileDD, which keep a sketch instead of every value',
  },
  {
    subsystem: 'aggregation',
    tryNext:
      'Let it spill: SET max_bytes_before_external_group_by to about half of max_memory_usage (or max_bytes_ratio_before_external_group_by = 0.5); group by fewer or shorter keys',
  },
  {
    subsystem: 'sort',
    statement: /^(?!.*\bLIMIT\b)[\s\S]*\bORDER\s+BY\b/i,
    because: 'the statement sorts everything, without a LIMIT',
    tryNext:
      'Add a LIMIT, so that only that many rows are kept, or let it spill with max_bytes_before_external_sort; ORDER BY the sorting key of the table needs no sort at all',
  },
  {
    subsystem: 'sort',
    tryNext:
      'Let it spill: SET max_bytes_before_external_sort to about half of max_memory_usage; sort fewer columns, or by the sorting key of the table',
  },
  {
    subsystem: 'join',
    tryNext:
      "Put the smaller side on the right and select only the columns that are needed there; else SET join_algorithm = 'grace_hash' (spills) or 'full_sorting_merge'",
  },
  {
    subsystem: 'sets of IN',
    tryNext:
      'Make the subquery of IN return fewer rows, or turn it into a join; max_bytes_in_set bounds it',
  },
  {
    subsystem: 'distinct and window',
    tryNext:
      'Filter before DISTINCT or the window; PARTITION BY a column with more values keeps less of each window at a time',
  },
  {
    subsystem: 'inserts',
    tryNext:
      'Insert smaller blocks: lower min_insert_block_size_bytes and max_insert_block_size, and touch fewer partitions in one INSERT; max_insert_threads multiplies it',
  },
  {
    subsystem: 'reading',
    tryNext:
      'Read with fewer streams: lower max_threads or max_streams_to_max_threads_ratio; wide columns profit from a smaller preferred_block_size_bytes',
  },
  {
    subsystem: 'formats and parsers',
    tryNext:
      'Parse and format with fewer threads: input_format_parallel_parsing = 0 or output_format_parallel_formatting = 0; Parquet and ORC hold a whole row group, so write smaller ones',
  },
  {
    subsystem: 'expressions',
    tryNext:
      'Work on smaller blocks: lower max_block_size; look for functions that make long strings or arrays (repeat, arrayJoin, groupArray), and compute them after filtering',
  },
  {
    subsystem: 'merges and mutations',
    tryNext:
      'Lower merge_max_block_size and merge_max_block_size_bytes of the table; wide tables merge column by column with enable_vertical_merge_algorithm',
  },
  {
    subsystem: 'part metadata',
    tryNext:
      'Have fewer parts: larger inserts, fewer partitions, OPTIMIZE where it is safe; fewer columns in primary keys',
  },
  {
    subsystem: 'dictionaries',
    tryNext:
      'Use a layout with less overhead (hashed_array, flat), or load fewer attributes; system.dictionaries tells bytes_allocated of each',
  },
  {
    subsystem: 'caches',
    tryNext:
      'Bound the cache that fills: mark_cache_size, uncompressed_cache_size, query_cache; a query can leave it alone with use_uncompressed_cache = 0',
  },
  {
    subsystem: 'compression',
    tryNext:
      'Lower max_compress_block_size, or read fewer columns at a time: each open column keeps its own buffer',
  },
  {
    subsystem: 'network',
    tryNext:
      'Fetch fewer rows in one answer, or compress less on the way (network_compression_method); distributed queries keep a block for each connection',
  },
  {
    subsystem: 'external I/O',
    tryNext:
      'Lower max_download_threads, max_download_buffer_size and s3_min_upload_part_size: each stream keeps its own buffers',
  },
  {
    subsystem: 'query planning',
    tryNext:
      'Make the statement smaller: long IN lists belong into a table, and fewer partitions and parts make the plan smaller',
  },
  {
    subsystem: 'replication',
    tryNext:
      'Fetch fewer parts at a time: background_fetches_pool_size; look whether the replica lags behind in system.replicas',
  },
  {
    subsystem: 'logs and profiling',
    tryNext:
      'Log less: query_thread_log, trace_log and text_log can be thinned or switched off, and flushed more often',
  },
  {
    subsystem: 'unexplained',
    tryNext:
      'Open the flame graph and read the widest frame; a rule of your own under `subsystems` in the config names it from then on',
  },
];

/** Where most of the memory is. */
export interface MainHolder {
  readonly subsystem: string;
  readonly share: Share;
  /** Without its literals. */
  readonly statement: string;
}

/** What to try next, by rule; undefined when no rule knows the subsystem. */
export function adviceFor({ subsystem, statement }: MainHolder): AdviceRule | undefined {
  return adviceRules.find(
    (rule) =>
      rule.subsystem === subsystem &&
      (rule.statement === undefined || rule.statement.test(statement)),
  );
}
