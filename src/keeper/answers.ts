import { Failure } from '../failure.ts';
import type { KeeperPage, KeeperWord } from '../ports.ts';

/** What Keeper's answers mean when they are not what was asked for. */

const ALLOW_JEMALLOC_WORDS = `<keeper_server>
    <four_letter_word_white_list>conf,cons,crst,envi,ruok,srst,srvr,stat,wchs,dirs,mntr,isro,rcvr,apiv,csnp,lgif,rqld,ydld,jmst,jmfp,jmep,jmdp</four_letter_word_white_list>
</keeper_server>`;

/** Keeper closes the connection without a word when it does not know or not allow one, or when the command failed. */
export function refusedWord(target: string, word: KeeperWord): Failure {
  return new Failure('feature-off', {
    what: `Keeper ${target} closed the connection without an answer to "${word}"`,
    why: `the word is not in keeper_server.four_letter_word_white_list, this Keeper is too old for it (before 24.1), or it runs without jemalloc${
      word === 'jmfp' ? ' or without its profiler (jemalloc_enable_global_profiler)' : ''
    }; its log says which`,
    fix: 'Allow the words in the config of Keeper and restart it',
    paste: ALLOW_JEMALLOC_WORDS,
  });
}

/** Throws when the answer to a word shows that somebody else lives on the port. */
export function requireKeeperAnswer(target: string, word: KeeperWord, answer: string): void {
  const who = answer.startsWith(TLS_ALERT) ? TLS : SPEAKERS.find(({ sign }) => sign.test(answer));
  if (who === undefined) return;
  throw new Failure('config', {
    what: `${target} is no Keeper on this port: ${who.is} answers there`,
    why: `it answered "${word}" with "${readable(answer.slice(0, 60))}"`,
    fix: `Give the target ${who.give} in memprof's config`,
  });
}

/** An alert of TLS 1.x: record type 21, version 3. */
const TLS_ALERT = String.fromCharCode(21, 3);
const TLS = { is: 'a server that speaks TLS', give: '`tls: true`' };

const SPEAKERS: readonly { readonly sign: RegExp; readonly is: string; readonly give: string }[] = [
  {
    sign: /^HTTP\/\d/,
    is: 'an HTTP server (a ClickHouse server, or the HTTP control of a Keeper)',
    give: '`kind: clickhouse` with its URL, or the client port (9181) as `fourLetterWords` and the HTTP control as `controlUrl`',
  },
  {
    sign: /DB::(?:Net)?Exception|ClickHouse/,
    is: 'a ClickHouse server by its native protocol',
    give: '`kind: clickhouse` with its HTTP URL (8123)',
  },
  {
    sign: /is not executed because it is not in the whitelist/,
    is: 'a ZooKeeper (of Apache)',
    give: 'a ClickHouse Keeper instead: ZooKeeper has no jemalloc to ask',
  },
];

const PATHS: Readonly<Record<KeeperPage, string>> = {
  stats: '/jemalloc/stats',
  status: '/jemalloc/status',
  'raw-profile': '/jemalloc/profile?format=raw',
  'collapsed-profile': '/jemalloc/profile?format=collapsed',
};

export function pathOf(page: KeeperPage): string {
  return PATHS[page];
}

export interface ControlAnswer {
  readonly status: number;
  /** Whether the headers are those of a ClickHouse server. */
  readonly isClickHouse: boolean;
  /** The beginning, for sentences. */
  readonly start: string;
}

/** The failure that an answer of the HTTP control is; undefined for a good one. */
export function controlFailure(
  target: string,
  page: KeeperPage,
  { status, isClickHouse, start }: ControlAnswer,
): Failure | undefined {
  if (status === 200 && !isClickHouse) return undefined;
  const asked = `Keeper ${target} did not give ${PATHS[page]}`;
  const said = `it answered ${status}${start === '' ? '' : `: ${readable(start)}`}`;
  if (isClickHouse) {
    return new Failure('config', {
      what: `${target} is no Keeper: a ClickHouse server answers at its controlUrl`,
      why: said,
      fix: "Give the target `kind: clickhouse` with this URL as `url` in memprof's config",
    });
  }
  switch (status) {
    case 404:
      return new Failure('feature-missing', {
        what: asked,
        why: `${said}; pages of jemalloc came with 26.4`,
        fix: "Give the target `fourLetterWords` (its client port) in memprof's config: these words exist since 24.1",
      });
    case 501:
      return new Failure('feature-missing', {
        what: asked,
        why: 'this Keeper is built without jemalloc (musl and some ARM builds are)',
        fix: 'Only what the operating system says of it can be had: use a build with jemalloc',
      });
    case 500:
      return new Failure('feature-off', {
        what: asked,
        why: said,
        fix: 'Switch the profiler on in the config of Keeper and restart it',
        paste: '<jemalloc_enable_global_profiler>1</jemalloc_enable_global_profiler>',
      });
    default:
      return new Failure('server-error', {
        what: asked,
        why: said,
        fix: 'Check controlUrl of the target: it must lead to keeper_server.http_control itself, not to a proxy',
      });
  }
}

/** Foreign bytes as one line of printable text. */
function readable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').trim();
}
