import type { Config } from './config.ts';
import type { Leases, Sampling } from './ports.ts';

/** What a config allows to be sampled. */
export function createSampling(config: Config, leases: Leases): Sampling {
  const policies = new Map(
    Object.entries(config.targets).flatMap(([name, target]) =>
      target.kind === 'clickhouse' && target.sampling !== undefined
        ? [[name, target.sampling] as const]
        : [],
    ),
  );
  return { leases, targets: [...policies.keys()], policy: (target) => policies.get(target) };
}
