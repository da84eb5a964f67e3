import {
  type Capabilities,
  hasColumn,
  hasPrivilege,
  tableState,
  type WantedTable,
} from '../src/capabilities.ts';
import { missingForSampling } from './sample/grants.ts';

/** How well a verb works on a server, and what to know or do about it: plain sentences. */
export interface Ability {
  readonly verb: string;
  readonly works: 'fully' | 'partly' | 'no';
  readonly says: readonly string[];
}

interface AbilityRule {
  readonly verb: string;
  judge(capabilities: Capabilities): Omit<Ability, 'verb'>;
}

/** What each verb can do on a server, by what the server has. */
export function abilitiesOf(capabilities: Capabilities): readonly Ability[] {
  return RULES.map(({ verb, judge }) => ({ verb, ...judge(capabilities) }));
}

const fully = { works: 'fully', says: [] } as const;
const partly = (...says: readonly string[]) => ({ works: 'partly', says }) as const;
const no = (...says: readonly string[]) => ({ works: 'no', says }) as const;

const OLD_PROCEDURE =
  'Before 25.9 the profiler of the whole server is switched by hand: MALLOC_CONF=background_thread:true,prof:true in its environment (up to 24.6), SYSTEM JEMALLOC ENABLE PROFILE, then flush, then DISABLE PROFILE';

const RULES: readonly AbilityRule[] = [
  {
    verb: 'peak',
    judge(capabilities) {
      const state = tableState(capabilities, 'trace_log');
      if (state !== 'there') return no(missing('trace_log', state));
      if (!capabilities.traceTypes.has('JemallocSample')) {
        return partly(
          'Queries cannot be sampled by jemalloc here (that came with 25.9); the samples of the memory tracker are used instead, if memory_profiler_sample_probability was set for the query',
        );
      }
      return hasColumn(capabilities, 'trace_log', 'symbols')
        ? fully
        : partly(
            'trace_log keeps no names of functions here: addresses are named by introspection functions, which need their own grants',
          );
    },
  },
  {
    verb: 'run',
    judge: (capabilities) =>
      capabilities.settings.has('jemalloc_enable_profiler')
        ? fully
        : no('The setting jemalloc_enable_profiler, which samples one query, came with 25.9'),
  },
  {
    verb: 'sample',
    judge(capabilities) {
      if (!capabilities.settings.has('jemalloc_enable_profiler')) {
        return no("The settings that sample a user's queries came with 25.9");
      }
      const missing = missingForSampling(capabilities.grants);
      if (missing === undefined) {
        return partly('Whether memprof may make settings profiles there shows when it is asked to');
      }
      return missing.length === 0
        ? fully
        : no(
            `The user of memprof may not make settings profiles: an admin has to grant ${missing.join(', ')}, or to switch sampling on and off`,
          );
    },
  },
  {
    verb: 'heap',
    judge(capabilities) {
      const state = tableState(capabilities, 'jemalloc_profile_text');
      if (state === 'unseen') return no(missing('jemalloc_profile_text', state));
      if (state === 'absent') {
        return capabilities.traceTypes.has('JemallocSample')
          ? partly(
              'The live heap cannot be read by SQL here (that came with 26.2): it comes from a flushed dump where the config says how to read it, else from the samples in trace_log',
            )
          : no('The live heap cannot be read by SQL here (that came with 26.2)', OLD_PROCEDURE);
      }
      if (capabilities.isProfiledGlobally === false) {
        return partly(
          "The global profiler is off: only what sampled queries allocated is in the heap profile. jemalloc_enable_global_profiler = 1 in the server's config, and a restart, switch it on",
        );
      }
      return fully;
    },
  },
  {
    verb: 'frag',
    judge(capabilities) {
      const bins = tableState(capabilities, 'jemalloc_bins');
      if (tableState(capabilities, 'jemalloc_arena_bins') === 'there') {
        const sampled = tableState(capabilities, 'jemalloc_sampled_allocations');
        return sampled === 'there'
          ? fully
          : partly(missing('jemalloc_sampled_allocations', sampled));
      }
      if (tableState(capabilities, 'jemalloc_stats') === 'there') {
        return partly(
          "Who holds old objects cannot be told here (that came with 26.9 and its back-ports); waste by arena is read from jemalloc's own text",
        );
      }
      if (bins !== 'there') return no(missing('jemalloc_bins', bins));
      return hasColumn(capabilities, 'jemalloc_bins', 'curslabs')
        ? partly(
            'No data by arena here (that came with 26.9 and its back-ports): classes are summed over arenas',
          )
        : no(
            'This server does not count its slabs (that came with 26.2 and its back-ports): only live bytes by size class can be told',
          );
    },
  },
  {
    verb: 'stats',
    judge(capabilities) {
      const lost = [
        tableState(capabilities, 'jemalloc_stats') !== 'there' &&
          "jemalloc's own text cannot be read (system.jemalloc_stats came with 26.2): dirty pages and slab waste are only as good as the metrics",
        tableState(capabilities, 'asynchronous_metric_log') !== 'there' &&
          'The last hours are not kept here: asynchronous_metric_log is off or not granted',
      ].filter((sentence) => sentence !== false);
      if (tableState(capabilities, 'asynchronous_metrics') !== 'there' && lost.length === 2) {
        return no(
          missing('asynchronous_metrics', tableState(capabilities, 'asynchronous_metrics')),
        );
      }
      return lost.length === 0 ? fully : partly(...lost);
    },
  },
  {
    verb: 'flush',
    judge(capabilities) {
      const may = hasPrivilege(capabilities, 'SYSTEM JEMALLOC');
      if (may === undefined) {
        return no(
          'SYSTEM JEMALLOC FLUSH PROFILE came with 24.1, and this server knows no grants at all',
        );
      }
      if (!may) return no('The user of memprof lacks the grant: GRANT SYSTEM JEMALLOC ON *.*');
      return capabilities.settings.has('jemalloc_enable_profiler')
        ? fully
        : partly('The server does not say where it writes the dump', OLD_PROCEDURE);
    },
  },
  {
    verb: 'top',
    judge(capabilities) {
      const state = tableState(capabilities, 'query_log');
      return state === 'there' ? fully : no(missing('query_log', state));
    },
  },
];

function missing(table: WantedTable, state: 'absent' | 'unseen' | 'there'): string {
  return state === 'unseen'
    ? `The user of memprof may not read it, if it is there: GRANT SELECT ON system.${table}`
    : `This server has no system.${table}`;
}
