import { createHash } from 'node:crypto';

/** Letters and digits that are not taken for one another when they are read aloud or copied by hand. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 8;

/**
 * The id of the investigation that a Slack request opens. The same request delivered twice has the same id, so that
 * twice is once; 40 bits keep those of two weeks apart.
 */
export function investigationIdOf(source: string): string {
  const bytes = createHash('sha256').update(source).digest();
  let id = '';
  for (let index = 0; index < LENGTH; index += 1) {
    id += ALPHABET[(bytes[index] ?? 0) % ALPHABET.length];
  }
  return id;
}
