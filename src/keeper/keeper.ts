import { isIPv6 } from 'node:net';
import { type Config, type KeeperTarget, targetOf } from '../config.ts';
import { Failure } from '../failure.ts';
import { httpGet } from '../http-get.ts';
import type { Keeper, KeeperOptions } from '../ports.ts';
import type { Bytes } from '../units.ts';
import { controlFailure, pathOf } from './answers.ts';
import { fourLetterWord } from './four-letter-word.ts';

const MAX_PAGE_BYTES: Bytes = 512 * 2 ** 20;
const decoder = new TextDecoder();

/** The Keepers of the config, by four-letter words over TCP and by their HTTP control. */
export function createKeeper(config: Config): Keeper {
  const keeperOf = (name: string): KeeperTarget => {
    const target = targetOf(config, name);
    if (target.kind === 'keeper') return target;
    throw new Failure('config', {
      what: `${name} is no Keeper`,
      why: 'the config says kind: clickhouse',
      fix: 'Ask it as a ClickHouse server, or correct its kind in the config',
    });
  };

  return {
    isKeeper: (name) => targetOf(config, name).kind === 'keeper',

    ways(name) {
      const { fourLetterWords, controlUrl } = keeperOf(name);
      return {
        hasWords: fourLetterWords !== undefined,
        hasControl: controlUrl !== undefined,
        isControlExposed: controlUrl !== undefined && !isLoopback(new URL(controlUrl).hostname),
      };
    },

    async word(name, word, options) {
      const target = keeperOf(name);
      const { fourLetterWords: hostPort, tls, caFile } = target;
      if (hostPort === undefined) throw notConfigured(name, 'fourLetterWords', 'client port');
      const deadlineMs = deadlineOf(target, options);
      const { signal } = options;
      return fourLetterWord({ target: name, hostPort, tls, caFile, word, signal, deadlineMs });
    },

    async page(name, page, options) {
      const target = keeperOf(name);
      if (target.controlUrl === undefined) throw notConfigured(name, 'controlUrl', 'HTTP control');
      const answer = await httpGet(new URL(pathOf(page), target.controlUrl).href, {
        name: `the HTTP control of Keeper ${name}`,
        signal: options.signal,
        deadlineMs: deadlineOf(target, options),
        maxBytes: MAX_PAGE_BYTES,
        caFile: target.caFile,
      });
      const failure = controlFailure(name, page, {
        status: answer.status,
        isClickHouse: Object.keys(answer.headers).some((header) => /^x-clickhouse-/i.test(header)),
        start: decoder.decode(answer.body.subarray(0, 300)),
      });
      if (failure !== undefined) throw failure;
      return answer.body;
    },
  };
}

function deadlineOf({ readTimeoutMs }: KeeperTarget, { deadlineMs }: KeeperOptions): number {
  return Math.min(readTimeoutMs, deadlineMs ?? readTimeoutMs);
}

function notConfigured(name: string, key: string, port: string): Failure {
  return new Failure('feature-missing', {
    what: `The config does not name the ${port} of Keeper ${name}`,
    why: `targets.${name}.${key} is not set`,
    fix: `Set it to the ${port} of this Keeper`,
  });
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' || /^127\./.test(host) || (isIPv6(host) && /^(::1|::ffff:7f)/.test(host))
  );
}
