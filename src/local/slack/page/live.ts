import type { ServerResponse } from 'node:http';
import type { Core } from '../core.ts';
import type { Change } from '../state/changes.ts';
import type { Notice } from './notice.ts';
import type { ReadMarks } from './read-marks.ts';
import {
  pageChannel,
  pageChannels,
  pageFrame,
  pageHome,
  pageMessage,
  pageViews,
} from './snapshot.ts';

export interface Live {
  /** Streams to one page what its person sees: everything at first, then what changes. */
  follow(user: string, response: ServerResponse): void;
  close(): void;
}

export interface LiveOptions {
  readonly marks: ReadMarks;
  readonly notice: () => Notice | undefined;
  readonly connectionCount: () => number;
}

/** Proxies and browsers give up on a silent stream. */
const HEARTBEAT_MS = 20_000;

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function createLive(core: Core, options: LiveOptions): Live {
  const open = new Set<ServerResponse>();
  return {
    follow(user, response) {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      const send = (type: string, data: object | null) =>
        response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      send('everything', everything(core, user, options));
      const unsubscribe = core.changes.subscribe((change) => {
        const news = newsFor(core, user, change, options);
        if (news !== undefined) send(news.type, news.data);
      });
      const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
      open.add(response);
      response.on('close', () => {
        unsubscribe();
        clearInterval(heartbeat);
        open.delete(response);
      });
    },
    close() {
      for (const response of open) response.end();
    },
  };
}

function everything(core: Core, user: string, options: LiveOptions): object {
  return {
    ...pageFrame(core, user, options.notice()),
    channels: pageChannels(core, user, options.marks),
    views: pageViews(core, user),
    home: pageHome(core, user),
    connectionCount: options.connectionCount(),
  };
}

interface News {
  readonly type: string;
  readonly data: object | null;
}

/** What a change means to one person; undefined when it is not for them. */
function newsFor(
  core: Core,
  user: string,
  change: Change,
  { marks, notice }: LiveOptions,
): News | undefined {
  switch (change.kind) {
    case 'message':
    case 'ephemeral':
      return messageNews(core, user, change);
    case 'channel':
    case 'read': {
      const channel = core.directory.channel(change.channel);
      if (channel === undefined || !sees(core, user, change.channel)) return undefined;
      return { type: 'channel', data: pageChannel(core, channel, user, marks) };
    }
    case 'views':
      return change.user === user ? { type: 'views', data: pageViews(core, user) } : undefined;
    case 'home':
      return change.user === user ? { type: 'home', data: pageHome(core, user) } : undefined;
    case 'app':
      return { type: 'app', data: { connectionCount: change.connectionCount } };
    case 'notice':
      return { type: 'frame', data: pageFrame(core, user, notice()) };
    case 'file':
    case 'call':
    case 'delivery':
      return undefined;
  }
}

function messageNews(
  core: Core,
  user: string,
  change: Extract<Change, { kind: 'message' | 'ephemeral' }>,
): News | undefined {
  const { channel, ts, what } = change;
  const isEphemeral = change.kind === 'ephemeral';
  if (isEphemeral ? change.user !== user : !sees(core, user, channel)) return undefined;
  const message = isEphemeral
    ? core.messages.ephemeral(channel, ts)
    : core.messages.get(channel, ts);
  return message === undefined || what === 'deleted'
    ? { type: 'gone', data: { channel, ts } }
    : { type: 'message', data: pageMessage(core, message) };
}

function sees(core: Core, user: string, id: string): boolean {
  const channel = core.directory.channel(id);
  return channel !== undefined && (channel.kind === 'public' || channel.members.includes(user));
}
