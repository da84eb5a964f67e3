import { formatBytes, formatCountOf, formatUtc } from '../../src/format.ts';
import type { FlameRequest } from '../../src/picture-request.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { type HeapAnswer, heapFinding } from '../../templates/message/heap.ts';
import type { Reply, ReplyPicture } from '../job.ts';

const LARGE_WIDTH_PX = 2400;

/** The flame graph for the message; for the thread a larger one, and one for the browser. */
export function heapPictures(
  answer: HeapAnswer,
  profile: Profile,
): Pick<Reply, 'pictures' | 'threadPictures'> {
  if (answer.totalBytes === 0 && answer.totalCount === 0) {
    return { pictures: [], threadPictures: [] };
  }
  const request = flameRequest(answer, profile);
  const picture: ReplyPicture = {
    name: 'heap-flame',
    title: `Live heap of ${answer.target}`,
    alt: heapFinding(answer),
    request,
  };
  const large: ReplyPicture = {
    ...picture,
    name: 'heap-flame-2400',
    title: `Live heap of ${answer.target}, ${LARGE_WIDTH_PX} px`,
    request: { ...request, widthPx: LARGE_WIDTH_PX },
  };
  const file: ReplyPicture = {
    ...picture,
    name: 'heap-flame-browser',
    format: 'svg',
    title: `Live heap of ${answer.target}, to zoom and search in a browser`,
  };
  return { pictures: [picture], threadPictures: [large, file] };
}

function flameRequest(answer: HeapAnswer, profile: Profile): FlameRequest {
  const { target, measure, totalBytes, totalCount, filter } = answer;
  const { samplingIntervalBytes, sampleCount, source, investigationId } = answer;
  const amount =
    measure === 'bytes' ? formatBytes(totalBytes) : formatCountOf(totalCount, 'object');
  return {
    kind: 'flame',
    profile,
    measure,
    text: {
      title: `Live heap · ${target}`,
      subtitle: [
        amount,
        ...(filter === undefined ? [] : [filter]),
        formatUtc(answer.readAtMicros),
        ...(samplingIntervalBytes === undefined
          ? []
          : [`1 sample ≈ ${formatBytes(samplingIntervalBytes)}`]),
        ...(sampleCount === undefined ? [] : [formatCountOf(sampleCount, 'sample')]),
      ].join(' · '),
      footer: [`Investigation ${investigationId}`, source],
    },
  };
}
