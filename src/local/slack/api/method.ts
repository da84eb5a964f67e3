import type { Core } from '../core.ts';
import type { Arguments } from './arguments.ts';
import { SlackError } from './slack-error.ts';

/** One method of the Web API. */
export interface ApiMethod {
  /** Bot scopes of which any one will do; none is needed when absent. */
  readonly scopes?: readonly string[];
  /** `app`: wants the app-level token instead of the bot's. */
  readonly token?: 'bot' | 'app';
  /** The fields of the answer beside `ok`; throws `SlackError`. */
  run(core: Core, args: Arguments): object | Promise<object>;
}

export type ApiMethods = Readonly<Record<string, ApiMethod>>;

/** Throws `missing_scope`, with what Slack says of it, unless the manifest has one of the scopes. */
export function requireScope(core: Core, scopes: readonly string[]): void {
  const granted = core.manifest.oauth_config.scopes.bot;
  if (scopes.length === 0 || scopes.some((scope) => granted.includes(scope))) return;
  throw new SlackError('missing_scope', { needed: scopes.join(','), provided: granted.join(',') });
}
