import { clip, inlineCode } from './blocks.ts';

/** What every message of an investigation says of it. */
export interface About {
  /** As it can be typed again. */
  readonly command: string;
  readonly investigationId: string;
  /** "<@U123>": mrkdwn. */
  readonly askedBy: string;
  /** What was understood when it is not what was typed. Plain text. */
  readonly understood?: string;
}

const COMMAND_LENGTH = 200;

/** The command as code, cut when it is long. */
export function commandCode({ command }: About): string {
  return inlineCode(clip(command, COMMAND_LENGTH));
}

/** For the context line: what people paste, and who asked. */
export function aboutPieces({ investigationId, askedBy }: About): readonly string[] {
  return [`Investigation ${inlineCode(investigationId)}`, `asked by ${askedBy}`];
}
