import { Failure } from '../failure.ts';
import type { Studio } from '../ports.ts';
import { Artist } from './artist.ts';
import { Line } from './line.ts';

export interface StudioOptions {
  /** Pictures that are drawn side by side; further ones wait in line. */
  readonly threads: number;
}

/**
 * Draws in threads of its own. They start with the first picture that needs them and do not keep the process alive
 * while they have nothing to do. Disposing it ends what is under way with an `interrupted` failure.
 */
export function createStudio({ threads }: StudioOptions): Studio & AsyncDisposable {
  const artists = Array.from({ length: Math.max(1, threads) }, () => new Artist());
  const line = new Line(artists);
  const closing = new AbortController();
  return {
    async draw(request, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      const artist = await line.take(either);
      try {
        return await artist.draw(request, either);
      } finally {
        line.giveBack(artist);
      }
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
