import type { Milliseconds } from '../../units.ts';
import { createFaults, type FaultSource, type Faults } from './faults.ts';
import type { Manifest } from './manifest.ts';
import * as cast from './state/cast.ts';
import { type Changes, createChanges } from './state/changes.ts';
import { createDirectory, type Directory } from './state/directory.ts';
import { createFiles, type Files } from './state/files.ts';
import { createTimestamps, newSecret, tsOf } from './state/ids.ts';
import { createMessages, type Messages } from './state/messages.ts';
import type { AppIdentity, Team } from './state/model.ts';
import { createResponseUrls, type ResponseUrls } from './state/response-urls.ts';
import { createTriggers, type Triggers } from './state/triggers.ts';
import { createViews, type Views } from './state/views.ts';

/** Everything that the workspace holds in memory, and what all of its doors share. */
export interface Core {
  readonly team: Team;
  readonly app: AppIdentity;
  readonly manifest: Manifest;
  readonly signingSecret: string;
  /** "http://127.0.0.1:41234", known once the server listens: every URL that is given out begins with it. */
  origin: string;
  readonly changes: Changes;
  readonly directory: Directory;
  readonly messages: Messages;
  readonly files: Files;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly faults: Faults;
  readonly faultSource: FaultSource;
}

export function createCore(manifest: Manifest, fileProcessingMs: Milliseconds): Core {
  const changes = createChanges();
  const messages = createMessages(createTimestamps(), changes);
  const { faults, source } = createFaults(fileProcessingMs);
  sayWhatWasSaid(messages);
  return {
    team: cast.team,
    app: cast.app,
    manifest,
    signingSecret: newSecret(),
    origin: '',
    changes,
    directory: createDirectory(changes),
    messages,
    files: createFiles(messages, changes),
    views: createViews(changes),
    triggers: createTriggers(),
    responseUrls: createResponseUrls(),
    faults,
    faultSource: source,
  };
}

function sayWhatWasSaid(messages: Messages): void {
  let count = 0;
  const say = (said: Omit<cast.Said, 'replies'>, threadTs?: string) => {
    count += 1;
    const ts = tsOf((Date.now() - said.minutesAgo * 60_000) * 1000 + count);
    const { channel, user, text } = said;
    return messages.post({ channel, user, text, ts, threadTs });
  };
  for (const { replies = [], ...said } of cast.saidBefore) {
    const parent = say(said);
    for (const reply of replies) say({ ...reply, channel: said.channel }, parent.ts);
  }
}
