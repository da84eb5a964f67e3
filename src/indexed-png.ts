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
export function indexedPng(image: Pixels): Uint8Array | undefined {
  const { widthPx, heightPx } = image;
  const counted = countColours(image);
  if (counted === undefined) return undefined;
  const { palette, entryOf } = paletteOf(counted.table);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = filteredRows(counted.colourOf, entryOf, image);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: DEFLATE_LEVEL, memLevel: 9, chunkSize: 1 << 18 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

interface CountedColours {
  readonly table: ColourTable;
  /** Number of each pixel's colour. */
  readonly colourOf: Uint16Array;
}

/** Colours, numbered in the order in which they are met. */
class ColourTable {
  /** Blue, green and red, from the highest bits down. */
  readonly colours: number[] = [];
  /** Pixels of each, those in repeated rows once: enough to tell which are frequent. */
  readonly counts: number[] = [];
  readonly #known = new Map<number, number>();

  /** The number of a colour that is met in so many pixels. */
  add(colour: number, pixelCount: number): number {
    const index = this.#known.get(colour) ?? this.colours.length;
    if (index === this.colours.length) {
      this.#known.set(colour, index);
      this.colours.push(colour);
      this.counts.push(0);
    }
    this.counts[index] = (this.counts[index] as number) + pixelCount;
    return index;
  }
}

/** Looked up run by run, and only in rows that differ from the one above: most of a picture is the same. */
function countColours({ bytes, widthPx, heightPx }: Pixels): CountedColours | undefined {
  // Signed: numbers of 32 bits without a sign are slow to compare.
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, widthPx * heightPx);
  const colourOf = new Uint16Array(pixels.length);
  const table = new ColourTable();
  for (let row = 0; row < pixels.length; row += widthPx) {
    if (row > 0 && isRepeated(bytes, row * 4, widthPx * 4)) {
      colourOf.copyWithin(row, row - widthPx, row);
      continue;
    }
    const rowEnd = row + widthPx;
    let end = row;
    for (let start = row; start < rowEnd; start = end) {
      const pixel = pixels[start] as number;
      end = start + 1;
      while (end < rowEnd && pixels[end] === pixel) end += 1;
      // Without alpha, which is the same everywhere.
      const index = table.add(pixel & 0xffffff, end - start);
      for (let at = start; at < end; at += 1) colourOf[at] = index;
    }
    if (table.colours.length > MOST_COLOURS) return undefined;
  }
  return { table, colourOf };
}

function isRepeated(bytes: Uint8Array, at: number, length: number): boolean {
  return Buffer.compare(bytes.subarray(at - length, at), bytes.subarray(at, at + length)) === 0;
}

/** Each row begins with its filter, which is none. */
function filteredRows(
  colourOf: Uint16Array,
  entryOf: Uint8Array,
  { widthPx, heightPx }: Pixels,
): Uint8Array {
  const rows = new Uint8Array(heightPx * (widthPx + 1));
  for (let row = 0; row < heightPx; row += 1) {
    const to = row * (widthPx + 1) + 1;
    const from = row * widthPx;
    for (let x = 0; x < widthPx; x += 1) {
      rows[to + x] = entryOf[colourOf[from + x] as number] as number;
    }
  }
  return rows;
}

interface Palette {
  /** Red, green and blue of each entry. */
  readonly palette: Uint8Array;
  /** The entry of each colour. */
  readonly entryOf: Uint8Array;
}

/** The most frequent colours as they are; the others by the nearest of them. */
function paletteOf({ colours, counts }: ColourTable): Palette {
  const byCount = colours
    .map((_, index) => index)
    .sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b);
  const size = Math.min(PALETTE_SIZE, colours.length);
  const palette = new Uint8Array(size * 3);
  const entryOf = new Uint8Array(colours.length);
  for (const [entry, index] of byCount.entries()) {
    const colour = colours[index] as number;
    if (entry < size) palette.set([colour & 0xff, (colour >> 8) & 0xff, colour >> 16], entry * 3);
    entryOf[index] = entry < size ? entry : nearest(colour, palette);
  }
  return { palette, entryOf };
}

/** The entry of a palette that differs least from a colour. */
function nearest(colour: number, palette: Uint8Array): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < palette.length; at += 3) {
    const red = (palette[at] as number) - (colour & 0xff);
    const green = (palette[at + 1] as number) - ((colour >> 8) & 0xff);
    const blue = (palette[at + 2] as number) - (colour >> 16);
    const distance = red * red + green * green + blue * blue;
    if (distance >= least) continue;
    least = distance;
    best = at / 3;
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
