import { Failure } from '../failure.ts';
import { type Metrics, metricKey } from './memory-figures.ts';

/** Prefixes of the metrics and asynchronous metrics of ClickHouse and of Keeper; events are no gauges. */
const GAUGE = /^ClickHouse(?:Async)?Metrics_([A-Za-z0-9_:]+)(?:\{\})? +(\S+)/;

/**
 * The gauges of a ClickHouse server or Keeper from its Prometheus endpoint (text exposition format: one sample a line,
 * "name value"). Samples with labels belong to histograms and dimensions that memprof does not read. Throws
 * `unreadable-statistics` for an endpoint of something else.
 */
export function parsePrometheusText(text: string, name: string): Metrics {
  const metrics = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, metric, value] = GAUGE.exec(line) ?? [];
    if (metric === undefined) continue;
    // NaN and +Inf say that there is no figure.
    const number = Number(value);
    if (Number.isFinite(number)) metrics.set(metricKey(metric), number);
  }
  if (metrics.size === 0) throw notClickHouse(text, name);
  return metrics;
}

function notClickHouse(text: string, name: string): Failure {
  const isPrometheus = /^# (?:HELP|TYPE) /m.test(text);
  const start = text.slice(0, 60).replace(/\s+/g, ' ').trim();
  return new Failure('unreadable-statistics', {
    what: `The metrics endpoint of ${name} is not that of a ClickHouse server or Keeper`,
    why: isPrometheus
      ? 'it speaks Prometheus, but no metric begins with ClickHouseAsyncMetrics_ or ClickHouseMetrics_'
      : start === ''
        ? 'the answer is empty'
        : `the answer begins with "${start}"`,
    fix: 'Point metricsUrl of the target at the <prometheus> endpoint of the server, with metrics and asynchronous_metrics switched on there',
    paste:
      '<prometheus><endpoint>/metrics</endpoint><port>9363</port><metrics>true</metrics><asynchronous_metrics>true</asynchronous_metrics></prometheus>',
  });
}
