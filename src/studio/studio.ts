import { Failure } from '../failure.ts';
import type { PictureRequest } from '../picture-request.ts';
import type { Studio } from '../ports.ts';
import type { SubsystemRule } from '../profile/subsystem-rule.ts';
import { Artist } from './artist.ts';
import { Line } from './line.ts';
import type { DrawingOrder } from './messages.ts';

export interface StudioOptions {
  /** Pictures that are drawn side by side; further ones wait in line. */
  readonly threads: number;
  /** The team's own rules, for pictures that bring none. */
  readonly subsystemRules?: readonly SubsystemRule[];
}

/**
 * Draws in threads of its own. They start with the first picture that needs them and do not keep the process alive
 * while they have nothing to do. Disposing it ends what is under way with an `interrupted` failure.
 */
export function createStudio({
  threads,
  subsystemRules: extraRules = [],
}: StudioOptions): Studio & AsyncDisposable {
  const artists = Array.from({ length: Math.max(1, threads) }, () => new Artist());
  const line = new Line(artists);
  const closing = new AbortController();
  const draw = async (order: DrawingOrder, signal: AbortSignal) => {
    const either = AbortSignal.any([signal, closing.signal]);
    const artist = await line.take(either);
    try {
      return await artist.draw(order, either);
    } finally {
      line.giveBack(artist);
    }
  };
  return {
    async draw(request, signal) {
      const drawn = await draw(
        { kind: 'picture', request: withRules(request, extraRules) },
        signal,
      );
      return drawn.kind === 'picture' ? drawn.picture : unasked();
    },
    async drawFile(request, signal) {
      const drawn = await draw({ kind: 'file', request: withRules(request, extraRules) }, signal);
      return drawn.kind === 'file' ? drawn.svg : unasked();
    },
    async [Symbol.asyncDispose]() {
      closing.abort(
        new Failure('interrupted', {
          what: 'The picture was not drawn',
          why: 'memprof is stopping',
        }),
      );
      await Promise.all(artists.map((artist) => artist.stop()));
    },
  };
}

/** Charts know no subsystems. */
function withRules(request: PictureRequest, extraRules: readonly SubsystemRule[]): PictureRequest {
  if (request.kind === 'curve' || request.kind === 'ledger') return request;
  return { extraRules, ...request };
}

function unasked(): never {
  throw new Failure('bug', { what: 'A drawing thread answered what nobody asked' });
}
