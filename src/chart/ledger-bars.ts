import type { LedgerLevel, LedgerPart } from '../allocator/ledger.ts';
import type { Bytes, Share } from '../units.ts';

/** A level of the ledger as a bar: all bars share one scale, so that each can be measured against the one above. */
export interface LedgerBar {
  readonly level: LedgerLevel;
  /** Of the longest bar. */
  readonly length: Share;
  /** From left to right, without gaps. */
  readonly segments: readonly BarSegment[];
  /** By how much the known parts exceed the level; they then run out of its bar. 0 when they do not. */
  readonly excessBytes: Bytes;
}

export interface BarSegment {
  readonly name: string;
  readonly bytes: Bytes;
  readonly kind: LedgerPart['kind'] | 'others';
  /** How many parts an `others` stands for. */
  readonly partCount: number;
  /** Of the longest bar. */
  readonly start: Share;
  readonly length: Share;
}

/** Known parts drawn one by one; smaller ones are summed, never dropped. */
const SHOWN_PARTS = 5;

export function layoutLedgerBars(levels: readonly LedgerLevel[]): readonly LedgerBar[] {
  const drawn = levels.map((level) => ({ level, parts: drawnParts(level) }));
  const longest = Math.max(
    ...drawn.map(({ level, parts }) => Math.max(level.bytes, sumOf(parts))),
    1,
  );
  return drawn.map(({ level, parts }) => {
    let start = 0;
    const segments = parts.map((part): BarSegment => {
      const segment = { ...part, start, length: part.bytes / longest };
      start += segment.length;
      return segment;
    });
    return {
      level,
      length: level.bytes / longest,
      segments,
      excessBytes: Math.max(0, sumOf(parts) - level.bytes),
    };
  });
}

type DrawnPart = Pick<BarSegment, 'name' | 'bytes' | 'kind' | 'partCount'>;

/** The next level first, then what is known by size, then the rest; what is negative cannot be drawn. */
function drawnParts({ parts }: LedgerLevel): readonly DrawnPart[] {
  const positive = parts.filter(({ bytes }) => bytes > 0);
  const ofKind = (kind: LedgerPart['kind']) =>
    positive.filter((part) => part.kind === kind).map((part) => ({ ...part, partCount: 1 }));
  const known = ofKind('known').sort((a, b) => b.bytes - a.bytes);
  // One part alone needs no sum.
  const shown = known.length > SHOWN_PARTS + 1 ? SHOWN_PARTS : known.length;
  const others = known.slice(shown);
  return [
    ...ofKind('next-level'),
    ...known.slice(0, shown),
    ...(others.length === 0
      ? []
      : [
          {
            name: `${others.length} others`,
            bytes: sumOf(others),
            kind: 'others' as const,
            partCount: others.length,
          },
        ]),
    ...ofKind('rest'),
  ].map(({ name, bytes, kind, partCount }) => ({ name, bytes, kind, partCount }));
}

function sumOf(parts: readonly { readonly bytes: Bytes }[]): Bytes {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
