import { App, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { type Manifest, readManifest } from '../../../src/local/slack/manifest.ts';
import {
  startWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from '../../../src/local/slack/workspace.ts';

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Bolt's and web-api's logger, without a word. */
export const quiet = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => 'error' as never,
  setName() {},
};

export function startTestWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  return startWorkspace({ fileProcessingMs: 20, ackTimeoutMs: 500, ...options });
}

/** The real manifest with more scopes or events. */
export async function widerManifest(more: {
  readonly scopes?: readonly string[];
  readonly events?: readonly string[];
}): Promise<Manifest> {
  const manifest = structuredClone(await readManifest());
  manifest.oauth_config.scopes.bot.push(...(more.scopes ?? []));
  manifest.settings.event_subscriptions.bot_events.push(...(more.events ?? []));
  return manifest;
}

/** The unmodified client; nothing is tried twice unless said. */
export function clientOf(workspace: Workspace, retries = 0): WebClient {
  return new WebClient(workspace.botToken, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries, minTimeout: 10, maxTimeout: 20 },
    logger: quiet,
  });
}

export interface RunningApp extends AsyncDisposable {
  readonly app: App;
}

/** An unmodified Bolt app in socket mode. */
export async function startSocketApp(
  workspace: Workspace,
  listen: (app: App) => void,
): Promise<RunningApp> {
  const clientOptions = () => ({ slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } });
  const receiver = new SocketModeReceiver({
    appToken: workspace.appToken,
    logger: quiet,
    // The wait before a new connection is as long as this.
    clientPingTimeout: 300,
    installerOptions: { clientOptions: clientOptions() },
  });
  const app = new App({
    token: workspace.botToken,
    receiver,
    logger: quiet,
    clientOptions: clientOptions(),
  });
  listen(app);
  await app.start();
  return { app, [Symbol.asyncDispose]: async () => void (await app.stop()) };
}

/** An unmodified Bolt app that takes signed requests; the workspace is told its address. */
export async function startHttpApp(
  workspace: Workspace,
  listen: (app: App) => void,
): Promise<RunningApp & { readonly url: string }> {
  const receiver = new HTTPReceiver({
    signingSecret: workspace.signingSecret,
    logger: quiet,
    unhandledRequestTimeoutMillis: 200,
  });
  const app = new App({
    token: workspace.botToken,
    receiver,
    logger: quiet,
    clientOptions: { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } },
  });
  listen(app);
  const server = await receiver.start({ port: 0, host: '127.0.0.1' });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}/slack/events`;
  workspace.setDelivery({ mode: 'http', url });
  const stop = async () => {
    server.closeAllConnections();
    await receiver.stop();
  };
  return { app, url, [Symbol.asyncDispose]: stop };
}

/** What a call was refused with. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (thrown) {
    const data = (thrown as { data?: { error?: string } }).data;
    if (data?.error !== undefined) return data.error;
    throw thrown;
  }
  throw new Error('the call was not refused');
}
