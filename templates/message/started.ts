import { sentence } from '../../src/sentence.ts';
import { type About, aboutPieces, commandCode } from './about.ts';
import { actions, clip, context, escapeMrkdwn, type Message, section } from './blocks.ts';
import { cancelButton } from './buttons.ts';

/** The root message while nothing has begun. */
export function startedMessage(about: About): Message {
  return {
    text: clip(`memprof is looking into ${about.command}: queued`, 300),
    blocks: [
      section(lead(about)),
      context('Queued: waiting for a worker', ...aboutPieces(about)),
      actions(cancelButton(about.investigationId)),
    ],
  };
}

export interface Stages {
  /** In the order they passed. */
  readonly passed: readonly string[];
  readonly current: string;
  /** Something that people should know of the way here: plain text. */
  readonly remark?: string;
}

/** The root message while a worker is at it. */
export function stagesMessage(about: About, stages: Stages): Message {
  const done = stages.passed.length === 0 ? '' : `Done: ${stages.passed.join(', ')}. `;
  return {
    text: clip(`memprof is looking into ${about.command}: ${stages.current}`, 300),
    blocks: [
      section(lead(about)),
      section(`${escapeMrkdwn(done)}Now: *${escapeMrkdwn(stages.current)}*`),
      context(
        stages.remark === undefined ? '' : escapeMrkdwn(sentence(stages.remark)),
        ...aboutPieces(about),
      ),
      actions(cancelButton(about.investigationId)),
    ],
  };
}

function lead(about: About): string {
  const understood =
    about.understood === undefined ? '' : `\n${escapeMrkdwn(sentence(about.understood))}`;
  return `Looking into ${commandCode(about)}${understood}`;
}
