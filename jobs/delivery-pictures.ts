import { toFailure } from '../src/failure.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { PictureStep, TextStep } from './delivery-steps.ts';
import { becomes, completeOnce, discard, requireGoing, sendFile, UPLOADS } from './upload.ts';

type Picture = TextStep['pictures'][number];

/**
 * Brings every picture of the answer to `ready` or `given-up`, side by side. Throws only when the delivery is to
 * stop or to be tried again later; the pictures that went well are noted by then.
 */
export async function deliverPictures(
  context: DeliveryContext,
  pictures: readonly Picture[],
): Promise<void> {
  const ends = await Promise.allSettled(
    pictures.map((picture) => deliverPicture(context, picture)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function deliverPicture(context: DeliveryContext, picture: Picture): Promise<void> {
  const before = context.steps().pictures.get(picture.name);
  if (before?.step === 'ready' || before?.step === 'given-up') return;
  let why = '';
  for (let upload = before?.upload ?? 1; upload <= UPLOADS; upload += 1) {
    requireGoing(context.signal);
    const end = await uploadPicture(context, picture, upload);
    if (end.kind === 'ready') return;
    why = end.why;
    const { investigationId } = context.request;
    context.log.warn({ investigationId, picture: picture.name, upload, why }, 'no picture');
    if (end.kind === 'undrawn') break;
  }
  const fileId = context.steps().pictures.get(picture.name)?.fileId;
  await context.notePicture(picture.name, {
    step: 'given-up',
    upload: UPLOADS,
    why,
    ...(fileId === undefined ? {} : { fileId }),
  });
}

/** `undrawn`: there is nothing to upload, and there will be nothing next time. `lost`: another upload may do. */
type UploadEnd =
  | { readonly kind: 'ready' }
  | { readonly kind: 'lost' | 'undrawn'; readonly why: string };

/** One upload from drawing to readiness, continued where an earlier delivery left it. */
async function uploadPicture(
  context: DeliveryContext,
  picture: Picture,
  upload: number,
): Promise<UploadEnd> {
  const before = context.steps().pictures.get(picture.name);
  const sentId = before?.upload === upload && before.step === 'sent' ? before.fileId : undefined;
  const drawn = sentId === undefined ? await drawPicture(context, picture.name) : undefined;
  if (drawn !== undefined && 'why' in drawn) return { kind: 'undrawn', why: drawn.why };
  try {
    const fileId =
      drawn === undefined ? sentId : await sendPicture(context, picture.name, upload, drawn.bytes);
    if (fileId === undefined) return { kind: 'lost', why: 'it was never sent' };
    requireGoing(context.signal);
    const files = [{ fileId, title: picture.title }];
    await completeOnce(context.chat, { files, mayBeDone: drawn === undefined });
    if (await becomes(fileId, ({ kind }) => kind === 'ready', context)) {
      await context.notePicture(picture.name, { step: 'ready', fileId, upload });
      return { kind: 'ready' };
    }
    await discard(context.chat, [fileId]);
    return { kind: 'lost', why: 'Slack took the file but did not make a picture of it' };
  } catch (thrown) {
    requireGoing(context.signal);
    const failure = toFailure(thrown);
    if (failure.kind === 'slack-unavailable' && !context.isLastChance) throw failure;
    return { kind: 'lost', why: failure.message };
  }
}

async function sendPicture(
  { chat, notePicture }: DeliveryContext,
  name: string,
  upload: number,
  png: Uint8Array,
): Promise<string> {
  const note = (step: PictureStep['step'], fileId: string) =>
    notePicture(name, { step, fileId, upload });
  const fileId = await sendFile(chat, { name: `${name}.png`, bytes: png }, (id) =>
    note('reserved', id),
  );
  await note('sent', fileId);
  return fileId;
}

/** The bytes of a picture, or why there are none. */
export async function drawPicture(
  context: DeliveryContext,
  name: string,
): Promise<{ readonly bytes: Uint8Array } | { readonly why: string }> {
  try {
    const reply = await context.reply();
    const picture = [...reply.pictures, ...reply.threadPictures].find((one) => one.name === name);
    if (picture === undefined) return { why: 'the second run of the job made no such picture' };
    const { studio, signal } = context;
    if (picture.format !== 'svg')
      return { bytes: (await studio.draw(picture.request, signal)).png };
    return { bytes: new TextEncoder().encode(await studio.drawFile(picture.request, signal)) };
  } catch (thrown) {
    requireGoing(context.signal);
    return { why: toFailure(thrown).message };
  }
}
