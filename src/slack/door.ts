import * as z from 'zod';
import { Failure, toFailure } from '../failure.ts';
import type { Log } from '../ports.ts';
import type { EpochMicros } from '../units.ts';
import type { SlackWeb } from './web.ts';

const KEEP_MICROS = 5 * 60_000_000;

const Channel = z.object({ channel: z.object({ is_ext_shared: z.boolean().default(false) }) });

export interface Door {
  /** Throws `not-allowed` for people and channels of other workspaces. */
  check(from: {
    readonly teams: readonly (string | undefined)[];
    readonly channel?: string;
    /** What the payload itself says; looked up when it does not. */
    readonly isExternallyShared?: boolean;
  }): Promise<void>;
  /** The part of it that needs no answer of Slack. */
  isOurs(teams: readonly (string | undefined)[]): boolean;
}

/** Lets in what comes from our own workspace: memory profiles are not for guests of a shared channel. */
export function createDoor(
  web: SlackWeb,
  teamId: string,
  log: Log,
  nowMicros: () => EpochMicros,
): Door {
  const known = new Map<string, { readonly isShared: Promise<boolean>; readonly at: number }>();

  function isShared(channel: string): Promise<boolean> {
    const kept = known.get(channel);
    if (kept !== undefined && nowMicros() - kept.at < KEEP_MICROS) return kept.isShared;
    const answer = web
      .call('conversations.info', { channel })
      .then((info) => Channel.parse(info).channel.is_ext_shared)
      .catch((thrown: unknown) => {
        // Without the scope to look, or in a channel that memprof is not in, the team of the asker decides alone.
        log.debug({ err: toFailure(thrown), channel }, 'channel cannot be looked up');
        return false;
      });
    known.set(channel, { isShared: answer, at: nowMicros() });
    return answer;
  }

  const isOurs = (teams: readonly (string | undefined)[]) =>
    teams.every((team) => team === undefined || team === teamId);

  return {
    isOurs,
    async check({ teams, channel, isExternallyShared }) {
      if (!isOurs(teams)) throw stranger('you are of another workspace');
      if (channel === undefined) return;
      if (isExternallyShared ?? (await isShared(channel))) {
        throw stranger('this channel is shared with another organisation');
      }
    },
  };
}

function stranger(why: string): Failure {
  return new Failure('not-allowed', {
    what: 'memprof answers only within its own workspace',
    why,
    fix: 'Ask in a channel that only your own people are in',
  });
}
