import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { Log } from './ports.ts';

export interface LogOptions {
  /** "bot" or "worker". */
  readonly name: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Passwords and tokens: never written, wherever they turn up. */
  readonly secrets: readonly string[];
  /** Standard output unless said. */
  readonly destination?: DestinationStream;
}

/** Tokens of Slack, and addresses that let whoever has them answer in its name. */
const TOKENS = /xox[a-z]-[A-Za-z0-9-]+|xapp-[A-Za-z0-9-]+|https:\/\/hooks\.slack\.com\/[^\s"\\]+/g;
/** user:password@ in any URL. */
const CREDENTIALS = /(\/\/)[^/\s:@"]*:[^/\s@"]+@/g;
const SHORTEST_SECRET = 4;

/** A JSON line an event on standard output. What is secret is taken out of the finished line, so nothing slips by. */
export function createLog(options: LogOptions): Log {
  const secrets = options.secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // As they stand in JSON text.
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  const destination = options.destination ?? process.stdout;
  const logger: Logger = pino(
    {
      name: options.name,
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: stdSerializers.errWithCause },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => destination.write(withoutSecrets(line, secrets)) },
  );
  return logger;
}

function withoutSecrets(line: string, secrets: readonly string[]): string {
  let clean = line.replace(TOKENS, '[secret]').replace(CREDENTIALS, '$1[secret]@');
  for (const secret of secrets) clean = clean.replaceAll(secret, '[secret]');
  return clean;
}
