/** An exception of a ClickHouse server, as its answer tells it. */
export interface ServerError {
  /** https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
  readonly code: number;
  /** One line for people: without the stack, the version and the text of the statement. */
  readonly message: string;
}

const MAX_MESSAGE_CHARS = 400;

/**
 * The exception in an answer's text. New servers write "Code: 60. DB::Exception: … (UNKNOWN_TABLE) (version …)", old
 * ones "Code: 60, e.displayText() = DB::Exception: …, e.what() = …"; of nested ones the innermost counts. Undefined
 * for any other text, such as a proxy's page.
 */
export function readServerError(text: string): ServerError | undefined {
  const head = text.slice(0, 100_000);
  const marks = [...head.matchAll(/Code: (\d{1,5})[.,]/g)];
  const last = marks.at(-1);
  if (last === undefined) return undefined;
  const rest = head.slice(last.index);
  const exception = /(?:DB|Poco)::(?:\w+::)*\w*Exception: /.exec(rest);
  const words = exception === null ? rest : rest.slice(exception.index + exception[0].length);
  return { code: Number(last[1]), message: readable(words) };
}

function readable(words: string): string {
  const message = words
    .split(
      /, e\.what\(\) = |, Stack trace|\(version \d|\bin scope |: While (?:executing|processing) /i,
    )[0]
    // The name of the code, which stands at the end.
    ?.replace(/\s*\(([A-Z][A-Z0-9_]{2,})\)[\s.]*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.,:]+$/, '');
  const text = message === undefined || message === '' ? 'the server gave no reason' : message;
  return text.length <= MAX_MESSAGE_CHARS ? text : `${text.slice(0, MAX_MESSAGE_CHARS - 1)}…`;
}
