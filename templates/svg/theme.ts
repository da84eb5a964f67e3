import type { Theme } from '../../src/picture-request.ts';

/** Colours of a card; those of boxes are the same in both themes. Text on the card has a contrast of 7 : 1 or more. */
export interface ThemeColours {
  readonly card: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
  readonly accentSoft: string;
}

export const themeColours: Readonly<Record<Theme, ThemeColours>> = {
  dark: {
    card: '#1d2128',
    text: '#f4f6f9',
    muted: '#b4bcc9',
    line: '#444d5b',
    accent: '#f0883e',
    accentSoft: '#8fb8ea',
  },
  light: {
    card: '#ffffff',
    text: '#1b1f24',
    muted: '#4b5563',
    line: '#c3cad4',
    accent: '#b0520d',
    accentSoft: '#1d5fa8',
  },
};
