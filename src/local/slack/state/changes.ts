/** Something that happened in the workspace, told to the page, to transcripts and to whoever waits. */
export type Change =
  | {
      readonly kind: 'message';
      readonly what: 'posted' | 'edited' | 'deleted' | 'counted';
      readonly channel: string;
      readonly ts: string;
    }
  | {
      readonly kind: 'ephemeral';
      readonly what: 'posted' | 'edited' | 'deleted';
      readonly channel: string;
      readonly ts: string;
      /** The one who sees it. */
      readonly user: string;
    }
  | {
      readonly kind: 'file';
      readonly what: 'uploaded' | 'processed' | 'shared' | 'deleted';
      readonly file: string;
    }
  | { readonly kind: 'views'; readonly user: string }
  | { readonly kind: 'home'; readonly user: string }
  | { readonly kind: 'read'; readonly user: string; readonly channel: string }
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'app'; readonly connectionCount: number }
  | { readonly kind: 'notice' }
  | { readonly kind: 'call'; readonly method: string }
  | { readonly kind: 'delivery'; readonly type: string };

export interface Changes {
  publish(change: Change): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (change: Change) => void): () => void;
}

/** Tells everybody at once, in the order of subscription. */
export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>();
  return {
    publish(change) {
      for (const listener of [...listeners]) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
