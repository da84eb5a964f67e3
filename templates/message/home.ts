import type { HomeView } from '@slack/types';
import { context, header, inlineCode, section } from './blocks.ts';
import { type InvestigationLine, investigationLine } from './status.ts';

/** The app's Home: what this person asked for last. */
export function homeView(lines: readonly InvestigationLine[]): HomeView {
  const recent =
    lines.length === 0
      ? [section('You have asked for nothing in the last two weeks.')]
      : lines.map((line) => section(investigationLine(line)));
  return {
    type: 'home',
    blocks: [
      header('Your last investigations'),
      ...recent,
      context(
        `Type ${inlineCode('/memprof')} in a channel, or mention me in a thread`,
        `${inlineCode('/memprof help')} shows every verb`,
      ),
    ],
  };
}
