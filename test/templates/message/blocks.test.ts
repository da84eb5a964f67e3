import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import {
  actions,
  button,
  clip,
  code,
  context,
  escapeMrkdwn,
  fitMessage,
  header,
  image,
  inlineCode,
  limits,
  localTime,
  section,
  table,
} from '../../../templates/message/blocks.ts';

describe('foreign text', () => {
  it.each([
    ['<!channel>', '&lt;!channel&gt;'],
    ['<https://evil.example|bank>', '&lt;https://evil.example|bank&gt;'],
    ['std::map<A, B&>', 'std::map&lt;A, B&amp;&gt;'],
    ['&lt;', '&amp;lt;'],
  ])('%s calls nobody and links nowhere', (text, shown) => {
    expect(escapeMrkdwn(text)).toBe(shown);
  });

  it('in back-ticks cannot end them', () => {
    expect(inlineCode('a`b\nc')).toBe("`a'b c`");
  });

  it('to copy is rich text, character by character', () => {
    const text = 'GRANT SELECT ON `a`.<b> TO memprof *now*';
    expect(JSON.stringify(code(text))).toContain(JSON.stringify(text));
  });
});

describe("Slack's limits", () => {
  const long = 'x'.repeat(20_000);

  it('are kept by every block', () => {
    expect(header(long).text.text).toHaveLength(limits.header);
    expect(section(long).text?.text).toHaveLength(limits.section);
    expect(context(...Array.from({ length: 20 }, () => 'x')).elements).toHaveLength(10);
    expect(button({ label: long, actionId: 'a', value: long }).text.text).toHaveLength(75);
    expect(image({ fileId: 'F1', alt: long, title: 'x' }).alt_text).toHaveLength(2000);
    const rows = Array.from({ length: 300 }, () => ['a', '']);
    expect(table([{ title: 'A' }, { title: 'B', align: 'right' }], rows).rows).toHaveLength(100);
    expect(
      actions(...Array.from({ length: 40 }, () => button({ label: 'a', actionId: 'a', value: '' })))
        .elements,
    ).toHaveLength(25);
  });

  it('do not cut an entity, a link or a pair of surrogates in half', () => {
    const padding = 'x'.repeat(limits.section - 4);
    expect(section(`${padding}&amp;&amp;`).text?.text).toBe(`${padding}…`);
    expect(section(`${padding}<https://a.example|b>`).text?.text).toBe(`${padding}…`);
    expect(clip('ab😀cd', 4)).toBe('ab…');
  });

  it('leave no empty text or cell, which Slack refuses', () => {
    expect(section('').text?.text).toBe(' ');
    expect(table([{ title: '' }], [['']]).rows.flat()).toEqual([
      { type: 'raw_text', text: ' ' },
      { type: 'raw_text', text: ' ' },
    ]);
  });

  it('drop blocks before the last, and all tables but one', () => {
    const many: KnownBlock[] = Array.from({ length: 70 }, (_, index) => section(`${index}`));
    const fitted = fitMessage([...many, context('last')]);
    expect(fitted).toHaveLength(50);
    expect(fitted.at(-1)).toEqual(context('last'));
    const tables = fitMessage([
      table([{ title: 'A' }], []),
      section('x'),
      table([{ title: 'B' }], []),
    ]);
    expect(tables.map(({ type }) => type)).toEqual(['table', 'section']);
  });
});

it("shows a moment in the reader's own time, and in UTC where that cannot be", () => {
  expect(localTime(1_790_000_000_123_456, '2026-09-21 14:13:20 UTC')).toBe(
    '<!date^1790000000^{date_short_pretty} {time_secs}|2026-09-21 14:13:20 UTC>',
  );
});
