import type { Milliseconds } from '../units.ts';

/** What ends one request: the caller's signal, or its deadline. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** `late` makes what the signal is aborted with when the time is up. */
export function startDeadline(
  caller: AbortSignal,
  deadlineMs: Milliseconds,
  late: () => unknown,
): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(caller.reason);
  if (caller.aborted) follow();
  else caller.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(() => controller.abort(late()), deadlineMs);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller.removeEventListener('abort', follow);
    },
  };
}
