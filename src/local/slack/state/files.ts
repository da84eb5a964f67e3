import type { Milliseconds } from '../../../units.ts';
import type { Changes } from './changes.ts';
import { newId, newSecret } from './ids.ts';
import type { Messages } from './messages.ts';
import type { Share, WorkspaceFile } from './model.ts';
import { fileTypeOf, pngSize } from './picture.ts';

export interface Place {
  readonly channels: readonly string[];
  readonly threadTs?: string | undefined;
  readonly text?: string;
}

export interface Completion {
  readonly titles: ReadonlyMap<string, string>;
  readonly user: string;
  /** Without one the files belong to the bot alone. */
  readonly place?: Place;
  readonly processingMs: Milliseconds;
  /** Slack answers well, and the files never appear. */
  readonly isNeverShared: boolean;
}

/** Uploaded files and their way: reserved, uploaded, completed, processed, shown. */
export interface Files {
  all(): readonly WorkspaceFile[];
  get(id: string): WorkspaceFile | undefined;
  reserve(
    name: string,
    declaredLength: number,
    user: string,
  ): WorkspaceFile & {
    /** The last part of its upload URL. */
    readonly secret: string;
  };
  /** False when there is no such upload any more. */
  upload(secret: string, bytes: Uint8Array): boolean;
  /** Once per file. The files are processed a while later, and then shown. */
  complete(completion: Completion): readonly WorkspaceFile[];
  remove(id: string): void;
  /** Lets no more files appear. */
  stop(): void;
}

/** The files themselves, and which upload URL is good for which. */
interface Shelf {
  readonly files: Map<string, WorkspaceFile>;
  readonly slots: Map<string, string>;
  readonly messages: Messages;
  readonly changes: Changes;
}

export function createFiles(messages: Messages, changes: Changes): Files {
  const shelf: Shelf = { files: new Map(), slots: new Map(), messages, changes };
  const { files, slots } = shelf;
  const timers = new Set<NodeJS.Timeout>();

  function later(ms: Milliseconds, work: () => void): void {
    if (ms === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  return {
    all: () => [...files.values()],
    get: (id) => files.get(id),
    reserve(name, declaredLength, user) {
      const file = reservedFile(name, declaredLength, user);
      const secret = newSecret();
      files.set(file.id, file);
      slots.set(secret, file.id);
      return { ...file, secret };
    },
    upload(secret, bytes) {
      const id = slots.get(secret);
      if (id === undefined || patch(shelf, id, { bytes, state: 'uploaded' }) === undefined) {
        return false;
      }
      changes.publish({ kind: 'file', what: 'uploaded', file: id });
      return true;
    },
    complete(completion) {
      const ids = [...completion.titles.keys()];
      for (const [secret, id] of slots) if (ids.includes(id)) slots.delete(secret);
      later(completion.processingMs, () => processFiles(shelf, ids, completion));
      return ids.flatMap((id) => {
        const title = completion.titles.get(id) || files.get(id)?.name || '';
        return patch(shelf, id, { state: 'processing', title }) ?? [];
      });
    },
    remove(id) {
      withdraw(shelf, id);
      patch(shelf, id, { state: 'deleted', bytes: new Uint8Array(), shares: [] });
      changes.publish({ kind: 'file', what: 'deleted', file: id });
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function reservedFile(name: string, declaredLength: number, user: string): WorkspaceFile {
  return {
    id: newId('F'),
    name,
    title: name,
    user,
    createdAtMillis: Date.now(),
    bytes: new Uint8Array(),
    state: 'reserved',
    declaredLength,
    mimetype: '',
    filetype: '',
    shares: [],
  };
}

function patch(
  { files }: Shelf,
  id: string,
  fields: Partial<WorkspaceFile>,
): WorkspaceFile | undefined {
  const file = files.get(id);
  if (file === undefined || file.state === 'deleted') return undefined;
  const patched = { ...file, ...fields };
  files.set(id, patched);
  return patched;
}

function processFiles(shelf: Shelf, ids: readonly string[], completion: Completion): void {
  const { files, changes } = shelf;
  for (const id of ids) {
    const file = files.get(id);
    if (file === undefined) continue;
    const size = pngSize(file.bytes);
    patch(shelf, id, {
      state: 'ready',
      ...fileTypeOf(file.name, file.bytes),
      ...(size === undefined ? {} : { size }),
    });
    changes.publish({ kind: 'file', what: 'processed', file: id });
  }
  if (completion.place !== undefined && !completion.isNeverShared) {
    show(shelf, ids, completion.place, completion.user);
  }
}

/** One message with all files of the completion, in each channel. */
function show(shelf: Shelf, ids: readonly string[], place: Place, user: string): void {
  const shown = ids.filter((id) => shelf.files.get(id)?.state === 'ready');
  if (shown.length === 0) return;
  for (const channel of place.channels) {
    const { ts, threadTs } = shelf.messages.post({
      channel,
      user,
      text: place.text ?? '',
      files: shown,
      threadTs: place.threadTs,
    });
    for (const id of shown) {
      share(shelf, id, { channel, ts, ...(threadTs === undefined ? {} : { threadTs }) });
    }
  }
}

function share(shelf: Shelf, id: string, shared: Share): void {
  const file = shelf.files.get(id);
  if (file === undefined) return;
  patch(shelf, id, { shares: [...file.shares, shared] });
  shelf.changes.publish({ kind: 'file', what: 'shared', file: id });
}

/** Takes a file out of the messages that show it; one that showed nothing else goes too. */
function withdraw({ files, messages }: Shelf, id: string): void {
  for (const { channel, ts } of files.get(id)?.shares ?? []) {
    const message = messages.get(channel, ts);
    if (message === undefined) continue;
    const rest = message.files.filter((file) => file !== id);
    const isEmpty = rest.length === 0 && message.text === '' && message.blocks.length === 0;
    if (isEmpty) messages.remove(message);
    else messages.edit(message, { files: rest });
  }
}
