import type { KnownBlock } from '@slack/types';
import type { Failure, FailureKind } from '../../src/failure.ts';
import { dotted, sentence } from '../../src/sentence.ts';
import { type About, aboutPieces, commandCode } from './about.ts';
import {
  actions,
  clip,
  code,
  context,
  escapeMrkdwn,
  limits,
  type Message,
  section,
} from './blocks.ts';
import { askAgainButton, tryAgainButton } from './buttons.ts';

/** What was asked would have to change; asking the same again cannot help. */
const HOPELESS: ReadonlySet<FailureKind> = new Set([
  'usage',
  'not-allowed',
  'unknown-target',
  'not-a-profile',
  'broken-profile',
]);

/** The root message of an investigation that ends without an answer: what happened, why, what to do, a reference. */
export function failureMessage(failure: Failure, about: About): Message {
  const again = HOPELESS.has(failure.kind) ? undefined : tryAgainButton(about.command);
  return {
    text: failureSentences(failure),
    blocks: [
      ...failureBlocks(failure),
      context(commandCode(about), `Reference ${failure.code}`, ...aboutPieces(about)),
      ...(again === undefined ? [] : [actions(again)]),
    ],
  };
}

/** A failure that only the asker is told of; what may pass offers the command as it was typed again. */
export function failureWhisper(failure: Failure, typed?: string): Message {
  const again = typed === undefined || !failure.retry ? undefined : askAgainButton(typed);
  return {
    text: failureSentences(failure),
    blocks: [
      ...failureBlocks(failure),
      context(`Reference ${failure.code}`),
      ...(again === undefined ? [] : [actions(again)]),
    ],
  };
}

/** All of it in plain sentences: notification, screen reader, search. */
function failureSentences({ what, why, fix }: Failure): string {
  const rest = [why, fix].flatMap((part) => (part === undefined ? [] : [sentence(part)]));
  return clip([dotted(what), ...rest].join(' '), limits.section);
}

function failureBlocks({ what, why, fix, paste }: Failure): readonly KnownBlock[] {
  const reason = why === undefined ? '' : `\n${escapeMrkdwn(sentence(why))}`;
  return [
    section(`*${escapeMrkdwn(dotted(what))}*${reason}`),
    ...(fix === undefined ? [] : [section(escapeMrkdwn(sentence(fix)))]),
    ...(paste === undefined ? [] : [code(paste)]),
  ];
}
