import type { FailureDetails, FailureKind } from '../failure.ts';
import type { PictureRequest } from '../picture-request.ts';
import type { DrawnPicture } from '../ports.ts';

/** To a drawing thread. It gets one at a time. */
export type DrawingOrder = PictureRequest;

/** From a drawing thread: the picture, or the fields of the `Failure` that it ended with. */
export type DrawingAnswer =
  | { readonly kind: 'drawn'; readonly picture: DrawnPicture }
  | {
      readonly kind: 'failed';
      readonly failure: Omit<FailureDetails, 'cause'> & { readonly kind: FailureKind };
      /** Where it went wrong, for the log. */
      readonly stack: string | undefined;
    };
