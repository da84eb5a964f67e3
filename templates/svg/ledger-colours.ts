import { type LevelName, UNEXPLAINED } from '../../src/allocator/ledger.ts';
import type { BarSegment } from '../../src/chart/ledger-bars.ts';
import { NEUTRAL_COLOUR, OTHER_COLOUR } from '../../src/flame/palette.ts';
import type { Theme } from '../../src/picture-request.ts';

/** Fills of the levels: white text on them has a contrast of 4.5 : 1 or more. */
const LEVEL_FILLS: Readonly<Record<LevelName, string>> = {
  RSS: '#5f6570',
  resident: '#1d68a6',
  active: '#0f7173',
  allocated: '#7448ab',
  tracked: '#806500',
};

/** The same, bright enough to be a thin line on a dark card. */
const LINES_ON_DARK: Readonly<Record<LevelName, string>> = {
  RSS: '#c3cad4',
  resident: '#6fb1ea',
  active: '#4fc3c0',
  allocated: '#c39bf0',
  tracked: '#e0b93f',
};

/** Known parts, in the order of their size. */
const PART_FILLS = ['#8d4a1f', '#41703a', '#9c3f63', '#3b6a99', '#586b1d', '#69589a'] as const;
const UNEXPLAINED_FILL = '#b0520d';

export function levelLine(level: LevelName, theme: Theme): string {
  return theme === 'dark' ? LINES_ON_DARK[level] : LEVEL_FILLS[level];
}

/** A part that is the next level has that level's colour; the index counts the known parts of one bar. */
export function segmentFill({ name, kind }: BarSegment, index: number): string {
  switch (kind) {
    case 'next-level':
      return isLevel(name) ? LEVEL_FILLS[name] : NEUTRAL_COLOUR;
    case 'known':
      return PART_FILLS[index % PART_FILLS.length] as string;
    case 'others':
      return OTHER_COLOUR;
    case 'rest':
      return name === UNEXPLAINED ? UNEXPLAINED_FILL : NEUTRAL_COLOUR;
  }
}

function isLevel(name: string): name is LevelName {
  return Object.hasOwn(LEVEL_FILLS, name);
}
