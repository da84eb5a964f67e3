import { type Config, targetOf } from './config.ts';
import { Failure } from './failure.ts';
import { httpGet } from './http-get.ts';
import type { MetricsEndpoint } from './ports.ts';
import type { Bytes } from './units.ts';

const MAX_BYTES: Bytes = 64 * 2 ** 20;

/** The Prometheus endpoints that the config names. */
export function createMetricsEndpoint(config: Config): MetricsEndpoint {
  return {
    isConfigured: (target) => targetOf(config, target).metricsUrl !== undefined,

    async read(name, { signal, deadlineMs }) {
      const { metricsUrl, caFile, readTimeoutMs } = targetOf(config, name);
      if (metricsUrl === undefined) throw notConfigured(name);
      const { status, body } = await httpGet(metricsUrl, {
        name: `the metrics endpoint of ${name}`,
        signal,
        deadlineMs: Math.min(readTimeoutMs, deadlineMs ?? readTimeoutMs),
        maxBytes: MAX_BYTES,
        caFile,
      });
      if (status === 200) return new TextDecoder().decode(body);
      throw new Failure('server-error', {
        what: `The metrics endpoint of ${name} answered ${status}`,
        fix: `Check metricsUrl of the target in the config`,
      });
    },
  };
}

function notConfigured(name: string): Failure {
  return new Failure('feature-missing', {
    what: `The config names no metrics endpoint of ${name}`,
    why: `targets.${name}.metricsUrl is not set`,
    fix: 'Set it to the <prometheus> endpoint of the server: "http://chi-3.example:9363/metrics"',
  });
}
