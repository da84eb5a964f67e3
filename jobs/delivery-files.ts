import { toFailure } from '../src/failure.ts';
import type { FileState, UploadedFile } from '../src/ports.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { drawPicture } from './delivery-pictures.ts';
import type { FilesStep } from './delivery-steps.ts';
import { threadOf } from './request.ts';
import { becomes, completeOnce, discard, requireGoing, sendFile, UPLOADS } from './upload.ts';

/**
 * Brings the files into the thread, all in one message, and makes sure that people see them. Throws when the
 * delivery is to stop or to be tried again later.
 */
export async function deliverFiles(context: DeliveryContext): Promise<void> {
  const before = context.steps().files;
  if (before?.step === 'shared' || before?.step === 'given-up') return;
  let why = '';
  for (let upload = before?.upload ?? 1; upload <= UPLOADS; upload += 1) {
    requireGoing(context.signal);
    try {
      if (await shareFiles(context, upload)) return;
      why = 'Slack took the files but did not show them';
    } catch (thrown) {
      requireGoing(context.signal);
      const failure = toFailure(thrown);
      if (failure.kind === 'store-unavailable') throw failure;
      if (failure.kind === 'slack-unavailable' && !context.isLastChance) throw failure;
      why = failure.message;
    }
    const { investigationId } = context.request;
    context.log.warn({ investigationId, upload, why }, 'no files in the thread');
  }
  await context.noteFiles({
    step: 'given-up',
    files: context.steps().files?.files ?? [],
    upload: UPLOADS,
    why,
  });
}

/** One upload of the group, continued where an earlier delivery left it; false when Slack did not show it. */
async function shareFiles(context: DeliveryContext, upload: number): Promise<boolean> {
  const before = context.steps().files;
  const place = threadOf(context.request);
  const mayBeDone = before?.upload === upload && before.step === 'sent';
  const files = mayBeDone ? before.files : await sendFiles(context, upload);
  const [first] = files;
  if (first === undefined) return true;
  requireGoing(context.signal);
  await completeOnce(context.chat, { files, place, mayBeDone });
  const isShown = ({ sharedIn }: FileState) => sharedIn.includes(place.channel);
  if (await becomes(first.fileId, isShown, context)) {
    await context.noteFiles({ step: 'shared', files, upload });
    return true;
  }
  const fileIds = files.map(({ fileId }) => fileId);
  await discard(context.chat, fileIds);
  return false;
}

async function sendFiles(
  context: DeliveryContext,
  upload: number,
): Promise<readonly UploadedFile[]> {
  const reserved: UploadedFile[] = [];
  const note = (step: FilesStep['step']) =>
    context.noteFiles({ step, files: [...reserved], upload });
  for (const { name, title, bytes } of await filesOf(context)) {
    requireGoing(context.signal);
    await sendFile(context.chat, { name, bytes }, async (fileId) => {
      reserved.push({ fileId, title });
      await note('reserved');
    });
  }
  if (reserved.length > 0) await note('sent');
  return reserved;
}

/** The files of the job and the pictures that only the thread gets; what cannot be drawn is left out. */
async function filesOf(
  context: DeliveryContext,
): Promise<readonly { name: string; title: string; bytes: Uint8Array }[]> {
  const { files, threadPictures } = await context.reply();
  const drawn = [];
  for (const { name, title, format = 'png' } of threadPictures) {
    const picture = await drawPicture(context, name);
    if ('bytes' in picture) drawn.push({ name: `${name}.${format}`, title, bytes: picture.bytes });
    else context.log.warn({ picture: name, why: picture.why }, 'thread picture left out');
  }
  return [...drawn, ...files];
}
