import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createMetricsEndpoint } from '../src/metrics-endpoint.ts';
import { pageAnswers, startFakeKeeper } from './fakes/fake-keeper.ts';

const options = { signal: new AbortController().signal };
const endpointAt = (metricsUrl?: string) =>
  createMetricsEndpoint(
    readConfig(JSON.stringify({ targets: { a: { url: 'http://h', metricsUrl } } }), {}, 'test'),
  );

describe('createMetricsEndpoint', () => {
  it('reads the text of the endpoint', async () => {
    await using fake = await startFakeKeeper({ pages: { '/metrics': pageAnswers.text('a 1\n') } });
    const endpoint = endpointAt(`${fake.controlUrl}/metrics`);
    expect(endpoint.isConfigured('a')).toBe(true);
    expect(await endpoint.read('a', options)).toBe('a 1\n');
  });

  it('says what it answered instead', async () => {
    await using fake = await startFakeKeeper({});
    await expect(endpointAt(`${fake.controlUrl}/metrics`).read('a', options)).rejects.toThrow(
      /metrics endpoint of a answered 404/,
    );
  });

  it('says that none is configured', async () => {
    expect(endpointAt().isConfigured('a')).toBe(false);
    await expect(endpointAt().read('a', options)).rejects.toThrow(
      /targets.a.metricsUrl is not set/,
    );
  });
});
