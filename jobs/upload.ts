import { Failure, toFailure } from '../src/failure.ts';
import type { Place } from '../src/investigation.ts';
import type { Chat, FileState, UploadedFile } from '../src/ports.ts';
import type { Milliseconds } from '../src/units.ts';

/** Waits, and rejects when the signal is aborted meanwhile. */
export type Pause = (ms: Milliseconds, signal: AbortSignal) => Promise<void>;

/** Slack processes files after it has taken them: usually within a second, sometimes never. About 30 s in all. */
const WAITS_MS: readonly Milliseconds[] = [0, 300, 500, 800, 1300, 2000, 3000, 5000, 8000, 10_000];

/** A file is uploaded anew once when it got lost on Slack's side. */
export const UPLOADS = 2;

export interface WaitPorts {
  readonly chat: Chat;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

/** Whether the file comes into the state that is wanted before patience ends. */
export async function becomes(
  fileId: string,
  isWanted: (state: FileState) => boolean,
  { chat, pause, signal }: WaitPorts,
): Promise<boolean> {
  for (const waitMs of WAITS_MS) {
    await pause(waitMs, signal);
    if (isWanted(await chat.fileState(fileId))) return true;
  }
  return false;
}

/** Reserves, has the id noted, and sends the bytes. Nothing is visible yet. */
export async function sendFile(
  chat: Chat,
  file: { readonly name: string; readonly bytes: Uint8Array },
  onReserved: (fileId: string) => Promise<void>,
): Promise<string> {
  const slot = await chat.reserveUpload({ name: file.name, lengthBytes: file.bytes.length });
  await onReserved(slot.fileId);
  await chat.sendUpload(slot, file.bytes);
  return slot.fileId;
}

export interface Completion {
  readonly files: readonly UploadedFile[];
  /** Where the files are shown; without it they stay private until a block names them. */
  readonly place?: Required<Place>;
  /** An earlier delivery may have completed them and died before it could say so. */
  readonly mayBeDone: boolean;
}

/** Completes files whose bytes were sent. Allowed once per file, and Slack's answer may get lost: the file tells. */
export async function completeOnce(chat: Chat, completion: Completion): Promise<void> {
  const { files, place, mayBeDone } = completion;
  const exists = async () => {
    const [first] = files;
    return first !== undefined && (await chat.fileState(first.fileId)).kind !== 'absent';
  };
  if (mayBeDone && (await exists())) return;
  try {
    await chat.completeUpload(files, place);
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (await exists()) return;
    if (failure.kind !== 'slack-unavailable') throw failure;
    await chat.completeUpload(files, place);
  }
}

/** Takes files away that never appeared, so that they cannot turn up beside their replacements. */
export async function discard(chat: Chat, fileIds: readonly string[]): Promise<void> {
  // Slack may know nothing of them; then there is nothing to take away.
  await Promise.allSettled(fileIds.map((fileId) => chat.deleteFile(fileId)));
}

/** Throws when the work is to stop; called before each step that others would see. */
export function requireGoing(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (signal.reason instanceof Failure) throw signal.reason;
  throw new Failure('cancelled', {
    what: 'The investigation was stopped',
    why: String(signal.reason),
  });
}
