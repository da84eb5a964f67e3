/** What pictures write beside ASCII, nearly always all that they write. */
const PLAIN_SIGNS = '·×±≈…›‹–\ufffd';

const PLAIN = new RegExp(`^[\\n\\x20-\\x7e${PLAIN_SIGNS}]*$`);

/** Whether the small fonts have all that stands in a text. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}
