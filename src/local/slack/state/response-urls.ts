import type { EpochMillis, Milliseconds } from '../../../units.ts';
import { newSecret } from './ids.ts';

export const RESPONSE_URL_USES = 5;
export const RESPONSE_URL_LIFE_MS: Milliseconds = 30 * 60_000;

/** Where an answer through the URL goes. */
export interface ResponsePlace {
  readonly channel: string;
  readonly user: string;
  /** The message whose button was pressed: it can be replaced or deleted. */
  readonly message?: { readonly ts: string; readonly isEphemeral: boolean };
  readonly threadTs?: string;
}

export interface ResponseUrls {
  /** The path of a new URL. */
  issue(kind: 'commands' | 'actions', place: ResponsePlace): string;
  /** Counts one use. */
  use(path: string): ResponsePlace | { readonly error: 'used_url' | 'expired_url' };
  /** As if half an hour had gone. */
  expireAll(): void;
}

export function createResponseUrls(): ResponseUrls {
  const issued = new Map<
    string,
    { readonly place: ResponsePlace; at: EpochMillis; uses: number }
  >();
  return {
    issue(kind, place) {
      const path = `/hooks/${kind}/${newSecret()}`;
      issued.set(path, { place, at: Date.now(), uses: 0 });
      return path;
    },
    use(path) {
      const url = issued.get(path);
      if (url === undefined || Date.now() - url.at > RESPONSE_URL_LIFE_MS) {
        return { error: 'expired_url' };
      }
      url.uses += 1;
      return url.uses > RESPONSE_URL_USES ? { error: 'used_url' } : url.place;
    },
    expireAll() {
      for (const url of issued.values()) url.at = 0;
    },
  };
}
