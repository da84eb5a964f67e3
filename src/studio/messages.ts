import type { FailureDetails, FailureKind } from '../failure.ts';
import type { PictureRequest } from '../picture-request.ts';
import type { DrawnPicture } from '../ports.ts';

/** To a drawing thread. It gets one at a time. */
export interface DrawingOrder {
  /** Pixels for a chat, or a file for the browser. */
  readonly kind: 'picture' | 'file';
  readonly request: PictureRequest;
}

/** From a drawing thread: what was ordered, or the fields of the `Failure` that it ended with. */
export type DrawingAnswer =
  | { readonly kind: 'picture'; readonly picture: DrawnPicture }
  | { readonly kind: 'file'; readonly svg: string }
  | {
      readonly kind: 'failed';
      readonly failure: Omit<FailureDetails, 'cause'> & { readonly kind: FailureKind };
      /** Where it went wrong, for the log. */
      readonly stack: string | undefined;
    };
