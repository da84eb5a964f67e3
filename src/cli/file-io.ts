import type { Readable } from 'node:stream';

/** What the file verbs read and write beside files. */
export interface FileIo {
  readonly standardInput: Readable;
  /** To standard output, as it is. */
  print(text: string): void;
  /** A line for people, to standard error. */
  tell(line: string): void;
}
