/** A refusal of the Web API: `{ ok: false, error, … }` with HTTP 200. */
export class SlackError extends Error {
  override readonly name = 'SlackError';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, details: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** With the complaints where Slack puts them, twice. */
export function refusedBecause(code: string, errors: readonly string[]): SlackError {
  if (errors.length === 0) return new SlackError(code);
  return new SlackError(code, {
    errors,
    response_metadata: { messages: errors.map((error) => `[ERROR] ${error}`) },
  });
}
