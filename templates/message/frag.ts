import type { KnownBlock } from '@slack/types';
import type { HeldClass } from '../../src/allocator/waste-shares.ts';
import { previousWaste, trendArrow } from '../../src/digest/trend.ts';
import { formatBytes, formatCountOf, formatShare, formatUtc } from '../../src/format.ts';
import { sentence } from '../../src/sentence.ts';
import {
  actions,
  code,
  context,
  escapeMrkdwn,
  inlineCode,
  localTime,
  section,
  table,
} from './blocks.ts';
import { askButton } from './buttons.ts';
import {
  agesLine,
  evidenceLine,
  type FragAnswer,
  fragFinding,
  fragNotes,
  holdersLine,
  shortHolder,
  sourceWords,
  trendLine,
} from './frag-words.ts';
import { missingLine, pastesOf } from './missing.ts';

const TOP_CLASSES = 5;

export function fragHead(answer: FragAnswer): readonly KnownBlock[] {
  const lines = [trendLine(answer), holdersLine(answer), agesLine(answer)].filter(
    (line) => line !== '',
  );
  const { cause } = answer;
  return [
    section(`*${escapeMrkdwn(fragFinding(answer))}*`),
    ...(lines.length === 0 ? [] : [section(escapeMrkdwn(lines.join('\n')))]),
    ...(cause === undefined
      ? []
      : [
          section(
            `*Usually:* ${escapeMrkdwn(sentence(cause.cause))}\n*Try:* ${escapeMrkdwn(sentence(cause.tryNext))}\n${escapeMrkdwn(evidenceLine(cause))}`,
          ),
        ]),
  ];
}

export function fragTail(answer: FragAnswer): readonly KnownBlock[] {
  const { target, fragmentation, missing, readAtMicros } = answer;
  const listed = fragmentation.shares.classes
    .filter(({ wasteBytes }) => wasteBytes >= answer.minWasteBytes && wasteBytes > 0)
    .slice(0, TOP_CLASSES);
  const denied = missing.filter(({ failure }) => failure.kind === 'grant-missing');
  const pastes = pastesOf(denied);
  const notes = fragNotes(answer, listed.length);
  return [
    ...(listed.length === 0 ? [] : [classTable(answer, listed)]),
    ...(notes.length === 0 ? [] : [context(...notes.map((note) => escapeMrkdwn(sentence(note))))]),
    ...(denied.length === 0 ? [] : [context(escapeMrkdwn(missingLine(denied)))]),
    ...(pastes === '' ? [] : [code(pastes)]),
    actions(
      askButton('Memory ledger', `stats ${target}`),
      askButton('Live heap', `heap ${target}`),
    ),
    context(
      `Read ${localTime(readAtMicros, formatUtc(readAtMicros))}`,
      escapeMrkdwn(sourceWords(answer)),
      `Investigation ${inlineCode(answer.investigationId)}`,
      `asked by ${answer.askedBy}`,
    ),
  ];
}

function classTable(answer: FragAnswer, listed: readonly HeldClass[]): KnownBlock {
  return table(
    [
      { title: 'Size', align: 'right' },
      { title: 'Arena', align: 'right' },
      { title: 'Waste', align: 'right' },
      { title: 'Utilisation', align: 'right' },
      { title: 'Slabs with room', align: 'right' },
      { title: 'Trend' },
      { title: 'Held by' },
    ],
    listed.map((held) => {
      const { sizeBytes, arena, purpose, wasteBytes, utilisation, nonfullSlabs, slabCount } = held;
      return [
        formatBytes(sizeBytes),
        arena === undefined ? 'all' : `${arena}${purpose === '' ? '' : ` ${purpose}`}`,
        formatBytes(wasteBytes),
        formatShare(utilisation),
        nonfullSlabs === undefined ? '?' : `${nonfullSlabs} of ${slabCount}`,
        trendArrow(wasteBytes, previousWaste(held, answer.previous)),
        heldBy(held),
      ];
    }),
  );
}

function heldBy({ holders, evidence, sampleCount, wasteBytes }: HeldClass): string {
  const [first] = holders;
  if (first === undefined) return 'not sampled';
  const share = formatShare(first.wasteBytes / wasteBytes);
  const weak = evidence === 'weak' ? `, weak: ${formatCountOf(sampleCount, 'sample')}` : '';
  return `${shortHolder(first.stack)} (${share}${weak})`;
}
