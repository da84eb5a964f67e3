import { describe, expect, it } from 'vitest';
import {
  element,
  escapeXml,
  number,
  textElement,
  trustedElement,
  withStyle,
} from '../../../templates/svg/xml.ts';
import { hostileNames } from '../../support/pictures.ts';

describe('escapeXml', () => {
  it.each([
    ['<a href="x">&</a>', '&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;'],
    ['\u0000\u0008\u000b\u001f\ufffe\uffff', '\ufffd'.repeat(6)],
    ['tab\tline\n', 'tab\tline\n'],
    ['\ud800x\udfff', '\ufffdx\ufffd'],
    ['🔥', '🔥'],
  ])('of %j', (text, escaped) => {
    expect(escapeXml(text)).toBe(escaped);
  });
});

describe('the builders', () => {
  it('escape text and attributes', () => {
    for (const name of hostileNames) {
      const { markup } = textElement('text', { title: name }, name);
      expect(markup.match(/[<>]/g)).toHaveLength(4);
      expect(markup.match(/"/g)).toHaveLength(2);
    }
  });

  it('leave out attributes without a value, and write numbers short', () => {
    expect(element('rect', { x: 1.005, y: -0.001, rx: undefined }).markup).toBe(
      '<rect x="1" y="0"/>',
    );
    expect([1 / 3, 1e6, 2.5].map(number)).toEqual(['0.33', '1000000', '2.5']);
  });

  it('put a style sheet in front of all that is drawn', () => {
    const svg = element('svg', {}, element('rect', {})).markup;
    expect(withStyle(svg, 'a > b {}')).toBe(
      '<svg>\n<style><![CDATA[a > b {}]]></style>\n<rect/>\n</svg>',
    );
    expect(trustedElement('script', {}, '1 < 2').markup).toContain('1 < 2');
  });
});
