import { UNEXPLAINED } from '../profile/subsystems.ts';

/**
 * A fixed colour for each subsystem, the same in every picture. White text on any of them, and on its darker row, has a
 * contrast of 4.5 : 1 or more. Names are written beside every colour, so that no colour carries a meaning alone.
 */
const SUBSYSTEM_COLOURS: Readonly<Record<string, string>> = {
  aggregation: '#b0520d',
  sort: '#9c3f63',
  join: '#806500',
  'distinct and window': '#95512f',
  'sets of IN': '#6c6420',
  'merges and mutations': '#7448ab',
  inserts: '#256f8f',
  'part metadata': '#16735a',
  caches: '#1b7340',
  dictionaries: '#1d68a6',
  replication: '#5a54b8',
  keeper: '#4a5fa8',
  'formats and parsers': '#0f7173',
  compression: '#586b1d',
  network: '#3b6a99',
  'external I/O': '#2b6f6b',
  reading: '#41703a',
  expressions: '#8a4a86',
  'query planning': '#69589a',
  'tables and settings': '#5f6570',
  'logs and profiling': '#66607a',
  jemalloc: '#7a5a4a',
};

/** For a team's own subsystems; which one is decided by the name alone. */
const SPARE_COLOURS = ['#8d4a1f', '#5b5fae', '#2d6f7d', '#7d4e77', '#4f6d2c', '#a04848'] as const;

export const NEUTRAL_COLOUR = '#3a4250';
export const OTHER_COLOUR = '#525b69';
export const BOX_TEXT = '#ffffff';

export function subsystemColour(subsystem: string): string {
  if (subsystem === UNEXPLAINED) return NEUTRAL_COLOUR;
  return (
    SUBSYSTEM_COLOURS[subsystem] ??
    (SPARE_COLOURS[hash(subsystem) % SPARE_COLOURS.length] as string)
  );
}

/** A shade darker, for every second row, so that neighbours of one colour can be told apart. */
export function darker(colour: string): string {
  return `#${[1, 3, 5]
    .map((at) => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * 0.86))
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')}`;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return value;
}
