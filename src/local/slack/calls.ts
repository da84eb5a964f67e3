import type { EpochMillis } from '../../units.ts';

/** One call of the Web API, an upload or a use of a response_url, as the workspace saw it. */
export interface ApiCall {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly atMillis: EpochMillis;
  /** "ok", Slack's error code, or the trouble that was ordered. */
  outcome: string;
}

export interface CallLog {
  begin(method: string, args: Readonly<Record<string, unknown>>): ApiCall;
  /** Of one method, or all of them, in order. */
  list(method?: string): readonly ApiCall[];
}

/** A demo may run for days. */
const KEPT = 5000;

export function createCallLog(): CallLog {
  const calls: ApiCall[] = [];
  return {
    begin(method, args) {
      const call: ApiCall = { method, args, atMillis: Date.now(), outcome: 'ok' };
      calls.push(call);
      if (calls.length > KEPT) calls.shift();
      return call;
    },
    list: (method) =>
      method === undefined ? [...calls] : calls.filter((call) => call.method === method),
  };
}
