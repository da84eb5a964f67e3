import { describe, expect, it } from 'vitest';
import { graphPdf, graphPng, graphSvg } from '../../../src/graph-file.ts';
import { callGraph } from '../../../src/profile/call-graph.ts';
import { callGraphDot } from '../../../templates/dot/call-graph.ts';
import { profileOf } from '../../support/profile-of.ts';

const text = { title: 'Heap profile · chi-3', subtitle: '35.00 MiB', measure: 'bytes' } as const;
const MIB = 2 ** 20;

function dotOf(stacks: Readonly<Record<string, number>>): string {
  return callGraphDot(callGraph(profileOf(stacks).tree, { measure: 'bytes' }), text);
}

const sample = dotOf({
  'DB::main();DB::Aggregator::executeOnBlock(Columns, size_t) const': 10 * MIB,
  'DB::main();DB::HashJoin::joinBlock();DB::Aggregator::executeOnBlock(Columns, size_t) const':
    20 * MIB,
  'DB::main();DB::HashJoin::joinBlock()': 5 * MIB,
});

describe('a call graph for Graphviz', () => {
  it('reads like this', async () => {
    await expect(sample).toMatchFileSnapshot('../../golden/dot/call-graph.dot');
  });

  it('is laid out as SVG, PNG and PDF, with the same bytes for the same graph', async () => {
    const svg = await graphSvg(sample);
    expect(svg).toContain('Aggregator::executeOnBlock');
    expect(svg).toContain('30.00 MiB (86%)');
    expect(await graphSvg(sample)).toBe(svg);
    const png = await graphPng(sample);
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
    const pdf = Buffer.from(await graphPdf(sample));
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.subarray(-6).toString().trim()).toBe('%%EOF');
    expect(Buffer.from(await graphPdf(sample)).equals(pdf)).toBe(true);
  });

  it('takes names for what they are, whatever is in them', async () => {
    const hostile = [
      'quote " and \\N backslash \\',
      '</title><script>alert(1)</script>',
      'line\rbreak\u0000\uFFFE',
      'lone \uD800 surrogate',
      'x'.repeat(100_000),
      'مرحبا 日本 🙂',
    ];
    const svg = await graphSvg(
      dotOf(Object.fromEntries(hostile.map((name, index) => [`main;${name}`, 100 + index]))),
    );
    expect(svg).not.toContain('<script');
    for (const odd of ['\u0000', '\uFFFE', '\uD800']) expect(svg).not.toContain(odd);
    expect(svg.length).toBeLessThan(30_000);
    await graphPng(dotOf({ [hostile.join(';')]: 1 }));
    await graphPdf(dotOf({ [hostile.join(';')]: 1 }));
  });

  it('says so when there is nothing to draw', async () => {
    expect(await graphSvg(dotOf({}))).toContain('There is nothing in this profile.');
  });
});
