import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readArguments } from '../api/arguments.ts';
import type { ApiMethods } from '../api/method.ts';
import { type Answer, serveApi } from '../api/serve.ts';
import type { CallLog } from '../calls.ts';
import type { SocketMode } from '../delivery/socket.ts';
import { type ActDeps, carryOut } from '../page/acts.ts';
import type { PageAssets } from '../page/assets.ts';
import type { Live } from '../page/live.ts';
import { isLocalHost, type PageSession } from '../page/session.ts';
import { readBody, writeAnswer } from './body.ts';
import { privateFile, takeUpload } from './files.ts';
import { takeHook } from './hooks.ts';

export interface ServerDeps extends ActDeps {
  readonly methods: ApiMethods;
  readonly calls: CallLog;
  readonly socketMode: SocketMode;
  readonly assets: PageAssets;
  readonly session: PageSession;
  readonly live: Live;
}

/** The one server: Slack's addresses for the app, and the page for people. */
export function createWorkspaceServer(deps: ServerDeps): Server {
  const server = createServer((request, response) => {
    handle(deps, request, response).catch((thrown: unknown) => {
      const body = { ok: false, error: 'internal_error', detail: String(thrown) };
      if (response.headersSent) response.end();
      else writeAnswer(request, response, { status: 500, body });
    });
  });
  server.on('upgrade', (request, socket, head) => deps.socketMode.upgrade(request, socket, head));
  return server;
}

async function handle(
  deps: ServerDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', deps.core.origin);
  if (url.pathname === '/page/live') {
    const user = pageUser(deps, request, url);
    if (user === undefined) return writeAnswer(request, response, forbidden);
    return deps.live.follow(user, response);
  }
  const body = await readBody(request);
  const answer =
    body === undefined
      ? { status: 413, body: 'too large' }
      : await answerTo(deps, request, url, body);
  writeAnswer(request, response, answer ?? { status: 404, body: 'not found' });
}

const forbidden: Answer = { status: 403, body: 'Open the page of the workspace first.' };

async function answerTo(
  deps: ServerDeps,
  request: IncomingMessage,
  url: URL,
  body: Uint8Array,
): Promise<Answer | undefined> {
  const { core, calls, methods, session, assets } = deps;
  const contentType = request.headers['content-type'] ?? '';
  const [, first, second = ''] = url.pathname.split('/');
  switch (first) {
    case 'api': {
      const args = await readArguments(url, contentType, body);
      const { authorization } = request.headers;
      return serveApi(core, methods, calls, { method: second, args, authorization });
    }
    case 'upload':
      return takeUpload(core, calls, url.pathname.split('/')[3] ?? '', contentType, body);
    case 'hooks':
      return takeHook(core, calls, url, contentType, body);
    case 'files-pri':
      return privateFile(core, request, session.isOpen(request));
    case 'page':
      return second === 'act' ? act(deps, request, url, body) : assets.file(url.pathname);
    case '':
    case 'archives':
      return document(deps, request);
    default:
      return assets.file(url.pathname);
  }
}

async function document({ assets, session }: ServerDeps, request: IncomingMessage) {
  if (!isLocalHost(request.headers.host)) return forbidden;
  const page = await assets.document();
  if (page === 'dropped') return page;
  return { ...page, headers: { ...page.headers, 'set-cookie': session.setCookie } };
}

async function act(
  deps: ServerDeps,
  request: IncomingMessage,
  url: URL,
  body: Uint8Array,
): Promise<Answer> {
  const user = pageUser(deps, request, url);
  if (user === undefined || request.method !== 'POST') return forbidden;
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
    return { status: 200, body: await carryOut(deps, user, parsed) };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { status: 400, body: { message } };
  }
}

/** Whom the page acts as; undefined for anybody who did not open it here. */
function pageUser(
  { session, core }: ServerDeps,
  request: IncomingMessage,
  url: URL,
): string | undefined {
  const user = core.directory.user(url.searchParams.get('user') ?? '');
  return session.isOpen(request) && user !== undefined && !user.isBot ? user.id : undefined;
}
