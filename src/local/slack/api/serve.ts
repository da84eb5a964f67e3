import { setTimeout } from 'node:timers/promises';
import type { ApiCall, CallLog } from '../calls.ts';
import type { Core } from '../core.ts';
import type { Fault } from '../faults.ts';
import { createArguments } from './arguments.ts';
import { type ApiMethod, type ApiMethods, requireScope } from './method.ts';
import { SlackError } from './slack-error.ts';

export interface ApiRequest {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly authorization: string | undefined;
}

/** An HTTP answer, or a connection that is dropped without one. */
export type Answer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: object | string;
    }
  | 'dropped';

/** Answers one call of the Web API, with whatever trouble was ordered for it. */
export async function serveApi(
  core: Core,
  methods: ApiMethods,
  calls: CallLog,
  request: ApiRequest,
): Promise<Answer> {
  const { token: _, ...args } = request.args;
  const call = calls.begin(request.method, args);
  const answer = await withFault(core.faultSource.take(request.method), call, async () => {
    const body = await run(core, methods, request);
    if ('error' in body) call.outcome = String(body.error);
    const scopes = core.manifest.oauth_config.scopes.bot.join(',');
    return { status: 200, headers: { 'x-oauth-scopes': scopes }, body };
  });
  core.changes.publish({ kind: 'call', method: request.method });
  return answer;
}

/** Does the work or not, and answers as the fault says. */
export async function withFault(
  fault: Fault | undefined,
  call: ApiCall,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (fault === undefined) return work();
  switch (fault.kind) {
    case 'slow':
      await setTimeout(fault.delayMs);
      return work();
    case 'answer-lost':
      await work();
      call.outcome = fault.how;
      if (fault.how === 'connection-dropped') return 'dropped';
      return { status: 408, body: 'Request Timeout' };
    case 'rate-limited':
      call.outcome = 'ratelimited';
      return {
        status: 429,
        headers: { 'retry-after': String(fault.retryAfterSeconds) },
        body: { ok: false, error: 'ratelimited' },
      };
    case 'http-error':
      call.outcome = `http-${fault.status}`;
      return { status: fault.status, body: 'ordered trouble' };
    case 'refused':
      call.outcome = fault.error;
      return { status: 200, body: { ok: false, error: fault.error } };
  }
}

async function run(core: Core, methods: ApiMethods, request: ApiRequest): Promise<object> {
  try {
    const method = methods[request.method];
    if (method === undefined) throw new SlackError('unknown_method');
    if (request.method !== 'api.test') requireToken(method, request);
    requireScope(core, method.scopes ?? []);
    return { ok: true, ...(await method.run(core, createArguments(request.args))) };
  } catch (thrown) {
    if (!(thrown instanceof SlackError)) throw thrown;
    return { ok: false, error: thrown.code, ...thrown.details };
  }
}

/** Any bot token will do, and any app-level token where one is wanted, but not one for the other. */
function requireToken({ token: wanted = 'bot' }: ApiMethod, request: ApiRequest): void {
  const bearer = /^Bearer (.+)$/.exec(request.authorization ?? '')?.[1];
  const token = bearer ?? (typeof request.args.token === 'string' ? request.args.token : undefined);
  if (token === undefined) throw new SlackError('not_authed');
  const kind = token.startsWith('xoxb-') ? 'bot' : token.startsWith('xapp-') ? 'app' : undefined;
  if (kind === undefined) throw new SlackError('invalid_auth');
  if (kind !== wanted) throw new SlackError('not_allowed_token_type');
}
