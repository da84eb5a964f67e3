import type { KnownBlock } from '@slack/types';
import type { Failure, FailureKind } from '../../src/failure.ts';
import { type About, aboutPieces, commandCode, dotted, sentence } from './about.ts';
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
import { tryAgainButton } from './buttons.ts';

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

/** A failure that only the asker is told of. */
export function failureWhisper(failure: Failure): Message {
  return {
    text: failureSentences(failure),
    blocks: [...failureBlocks(failure), context(`Reference ${failure.code}`)],
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
