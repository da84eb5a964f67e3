import type { Studio } from '../../src/ports.ts';

/** One transparent pixel: the smallest file that anybody takes for a picture. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Draws the same pixel, at once, whatever is asked. */
export function createFakeStudio(): Studio {
  return {
    async draw() {
      const png = new Uint8Array(Buffer.from(PIXEL, 'base64'));
      return { svg: '<svg/>', png, widthPx: 1, heightPx: 1 };
    },
    async drawFile() {
      return '<svg/>';
    },
  };
}
