import type { HomeView } from '@slack/types';
import type { SamplingLease } from '../../src/ports.ts';
import { actions, context, header, inlineCode, section } from './blocks.ts';
import { askButton } from './buttons.ts';
import { leaseLines } from './sample.ts';
import { type InvestigationLine, investigationLine } from './status.ts';

export interface Home {
  readonly lines: readonly InvestigationLine[];
  /** All leases of all servers. */
  readonly leases: readonly SamplingLease[];
  /** Comes back with a press of a button: where to answer. */
  readonly privateMetadata: string;
}

/** The app's Home: what is sampled now, and what this person asked for last. */
export function homeView({ lines, leases, privateMetadata }: Home): HomeView {
  const recent =
    lines.length === 0
      ? [section('You have asked for nothing in the last two weeks.')]
      : lines.map((line) => section(investigationLine(line)));
  return {
    type: 'home',
    private_metadata: privateMetadata,
    blocks: [
      ...(leases.length === 0
        ? []
        : [
            header('Sampled now'),
            section(leaseLines(leases).join('\n')),
            actions(askButton('Stop all sampling', 'sample stop all')),
          ]),
      header('Your last investigations'),
      ...recent,
      context(
        `Type ${inlineCode('/memprof')} in a channel, or mention me in a thread`,
        `${inlineCode('/memprof help')} shows every verb`,
      ),
    ],
  };
}
