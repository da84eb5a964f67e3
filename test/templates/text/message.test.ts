import { describe, expect, it } from 'vitest';
import { messageAsText } from '../../../templates/text/message.ts';
import { plainText } from '../../../templates/text/mrkdwn.ts';
import { textTable } from '../../../templates/text/table.ts';

describe('plainText', () => {
  it.each([
    ['*bold* and _thin_ and `code`', 'bold and thin and code'],
    ['a_b_c stays, 2*3*4 stays', 'a_b_c stays, 2*3*4 stays'],
    [
      'runs at 0 9 * * 1, or `0 9 * * *` and `*/5 * * * *`',
      'runs at 0 9 * * 1, or 0 9 * * * and */5 * * * *',
    ],
    [
      '*Digest `d1` of `_a_` runs `0 9 * * 1`*, it says',
      'Digest d1 of _a_ runs 0 9 * * 1, it says',
    ],
    ['```\nSELECT 2 * 3 AS _x_\n```', 'SELECT 2 * 3 AS _x_'],
    ['<https://x/y|the page> <https://z>', 'the page (https://x/y) https://z'],
    ['<@U1> in <#C1|db-oncall>', '@U1 in #db-oncall'],
    ['at <!date^1764590284^{time_secs}|11:58:04 UTC>', 'at 11:58:04 UTC'],
    ['std::vector&lt;int&gt; &amp;&amp; x', 'std::vector<int> && x'],
    ['&amp;lt; is not a mark', '&lt; is not a mark'],
  ])('reads %s', (mrkdwn, text) => expect(plainText(mrkdwn)).toBe(text));
});

describe('textTable', () => {
  it('puts numbers to the right and leaves no blanks at the end', () => {
    expect(
      textTable(
        [
          ['name', 'bytes'],
          ['a', '1'],
          ['long name', '12 345'],
        ],
        ['left', 'right'],
      ),
    ).toBe('name        bytes\na               1\nlong name  12 345');
  });
});

describe('messageAsText', () => {
  it('writes every kind of block that memprof posts', () => {
    const text = messageAsText([
      { type: 'header', text: { type: 'plain_text', text: 'peak · 8678' } },
      { type: 'section', text: { type: 'mrkdwn', text: '*Sort* holds `55 %`' } },
      { type: 'image', slack_file: { id: 'F1' }, alt_text: 'Sort 55 %' },
      {
        type: 'table',
        column_settings: [{}, { align: 'right' }],
        rows: [
          [
            { type: 'raw_text', text: 'site' },
            { type: 'raw_text', text: 'bytes' },
          ],
          [
            { type: 'raw_text', text: 'f' },
            { type: 'raw_text', text: '1.00 KiB' },
          ],
        ],
      },
      { type: 'divider' },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'ab12' },
          { type: 'plain_text', text: 'x' },
        ],
      },
      { type: 'actions', elements: [] },
    ]);
    expect(text).toBe(`peak · 8678
===========

Sort holds 55 %

[picture] Sort 55 %

site     bytes
f     1.00 KiB

---

ab12 · x
`);
  });
});
