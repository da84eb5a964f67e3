import { Failure } from '../failure.ts';
import type { FlameRequest } from '../picture-request.ts';

/** How a picture is drawn, as the shell has it. */
export interface PictureFlags {
  /** Pixels. */
  readonly width?: string;
  readonly light?: boolean;
  /** The root at the bottom. */
  readonly flame?: boolean;
  /** Every frame as it came. */
  readonly raw?: boolean;
}

/** The part of a request that is the same for every picture. */
export function pictureOptions({
  width,
  light,
  flame,
  raw,
}: PictureFlags): Pick<FlameRequest, 'widthPx' | 'theme' | 'orientation' | 'raw'> {
  if (width !== undefined && !/^\d+$/.test(width)) {
    throw new Failure('usage', {
      what: `--width ${width} is no number of pixels`,
      fix: 'Write --width 2400',
    });
  }
  return {
    ...(width === undefined ? {} : { widthPx: Number(width) }),
    ...(light ? { theme: 'light' } : {}),
    ...(flame ? { orientation: 'flame' } : {}),
    ...(raw ? { raw } : {}),
  };
}
