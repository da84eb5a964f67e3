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
  const table = new ColourTable();
  const runs = runsOf(image, table);
  if (runs === undefined) return undefined;
  const { palette, entryOf } = paletteOf(table);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = filteredRows(runs, entryOf, image);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: DEFLATE_LEVEL, memLevel: 9, chunkSize: 1 << 18 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** A record of the table of colours: the colour plus one, so that a free record is 0, and its number. */
const RECORD_INTS = 2;
const LG_RECORDS = 13;

/** Colours, numbered in the order in which they are met. */
class ColourTable {
  /** Blue, green and red, from the highest bits down. */
  readonly colours: number[] = [];
  /** Pixels of each, those in repeated rows once: enough to tell which are frequent. */
  readonly counts: number[] = [];
  /** Twice as many as there may be colours. */
  readonly #records = new Int32Array(RECORD_INTS << LG_RECORDS);

  /** The number of a colour that is met in so many pixels. */
  add(colour: number, pixelCount: number): number {
    const records = this.#records;
    const key = colour + 1;
    let at = (Math.imul(key, 0x9e3779b1) >>> (32 - LG_RECORDS)) * RECORD_INTS;
    while (records[at] !== key) {
      if (records[at] === 0) return this.#addNew(at, colour, pixelCount);
      at = (at + RECORD_INTS) & (records.length - 1);
    }
    const index = records[at + 1] as number;
    this.counts[index] = (this.counts[index] as number) + pixelCount;
    return index;
  }

  #addNew(at: number, colour: number, pixelCount: number): number {
    const index = this.colours.length;
    this.#records[at] = colour + 1;
    this.#records[at + 1] = index;
    this.colours.push(colour);
    this.counts.push(pixelCount);
    return index;
  }
}

/** Runs of equal pixels, row after row: where each ends in its row, and the number of its colour. A row like the one above has none. */
interface Runs {
  readonly ends: Uint32Array;
  readonly colours: Uint16Array;
  /** Where the runs of each row end. */
  readonly rowEnds: Uint32Array;
}

/** Undefined when there are too many colours. */
function runsOf(image: Pixels, table: ColourTable): Runs | undefined {
  const { bytes, widthPx, heightPx } = image;
  // Signed: numbers of 32 bits without a sign are slow to compare.
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, widthPx * heightPx);
  const ends = new Uint32Array(pixels.length);
  const colours = new Uint16Array(pixels.length);
  const rowEnds = new Uint32Array(heightPx);
  let size = 0;
  for (let row = 0; row < heightPx; row += 1) {
    if (row === 0 || !isRepeated(bytes, row * widthPx * 4, widthPx * 4)) {
      size = addRow(pixels, row * widthPx, { widthPx, table, ends, colours, size });
      if (table.colours.length > MOST_COLOURS) return undefined;
    }
    rowEnds[row] = size;
  }
  return { ends, colours, rowEnds };
}

interface RowTarget {
  readonly widthPx: Px;
  readonly table: ColourTable;
  readonly ends: Uint32Array;
  readonly colours: Uint16Array;
  readonly size: number;
}

/** A function of its own, called for each row, since the engine optimises it sooner than a loop in a loop. */
function addRow(pixels: Int32Array, from: number, target: RowTarget): number {
  const { widthPx, table, ends, colours } = target;
  let { size } = target;
  let pixel = pixels[from] as number;
  let start = 0;
  for (let x = 1; x <= widthPx; x += 1) {
    if (x < widthPx && pixels[from + x] === pixel) continue;
    // Without alpha, which is the same everywhere.
    colours[size] = table.add(pixel & 0xffffff, x - start);
    ends[size] = x;
    size += 1;
    pixel = pixels[from + x] as number;
    start = x;
  }
  return size;
}

function isRepeated(bytes: Uint8Array, at: number, length: number): boolean {
  return Buffer.compare(bytes.subarray(at - length, at), bytes.subarray(at, at + length)) === 0;
}

/** Pixels for which a call costs less than a loop. */
const LONG_RUN = 32;

/** Each row begins with its filter, which is none. */
function filteredRows(
  { ends, colours, rowEnds }: Runs,
  entryOf: Uint8Array,
  { widthPx, heightPx }: Pixels,
): Uint8Array {
  const rowBytes = widthPx + 1;
  const rows = new Uint8Array(heightPx * rowBytes);
  for (let row = 0; row < heightPx; row += 1) {
    const to = row * rowBytes + 1;
    const firstRun = row === 0 ? 0 : (rowEnds[row - 1] as number);
    const endRun = rowEnds[row] as number;
    if (firstRun === endRun) rows.copyWithin(to, to - rowBytes, to - 1);
    let x = to;
    for (let run = firstRun; run < endRun; run += 1) {
      const end = to + (ends[run] as number);
      const entry = entryOf[colours[run] as number] as number;
      if (end - x > LONG_RUN) {
        rows.fill(entry, x, end);
        x = end;
      }
      for (; x < end; x += 1) rows[x] = entry;
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
