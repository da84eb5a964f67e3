import { crc32, deflateSync } from 'node:zlib';
import type { Px } from './units.ts';

/** An image of opaque pixels: red, green, blue and alpha, a byte each, row by row. */
export interface Pixels {
  readonly bytes: Uint8Array;
  readonly widthPx: Px;
  readonly heightPx: Px;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const PALETTE_SIZE = 256;
/** Pictures of ours have some hundred colours: those of boxes, and between them and the text the edges of letters. */
const MOST_COLOURS = 4096;
/** A higher one makes the file a tenth smaller and takes twice the time. */
const DEFLATE_LEVEL = 3;

/**
 * A PNG with a palette (PNG specification, third edition, §11.2: colour type 3): a third of the size of one with all
 * channels, and made in less time. Of more than 256 colours the rarest are drawn as the nearest of the others, which
 * are edges of letters. Undefined when there are so many colours that it would show.
 */
export function indexedPng({ bytes, widthPx, heightPx }: Pixels): Uint8Array | undefined {
  // Signed: numbers of 32 bits without a sign are slow to compare.
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, widthPx * heightPx);
  const counted = countColours(pixels);
  if (counted === undefined) return undefined;
  const { palette, entryOf } = paletteOf(counted);
  const rows = new Uint8Array(heightPx * (widthPx + 1));
  for (let row = 0; row < heightPx; row += 1) {
    // Each row begins with its filter, which is none.
    const to = row * (widthPx + 1) + 1;
    const from = row * widthPx;
    for (let x = 0; x < widthPx; x += 1) {
      rows[to + x] = entryOf[counted.colourOf[from + x] as number] as number;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: DEFLATE_LEVEL, memLevel: 9, chunkSize: 1 << 18 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

interface CountedColours {
  /** Blue, green and red, from the highest bits down, in the order in which they are met. */
  readonly colours: readonly number[];
  readonly counts: readonly number[];
  /** Index into `colours` of each pixel. */
  readonly colourOf: Uint16Array;
}

/** Looked up run by run: most pixels are of the colour of the one before. */
function countColours(pixels: Int32Array): CountedColours | undefined {
  const colourOf = new Uint16Array(pixels.length);
  const known = new Map<number, number>();
  const colours: number[] = [];
  const counts: number[] = [];
  let end = 0;
  for (let start = 0; start < pixels.length; start = end) {
    const pixel = pixels[start];
    end = start + 1;
    while (pixels[end] === pixel) end += 1;
    // Without alpha, which is the same everywhere.
    const colour = (pixel as number) & 0xffffff;
    const index = known.get(colour) ?? colours.length;
    if (index === colours.length) {
      if (index === MOST_COLOURS) return undefined;
      known.set(colour, index);
      colours.push(colour);
      counts.push(0);
    }
    counts[index] = (counts[index] as number) + end - start;
    for (let at = start; at < end; at += 1) colourOf[at] = index;
  }
  return { colours, counts, colourOf };
}

interface Palette {
  /** Red, green and blue of each entry. */
  readonly palette: Uint8Array;
  /** The entry of each colour. */
  readonly entryOf: Uint8Array;
}

/** The most frequent colours as they are; the others by the nearest of them. */
function paletteOf({ colours, counts }: CountedColours): Palette {
  const byCount = colours
    .map((_, index) => index)
    .sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b);
  const kept = byCount.slice(0, PALETTE_SIZE).map((index) => channelsOf(colours[index] as number));
  const entryOf = new Uint8Array(colours.length);
  for (const [entry, index] of byCount.entries()) {
    entryOf[index] =
      entry < PALETTE_SIZE ? entry : nearest(channelsOf(colours[index] as number), kept);
  }
  return { palette: Uint8Array.from(kept.flat()), entryOf };
}

type Channels = readonly [red: number, green: number, blue: number];

function channelsOf(colour: number): Channels {
  return [colour & 0xff, (colour >>> 8) & 0xff, (colour >>> 16) & 0xff];
}

function nearest([red, green, blue]: Channels, kept: readonly Channels[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [entry, [r, g, b]] of kept.entries()) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [entry, distance];
  }
  return best;
}

function chunk(name: string, data: Uint8Array): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(name, 4, 'latin1');
  framed.set(data, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8);
  return framed;
}
