import { type Logger, LogLevel } from '@slack/web-api';
import type { Log } from '../ports.ts';

/** Bolt's and web-api's lines in our log. At `debug` they write whole messages, so that level stays off. */
export function createBoltLogger(log: Log): Logger {
  const line =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: readonly unknown[]): void => {
      const error = parts.find((part) => part instanceof Error);
      const words = parts.filter((part) => part !== error).map(String);
      log[level](error === undefined ? {} : { err: error }, `slack: ${words.join(' ')}`);
    };
  return {
    debug: () => undefined,
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
