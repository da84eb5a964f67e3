import { type Config, targetOf } from './config.ts';
import type { RunPolicy } from './ports.ts';
import type { Bytes } from './units.ts';

const MIB: Bytes = 2 ** 20;

/** How the config lets people run statements on a target; undefined where it does not. */
export function runPolicyOf(config: Config, name: string): RunPolicy | undefined {
  const target = targetOf(config, name);
  if (target.kind !== 'clickhouse' || target.run === undefined) return undefined;
  const { user, maxSeconds, maxMemoryMiB, maxReadRows, maxReadMiB, needsApproval } = target.run;
  return {
    user,
    caps: {
      seconds: maxSeconds,
      memoryBytes: maxMemoryMiB * MIB,
      readRows: maxReadRows,
      readBytes: maxReadMiB * MIB,
    },
    needsApproval,
  };
}
