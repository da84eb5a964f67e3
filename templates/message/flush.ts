import type { KnownBlock } from '@slack/types';
import type { DumpName } from '../../src/allocator/dump-name.ts';
import { formatBytes, formatCountOf, formatUtc } from '../../src/format.ts';
import { sentence } from '../../src/sentence.ts';
import type { Bytes, EpochMicros } from '../../src/units.ts';
import { code, context, escapeMrkdwn, inlineCode, section } from './blocks.ts';

export interface FlushAnswer {
  readonly target: string;
  readonly server: 'clickhouse' | 'keeper';
  /** On the server's disk; undefined when the server does not tell. */
  readonly path: string | undefined;
  readonly dump: DumpName | undefined;
  /** Dumps of earlier reads that lie beside it, as far as memprof can look. */
  readonly leftovers: readonly Leftover[] | undefined;
  readonly notes: readonly string[];
  readonly investigationId: string;
  /** mrkdwn. */
  readonly askedBy: string;
}

export interface Leftover {
  readonly name: string;
  readonly bytes: Bytes;
  readonly writtenAtMicros: EpochMicros;
}

const SHOWN_LEFTOVERS = 10;

export function flushFinding({ target, path, dump }: FlushAnswer): string {
  if (path === undefined) {
    return `${target} wrote a heap dump, but a server of this age does not say where.`;
  }
  return `${target} wrote its live heap to ${path}${dump === undefined ? '' : `, ${FORMATS[dump.format]}`}.`;
}

const FORMATS: Readonly<Record<DumpName['format'], string>> = {
  raw: 'raw (addresses without names)',
  symbolized: 'with symbols',
  collapsed: 'as collapsed stacks',
};

export function flushHead(answer: FlushAnswer): readonly KnownBlock[] {
  return [
    section(`*${escapeMrkdwn(flushFinding(answer))}*`),
    ...(answer.path === undefined ? [] : [section('To analyse it there:'), code(howTo(answer))]),
    ...(answer.path === undefined
      ? [section(`It is likely the newest ${inlineCode(likelyName(answer))} there.`)]
      : []),
  ];
}

function likelyName({ server }: FlushAnswer): string {
  return `/tmp/jemalloc_${server}.<pid>.<number>.heap`;
}

/** Commands for whoever has the file at hand. */
function howTo({ path = '', dump, server }: FlushAnswer): string {
  const binary = server === 'keeper' ? '/usr/bin/clickhouse-keeper' : '/usr/bin/clickhouse';
  const render = [`memprof render ${path} -o heap.png`, `memprof top ${path}`];
  switch (dump?.format) {
    case 'symbolized':
      return [...render, `jeprof --text ${path}`].join('\n');
    case 'collapsed':
      return [...render, `flamegraph.pl ${path} > heap.svg`].join('\n');
    case 'raw':
    case undefined:
      return [...render, `jeprof --text ${binary} ${path}`].join('\n');
  }
}

export function flushTail(answer: FlushAnswer): readonly KnownBlock[] {
  return [
    section(escapeMrkdwn(leftoverWords(answer))),
    ...answer.notes.map((note) => context(escapeMrkdwn(sentence(note)))),
    context(`Investigation ${inlineCode(answer.investigationId)}`, `asked by ${answer.askedBy}`),
  ];
}

/** Dumps are never deleted by the server: who reads the heap often fills its disk. */
function leftoverWords({ leftovers, dump, path }: FlushAnswer): string {
  if (leftovers !== undefined) {
    if (leftovers.length === 0) return 'No dumps of earlier reads lie beside it.';
    const bytes = leftovers.reduce((sum, one) => sum + one.bytes, 0);
    const shown = leftovers.slice(0, SHOWN_LEFTOVERS).map(leftoverLine);
    const more = leftovers.length - shown.length;
    return [
      `${formatCountOf(leftovers.length, 'dump')} of earlier reads lie beside it, ${formatBytes(bytes)}; the server never deletes them:`,
      ...shown,
      ...(more > 0 ? [`and ${more} older`] : []),
    ].join('\n');
  }
  const earlier = dump?.earlierCount;
  if (path === undefined || earlier === undefined) {
    return 'Whether dumps of earlier reads lie there cannot be told from here; the server never deletes them.';
  }
  if (earlier === 0) return 'It is the first dump of this server process.';
  return `This server process wrote ${formatCountOf(earlier, 'dump')} before it, also when the heap was only read; the server never deletes them, so they may lie beside it. With dumpFolder in memprof's config they would be listed here.`;
}

function leftoverLine({ name, bytes, writtenAtMicros }: Leftover): string {
  return `• ${name}, ${formatBytes(bytes)}, ${formatUtc(writtenAtMicros)}`;
}
