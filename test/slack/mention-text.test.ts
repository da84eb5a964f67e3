import { describe, expect, it } from 'vitest';
import { mentionText, queryIdIn } from '../../src/slack/mention-text.ts';

describe('mentionText', () => {
  it.each([
    ['<@UBOT> peak 8678d8fe', 'peak 8678d8fe'],
    ['<@UBOT|memprof> peak 8678d8fe', 'peak 8678d8fe'],
    ['please <@UBOT> status', 'please   status'],
    ['<@UBOT>', ''],
    [
      '<@UBOT> attach k7f2m9qd <https://example.slack.com/archives/C1/p1|link>',
      'attach k7f2m9qd https://example.slack.com/archives/C1/p1',
    ],
    ['<@UBOT> run SELECT 1 &lt; 2 &amp;&amp; 3 &gt; 2', 'run SELECT 1 < 2 && 3 > 2'],
    ['<@UBOT> peak &amp;lt;', 'peak &lt;'],
    ['<@UOTHER> peak', '<@UOTHER> peak'],
  ])('reads %s', (text, typed) => {
    expect(mentionText(text, 'UBOT')).toBe(typed);
  });
});

describe('queryIdIn', () => {
  const id = '8678d8fe-7b4c-4a6e-9d3f-0123456789ab';

  it.each([
    ['the text', { text: `Query ${id} failed` }],
    ['a block', { text: '', blocks: [{ type: 'section', text: { text: `\`${id}\`` } }] }],
    ['an attachment of an alert', { attachments: [{ fields: [{ value: id }] }] }],
  ])('finds a query id in %s', (_where, message) => {
    expect(queryIdIn(message)).toBe(id);
  });

  it('finds none where there is none', () => {
    expect(queryIdIn({ text: 'memory is high on prod-1' })).toBeUndefined();
    expect(queryIdIn(undefined)).toBeUndefined();
  });
});
