/**
 * SVG text by small builders that escape by default. Attributes in the order given, numbers with two decimals at most,
 * one element a line: the same picture is the same bytes, and two versions can be read side by side.
 */

/** A finished piece of markup; only the builders here make one. */
export interface Markup {
  readonly markup: string;
}

type Attribute = string | number | undefined;
export type Attributes = Readonly<Record<string, Attribute>>;

/** An element with children, or without. */
export function element(
  name: string,
  attributes: Attributes,
  ...children: readonly (Markup | readonly Markup[])[]
): Markup {
  const inside = children.flat().map(({ markup }) => markup);
  const open = `<${name}${attributesText(attributes)}`;
  if (inside.length === 0) return { markup: `${open}/>` };
  return { markup: `${open}>\n${inside.join('\n')}\n</${name}>` };
}

/** An element that holds nothing but text, on one line: blanks inside count. */
export function textElement(name: string, attributes: Attributes, text: string): Markup {
  return { markup: `<${name}${attributesText(attributes)}>${escapeXml(text)}</${name}>` };
}

/** Text that must not be escaped: a style sheet or a script of ours, never anything from outside. */
export function trustedElement(name: string, attributes: Attributes, text: string): Markup {
  return { markup: `<${name}${attributesText(attributes)}><![CDATA[${text}]]></${name}>` };
}

/** A whole SVG of the builders here with a style sheet put in front of all it draws. */
export function withStyle(svg: string, style: string): string {
  const open = svg.indexOf('>') + 1;
  return `${svg.slice(0, open)}\n${trustedElement('style', {}, style).markup}${svg.slice(open)}`;
}

/** A number as it stands in SVG: two decimals at most, no "-0". */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

/**
 * Escapes what XML reserves and replaces what it does not allow at all: control characters, lone surrogates, U+FFFE and
 * U+FFFF. One such character in one name would make the whole picture unreadable.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(FORBIDDEN, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these very characters are what XML forbids.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      if (value === undefined) return '';
      return ` ${name}="${typeof value === 'number' ? number(value) : escapeXml(value)}"`;
    })
    .join('');
}
