import type { IncomingMessage } from 'node:http';
import { newSecret } from '../state/ids.ts';

const COOKIE = 'workspace_session';
const LOCAL_HOSTS: readonly (string | undefined)[] = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Who opened the page may act in it as anybody of the workspace, but a page of somebody else in the same browser may
 * not: it has no cookie of ours, and its requests carry another host.
 */
export interface PageSession {
  readonly setCookie: string;
  isOpen(request: IncomingMessage): boolean;
}

export function createPageSession(): PageSession {
  const secret = newSecret();
  return {
    setCookie: `${COOKIE}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
    isOpen: ({ headers }) =>
      isLocalHost(headers.host) &&
      (headers.cookie ?? '').split('; ').includes(`${COOKIE}=${secret}`),
  };
}

/** A name of another site that resolves to this machine is refused. Any port: people forward them. */
export function isLocalHost(host: string | undefined): boolean {
  return LOCAL_HOSTS.includes(host?.replace(/:\d+$/, ''));
}
