import { Failure } from '../src/failure.ts';
import type { JobContext, SourcePorts } from './job.ts';

/** The ways into a target beside SQL. */
export function requireSources({ ports }: JobContext): SourcePorts {
  if (ports.sources !== undefined) return ports.sources;
  throw new Failure('environment', {
    what: 'This process asks no servers',
    why: 'the bot answers people; workers and the shell ask servers',
  });
}

export function isKeeper(target: string, { ports }: JobContext): boolean {
  return ports.sources?.keeper.isKeeper(target) ?? false;
}
