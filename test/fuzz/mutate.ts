import type { Random } from '../support/random.ts';

const MOST_BYTES = 1 << 18;
const MOST_CHANGES = 6;

/** What has broken readers: of this trade and of others. */
const TOKENS = [
  ...[
    '\n',
    '\r\n',
    '\r',
    ' ',
    '\t',
    ';',
    ';;',
    '@',
    '@ ',
    '0x',
    '0x0',
    ':',
    '[0: 0]',
    '--',
    '---\n',
  ],
  ...[
    '--- symbol\n',
    '--- heap\n',
    'heap_v2/',
    'heap_v2/0\n',
    'heap_v2/524288\n',
    't*: ',
    '# ',
    '#\n',
  ],
  ...[
    'MAPPED_LIBRARIES:\n',
    'binary=',
    '<0000000000401247>',
    '0xffffffffffffffff',
    '18446744073709551616',
  ],
  ...[
    '-1',
    '1e308',
    '1e999',
    'NaN',
    '.5',
    '-0',
    '9007199254740993',
    '000000000000000000000000000001',
  ],
  ...[
    '\x00',
    '\x1b[2J',
    '\ufeff',
    '\ufffe',
    '\u202e',
    '\u2028',
    '😀',
    '\x1f\x8b\x08',
    '\n\x00',
    '{"',
    '<svg ',
  ],
].map((token) => Buffer.from(token, 'utf8'));

type Mutation = (input: Buffer, random: Random, other: Buffer) => Buffer;

const mutations: readonly Mutation[] = [
  function flipBit(input, random) {
    const output = Buffer.from(input);
    const at = random.below(output.length);
    output[at] = (output[at] ?? 0) ^ (1 << random.below(8));
    return output;
  },
  function setByte(input, random) {
    const output = Buffer.from(input);
    output[random.below(output.length)] = random.below(256);
    return output;
  },
  function insertToken(input, random) {
    const at = random.below(input.length + 1);
    return Buffer.concat([input.subarray(0, at), random.pick(TOKENS), input.subarray(at)]);
  },
  function cutOut(input, random) {
    const [start, end] = range(input, random);
    return Buffer.concat([input.subarray(0, start), input.subarray(end)]);
  },
  function cutOff(input, random) {
    return input.subarray(0, random.below(input.length + 1));
  },
  function cutBeginning(input, random) {
    return input.subarray(random.below(input.length + 1));
  },
  function repeat(input, random) {
    const [start, end] = range(input, random);
    const piece = input.subarray(start, end);
    const times = Math.min(1 + random.below(50), Math.floor(MOST_BYTES / (piece.length + 1)));
    return Buffer.concat([
      input.subarray(0, end),
      ...Array.from({ length: times }, () => piece),
      input.subarray(end),
    ]);
  },
  function move(input, random) {
    const [start, end] = range(input, random);
    const rest = Buffer.concat([input.subarray(0, start), input.subarray(end)]);
    const to = random.below(rest.length + 1);
    return Buffer.concat([rest.subarray(0, to), input.subarray(start, end), rest.subarray(to)]);
  },
  function splice(input, random, other) {
    const [start, end] = range(other, random);
    const at = random.below(input.length + 1);
    return Buffer.concat([input.subarray(0, at), other.subarray(start, end), input.subarray(at)]);
  },
];

/** An input changed here and there; mostly still nearly what it was. */
export function mutate(input: Buffer, random: Random, other: Buffer): Buffer {
  let output = input;
  for (let change = random.below(MOST_CHANGES); change >= 0; change -= 1) {
    if (output.length > 0) output = random.pick(mutations)(output, random, other);
  }
  return output.subarray(0, MOST_BYTES);
}

/** A piece of an input; short ones far more often. */
function range(input: Buffer, random: Random): readonly [number, number] {
  const start = random.below(input.length);
  const length = Math.floor((input.length - start) * random.share() ** 4) + 1;
  return [start, Math.min(input.length, start + length)];
}
