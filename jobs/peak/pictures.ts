import { formatBytes, formatCountOf, formatUtc } from '../../src/format.ts';
import type { FlameRequest, PictureText } from '../../src/picture-request.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { type PeakAnswer, peakFinding } from '../../templates/message/peak.ts';
import type { Reply } from '../job.ts';
import type { Measured } from './measure.ts';

const LARGE_WIDTH_PX = 2400;

/** The curve and the flame graph for the message, and for the thread a larger flame graph and one for the browser. */
export function peakPictures(
  answer: PeakAnswer,
  { curve, peak }: Measured,
  profile: Profile,
): Pick<Reply, 'pictures' | 'threadPictures'> {
  const { queryId, estimateBytes } = answer;
  const flame: FlameRequest = {
    kind: 'flame',
    profile,
    measure: 'bytes',
    text: pictureText(answer, `Live at the peak · ${queryId}`),
  };
  return {
    pictures: [
      {
        name: 'peak-flame',
        title: `What was live at the peak of ${queryId}`,
        alt: peakFinding(answer),
        request: flame,
      },
      {
        name: 'peak-curve',
        title: `Memory of ${queryId} over time`,
        alt: `Memory of query ${queryId} over time: ${formatBytes(estimateBytes)} at ${formatUtc(peak.atMicros)} is the highest of ${formatCountOf(curve.peaks.length, 'peak')}.`,
        request: {
          kind: 'curve',
          curve,
          estimateBytes,
          sampleCount: answer.liveSampleCount,
          text: pictureText(answer, `Memory over time · ${queryId}`),
        },
      },
    ],
    threadPictures: [
      {
        name: `peak-flame-${LARGE_WIDTH_PX}`,
        title: `What was live at the peak of ${queryId}, ${LARGE_WIDTH_PX} px`,
        alt: peakFinding(answer),
        request: { ...flame, widthPx: LARGE_WIDTH_PX },
      },
      {
        name: 'peak-flame-browser',
        format: 'svg',
        title: `What was live at the peak of ${queryId}, to zoom and search in a browser`,
        alt: peakFinding(answer),
        request: flame,
      },
    ],
  };
}

function pictureText(answer: PeakAnswer, title: string): PictureText {
  const { target, estimateBytes, peaks, samplingIntervalBytes, liveSampleCount } = answer;
  const [peak] = peaks;
  return {
    title,
    subtitle: [
      target,
      formatBytes(estimateBytes),
      ...(peak === undefined ? [] : [formatUtc(peak.atMicros)]),
      formatCountOf(liveSampleCount, 'sample'),
      ...(samplingIntervalBytes === undefined
        ? []
        : [`1 sample ≈ ${formatBytes(samplingIntervalBytes)}`]),
    ].join(' · '),
    footer: [
      `Investigation ${answer.investigationId}`,
      `ClickHouse ${answer.serverVersion}`,
      `Names: ${answer.symbolSource}`,
    ],
  };
}
