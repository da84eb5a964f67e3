import type { Studio } from '../../src/ports.ts';

/** Draws nothing, at once: the bytes are the title. */
export function createFakeStudio(): Studio {
  return {
    async draw(request) {
      const png = new TextEncoder().encode(request.text.title);
      return { svg: '<svg/>', png, widthPx: 1600, heightPx: 900 };
    },
  };
}
