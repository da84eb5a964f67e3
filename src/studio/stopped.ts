import { Failure } from '../failure.ts';

/** What a drawing rejects with when its signal was aborted: the signal's reason when that is a failure. */
export function stopped(signal: AbortSignal): Failure {
  if (signal.reason instanceof Failure) return signal.reason;
  return new Failure('cancelled', { what: 'The drawing was stopped', cause: signal.reason });
}
