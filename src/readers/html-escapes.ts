import type { FrameTable } from '../profile/frame-table.ts';

const ESCAPE = /&(?:lt|gt|amp|quot|#39)$/;
const LONGEST_ESCAPE = '&quot'.length;

/** Whether frames end where an escape of HTML does: its “;” parted them, and “std::vector&lt;int&gt;” became three. */
export function hasHtmlEscapes(frames: FrameTable): boolean {
  for (let id = 1; id < frames.size; id += 1) if (ESCAPE.test(ending(frames, id))) return true;
  return false;
}

/** Names may be long, and there may be very many. */
function ending(frames: FrameTable, id: number): string {
  const start = frames.offset[id] as number;
  const end = start + (frames.length[id] as number);
  return String.fromCharCode(...frames.bytes.subarray(Math.max(start, end - LONGEST_ESCAPE), end));
}
