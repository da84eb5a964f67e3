import { textWidth } from '../../src/text-width.ts';

/** What a picture of ours draws, in the order in which it is drawn. */

export interface DrawnText {
  readonly text: string;
  readonly sizePx: number;
  readonly fill: string;
  readonly left: number;
  readonly right: number;
  /** Of the letters with ascenders. */
  readonly top: number;
  /** Of the letters with descenders. */
  readonly bottom: number;
  /** The shape drawn last before it that lies below its middle. */
  readonly backdrop: DrawnShape;
}

export interface DrawnShape {
  readonly fill: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

type Attributes = Readonly<Record<string, string>>;

const TOKEN = /<(\/?)([a-z]+)((?:\s[a-zA-Z:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;
const ASCENT = 0.76;
const DESCENT = 0.22;
const INHERITED = ['fill', 'font-size', 'font-weight', 'text-anchor'];

/** Reads what the builders of `xml.ts` write, which is all of XML that our pictures use. */
export function drawnTexts(svg: string): readonly DrawnText[] {
  const shapes: DrawnShape[] = [];
  const texts: DrawnText[] = [];
  const open: Attributes[] = [{}];
  const names: string[] = [];
  for (const [, closing, name = '', attributes = '', empty, content] of svg.matchAll(TOKEN)) {
    if (content !== undefined) {
      if (names.at(-1) === 'text') texts.push(textOf(unescaped(content), open.at(-1)!, shapes));
      continue;
    }
    if (closing === '/') {
      open.pop();
      names.pop();
      continue;
    }
    const own = attributesOf(attributes);
    const parent = open.at(-1)!;
    const inherited = INHERITED.filter((key) => parent[key] !== undefined);
    const whole = { ...Object.fromEntries(inherited.map((key) => [key, parent[key]!])), ...own };
    if (!names.includes('pattern')) shapes.push(...shapesOf(name, whole));
    if (empty === '/') continue;
    open.push(whole);
    names.push(name);
  }
  return texts;
}

function textOf(text: string, attributes: Attributes, shapes: readonly DrawnShape[]): DrawnText {
  const sizePx = Number(attributes['font-size']);
  const weight = attributes['font-weight'] === '700' ? 'bold' : 'regular';
  const width = textWidth(text, { sizePx, weight });
  const anchor = { start: 0, middle: 0.5, end: 1 }[attributes['text-anchor'] ?? 'start'] ?? 0;
  const left = Number(attributes.x) - anchor * width;
  const y = Number(attributes.y);
  const middle = { x: left + width / 2, y: y - 0.3 * sizePx };
  const backdrop = shapes.findLast(
    (shape) =>
      shape.left <= middle.x &&
      middle.x <= shape.right &&
      shape.top <= middle.y &&
      middle.y <= shape.bottom,
  );
  return {
    ...{ text, sizePx, left },
    fill: attributes.fill!,
    right: left + width,
    top: y - ASCENT * sizePx,
    bottom: y + DESCENT * sizePx,
    backdrop: backdrop!,
  };
}

function shapesOf(name: string, attributes: Attributes): readonly DrawnShape[] {
  const fill = attributes.fill ?? '#000000';
  if (fill === 'none' || attributes['fill-opacity'] !== undefined) return [];
  const [x, y, width, height, cx, cy, r] = ['x', 'y', 'width', 'height', 'cx', 'cy', 'r'].map(
    (key) => Number(attributes[key] ?? 0),
  ) as [number, number, number, number, number, number, number];
  if (name === 'rect') return [{ fill, left: x, right: x + width, top: y, bottom: y + height }];
  if (name === 'circle') {
    return [{ fill, left: cx - r, right: cx + r, top: cy - r, bottom: cy + r }];
  }
  if (name !== 'path') return [];
  const boxes = attributes.d!.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z/g);
  return [...boxes].map((box) => {
    const [left, top, wide, high] = box.slice(1).map(Number) as [number, number, number, number];
    return { fill, left, right: left + wide, top, bottom: top + high };
  });
}

function attributesOf(text: string): Attributes {
  return Object.fromEntries(
    [...text.matchAll(/([a-zA-Z:-]+)="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      unescaped(value!),
    ]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Pairs of texts of which one covers a part of the other. */
export function overlaps(texts: readonly DrawnText[]): readonly string[] {
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter(
        (other) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5,
      )
      .map((other) => `${one.text} | ${other.text}`),
  );
}

/** Contrast of two colours by WCAG 2: (L1 + 0.05) / (L2 + 0.05). */
export function contrast(first: string, second: string): number {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
