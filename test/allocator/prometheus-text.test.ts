import { describe, expect, it } from 'vitest';
import { figuresOfMetrics } from '../../src/allocator/memory-figures.ts';
import { parsePrometheusText } from '../../src/allocator/prometheus-text.ts';

const text = `# HELP ClickHouseProfileEvents_Query Number of queries.
# TYPE ClickHouseProfileEvents_Query counter
ClickHouseProfileEvents_Query 12
# TYPE ClickHouseMetrics_MemoryTracking gauge
ClickHouseMetrics_MemoryTracking 17773785155
# TYPE ClickHouseAsyncMetrics_jemalloc_allocated gauge
ClickHouseAsyncMetrics_jemalloc_allocated 3.79748864e+08
ClickHouseAsyncMetrics_jemalloc_arenas_all_pdirty{} 10 1700000000000
ClickHouseAsyncMetrics_Uptime NaN
ClickHouseHistogramMetrics_keeper_response_time_ms_bucket{le="5"} 3\r
`;

describe('parsePrometheusText', () => {
  it('reads gauges under the names that SQL gives them, dots as underscores', () => {
    expect([...parsePrometheusText(text, 'prod')]).toEqual([
      ['MemoryTracking', 17_773_785_155],
      ['jemalloc_allocated', 379_748_864],
      ['jemalloc_arenas_all_pdirty', 10],
    ]);
  });

  it('gives the figures of the ledger', () => {
    const figures = figuresOfMetrics(parsePrometheusText(text, 'prod'), 'prometheus', 4096);
    expect(figures).toEqual({
      tracked: { bytes: 17_773_785_155, source: 'prometheus: MemoryTracking' },
      allocated: { bytes: 379_748_864, source: 'prometheus: jemalloc_allocated' },
      dirty: { bytes: 40_960, source: 'prometheus: jemalloc_arenas_all_pdirty' },
    });
  });

  it.each([
    ['# TYPE go_goroutines gauge\ngo_goroutines 5\n', /speaks Prometheus, but no metric begins/],
    ['<html>\n404', /begins with "<html> 404"/],
    ['', /is empty/],
  ])('refuses %j', (other, words) => {
    expect(() => parsePrometheusText(other, 'prod')).toThrow(words);
  });
});
