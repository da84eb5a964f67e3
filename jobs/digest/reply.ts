import { readBack } from '../../src/digest/cron.ts';
import type { TargetLook } from '../../src/digest/digest.ts';
import type { Failure } from '../../src/failure.ts';
import { context, escapeMrkdwn } from '../../templates/message/blocks.ts';
import {
  type DigestAnswer,
  digestHead,
  digestTail,
  findingOf,
  fleetFile,
  ROWS_SHOWN,
} from '../../templates/message/digest.ts';
import type { Reply } from '../job.ts';

export interface DigestReplyOptions extends Omit<DigestAnswer, 'when'> {
  readonly looks: readonly TargetLook[];
  /** Why some readings could not be kept. */
  readonly notKept?: Failure;
}

/** What a digest says, from its plan. */
export function digestReply({ looks: _, notKept, ...given }: DigestReplyOptions): Reply {
  const answer: DigestAnswer = { ...given, when: readBack(given.schedule.cron) };
  const { plan, schedule, investigationId } = answer;
  const tail = digestTail(answer);
  const remark =
    notKept === undefined
      ? []
      : [
          context(
            escapeMrkdwn(`Not kept for the next digest. ${notKept.message} [${notKept.code}]`),
          ),
        ];
  const isLong = plan.fleet.length + plan.unread.length > ROWS_SHOWN;
  return {
    finding: findingOf(answer),
    head: digestHead(answer),
    tail: [...tail.slice(0, -1), ...remark, ...tail.slice(-1)],
    pictures: [],
    threadPictures: [],
    files:
      plan.kind === 'post' && isLong
        ? [
            {
              name: `digest-${schedule.id}-${investigationId}.tsv`,
              title: `All servers of digest ${schedule.id}`,
              bytes: Buffer.from(fleetFile(plan)),
            },
          ]
        : [],
    json: {
      digest: schedule.id,
      kind: plan.kind,
      reasons: plan.reasons,
      totalWasteBytes: plan.totalWasteBytes,
      fleet: plan.fleet.map(({ reading: _reading, ...row }) => row),
      unread: plan.unread,
    },
  };
}
