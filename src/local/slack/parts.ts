import type { Server } from 'node:http';
import type { Milliseconds } from '../../units.ts';
import { createApiMethods } from './api/methods.ts';
import { type CallLog, createCallLog } from './calls.ts';
import { type Core, createCore } from './core.ts';
import { createDelivery, type Delivery } from './delivery/delivery.ts';
import { createEvents, type Events } from './delivery/events.ts';
import { createWorkspaceServer } from './http/server.ts';
import type { Manifest } from './manifest.ts';
import { createPageAssets } from './page/assets.ts';
import { createLive, type Live } from './page/live.ts';
import type { Notice } from './page/notice.ts';
import { createReadMarks } from './page/read-marks.ts';
import { createPageSession } from './page/session.ts';
import { createTranscript, type Transcript } from './transcript/transcript.ts';

export interface Timing {
  readonly fileProcessingMs?: Milliseconds;
  readonly ackTimeoutMs?: Milliseconds;
  readonly eventRetryMs?: readonly Milliseconds[];
}

/** As Slack: at once, after a minute, after five; "at once" is a second here. */
const EVENT_RETRY_MS: readonly Milliseconds[] = [1000, 60_000, 300_000];
const ACK_TIMEOUT_MS: Milliseconds = 3000;
const FILE_PROCESSING_MS: Milliseconds = 300;

/** The workspace taken apart. */
export interface Parts {
  readonly core: Core;
  readonly calls: CallLog;
  readonly transcript: Transcript;
  readonly delivery: Delivery;
  readonly events: Events;
  readonly live: Live;
  readonly server: Server;
  readonly setNotice: (notice: Notice) => void;
}

export function createParts(manifest: Manifest, timing: Timing): Parts {
  const core = createCore(manifest, timing.fileProcessingMs ?? FILE_PROCESSING_MS);
  const calls = createCallLog();
  const transcript = createTranscript(core);
  const delivery = createDelivery(core, {
    ackTimeoutMs: timing.ackTimeoutMs ?? ACK_TIMEOUT_MS,
    eventRetryMs: timing.eventRetryMs ?? EVENT_RETRY_MS,
  });
  const { socketMode } = delivery;
  const events = createEvents(core, delivery);
  const marks = createReadMarks(core);
  let notice: Notice | undefined;
  const live = createLive(core, {
    marks,
    notice: () => notice,
    connectionCount: socketMode.connectionCount,
  });
  const server = createWorkspaceServer({
    ...{ core, calls, delivery, events, marks, live, socketMode },
    methods: createApiMethods(socketMode.openConnection),
    assets: createPageAssets(),
    session: createPageSession(),
  });
  const setNotice = (given: Notice) => {
    notice = given;
    core.changes.publish({ kind: 'notice' });
  };
  return { core, calls, transcript, delivery, events, live, server, setNotice };
}

export async function closeParts({ core, delivery, live, server }: Parts): Promise<void> {
  delivery.close();
  core.files.stop();
  live.close();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
