import { type About, aboutPieces, commandCode } from './about.ts';
import { actions, context, escapeMrkdwn, type Message, section } from './blocks.ts';
import { tryAgainButton } from './buttons.ts';

export interface Cancellation {
  /** "<@U123>": mrkdwn; absent when it is not known. */
  readonly by?: string;
  /** The stage it was in; absent when no worker had begun. */
  readonly stage?: string;
}

/** The root message of an investigation that somebody stopped. */
export function cancelledMessage(about: About, { by, stage }: Cancellation): Message {
  const when = stage === undefined ? 'before a worker took it up' : `while ${stage}`;
  const again = tryAgainButton(about.command);
  return {
    text: `Cancelled ${when}.`,
    blocks: [
      section(`*Cancelled*${by === undefined ? '' : ` by ${by}`} ${escapeMrkdwn(when)}.`),
      context(commandCode(about), ...aboutPieces(about)),
      ...(again === undefined ? [] : [actions(again)]),
    ],
  };
}
