import * as z from 'zod';
import type { Investigation, Place } from '../src/investigation.ts';
import type { MessageAddress } from '../src/ports.ts';
import type { About } from '../templates/message/about.ts';

/** What travels through Redis. No secrets: it lies there in clear text. */
export const Request = z.object({
  investigationId: z.string().min(1),
  verb: z.string().min(1),
  args: z.record(z.string(), z.unknown()),
  target: z.string().optional(),
  /** As it can be typed again. */
  command: z.string(),
  /** What was understood when it is not what was typed. */
  understood: z.string().optional(),
  /** Slack user id. */
  user: z.string().min(1),
  /** Of the root message: the investigation's address. */
  address: z.object({ channel: z.string().min(1), ts: z.string().min(1) }),
  /** The thread that the root message stands in, when it does not begin one. */
  threadTs: z.string().min(1).optional(),
  askedAtMicros: z.number(),
});

export type Request = z.infer<typeof Request>;

/** The request of an investigation whose root message stands. */
export function requestOf(investigation: Investigation, ts: string): Request {
  const { channel, request } = investigation;
  return Request.parse({ ...request, address: { channel, ts } });
}

/** Twice the same address is the same job. BullMQ takes neither colons nor bare numbers. */
export function jobIdOf({ channel, ts }: MessageAddress): string {
  return `${channel}-${ts}`;
}

/** Where files and further messages of the investigation go. */
export function threadOf({
  address,
  threadTs,
}: Pick<Request, 'address' | 'threadTs'>): Required<Place> {
  return { channel: address.channel, threadTs: threadTs ?? address.ts };
}

/** What its messages say of it. */
export function aboutOf(
  request: Pick<Request, 'command' | 'investigationId' | 'user' | 'understood'>,
): About {
  const { command, investigationId, understood } = request;
  return {
    command,
    investigationId,
    askedBy: `<@${request.user}>`,
    ...(understood === undefined ? {} : { understood }),
  };
}
