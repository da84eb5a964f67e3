import * as z from 'zod';
import type { Job, JobContext, Reply } from '../../jobs/job.ts';
import type { PictureRequest } from '../../src/picture-request.ts';
import { context, inlineCode, section } from '../../templates/message/blocks.ts';

const Args = z.object({ queryId: z.string(), target: z.string() });

/** A picture request without a subject; fakes draw anything. */
export function samplePicture(title: string): PictureRequest {
  const at = { atMicros: 1_790_000_000_000_000, liveBytes: 3_435_973_836 };
  return {
    kind: 'curve',
    curve: {
      points: [{ ...at, liveBytes: 0, atMicros: at.atMicros - 1_000_000 }, at],
      peaks: [at],
      startAtMicros: at.atMicros - 1_000_000,
      endAtMicros: at.atMicros,
    },
    estimateBytes: at.liveBytes,
    text: { title, subtitle: 'prod', footer: [] },
  };
}

/** What a job answers, small: two pictures, a raw file and a large picture for the thread. */
export function sampleReply(context_: Pick<JobContext, 'investigationId' | 'askedBy'>): Reply {
  return {
    finding: 'Query 8678d8fe held 3.20 GiB at its peak, 81% of it in aggregation.',
    head: [section('*Query `8678d8fe` held 3.20 GiB at its peak*, 81% of it in aggregation.')],
    tail: [
      context(
        `Investigation ${inlineCode(context_.investigationId)}`,
        `asked by ${context_.askedBy}`,
      ),
    ],
    pictures: [
      {
        name: 'peak-curve',
        title: 'Memory of query 8678d8fe',
        alt: 'Live memory rises to 3.20 GiB at 11:58:04 UTC.',
        request: samplePicture('curve'),
      },
      {
        name: 'peak-flame',
        title: 'Live at the peak of query 8678d8fe',
        alt: 'Aggregation holds 81% of 3.20 GiB.',
        request: samplePicture('flame'),
      },
    ],
    files: [
      {
        name: 'peak.collapsed',
        title: 'Collapsed stacks',
        bytes: new TextEncoder().encode('a;b 1\n'),
      },
    ],
    threadPictures: [
      {
        name: 'peak-flame-2400',
        title: 'Flame graph, 2400 px',
        alt: 'Aggregation holds 81% of 3.20 GiB.',
        request: samplePicture('large'),
      },
    ],
    json: { queryId: '8678d8fe' },
  };
}

/** `peak` as far as the life of an investigation is concerned. `run` may be replaced. */
export function samplePeak(
  run: Job['run'] = async (_args, context_) => sampleReply(context_),
): Job {
  return {
    name: 'peak',
    summary: 'Show what held the memory of a query at its peak',
    usage: 'peak <query_id> [on:<target>]',
    example: 'peak 8678d8fe on:prod',
    isRestricted: false,
    runsInShell: true,
    read: ({ words, options }) => ({
      args: {
        queryId: words[0] ?? '',
        ...(options.on === undefined ? {} : { target: options.on }),
      },
    }),
    run: (args, context_) => run(Args.parse(args), context_),
  };
}
