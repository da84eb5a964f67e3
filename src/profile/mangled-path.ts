/**
 * Reads mangled C++ names, which servers leave as they are where their own demangler fails, as far as they tell which
 * function it is: namespaces, classes, the function. Types are passed over unread, so that no name grows: written
 * out, a name of 250 letters can take gigabytes.
 * Source: Itanium C++ ABI, "5.1 External Names (a.k.a. Mangling)".
 */

const MANGLED = /^_?_Z(?:Th(?:n?\d+)_|Tv(?:n?\d+)_(?:n?\d+)_)?/;
const ANONYMOUS_NAMESPACE = '_GLOBAL__N_1';
const LONGEST: number = 1 << 14;
/** Functions in functions, each with a name of its own. */
const DEEPEST = 16;

const OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ nw: ' new', na: ' new[]', dl: ' delete', da: ' delete[]', cl: '()', ix: '[]', pt: '->' },
    ...{ aS: '=', pL: '+=', mI: '-=', eq: '==', ne: '!=', lt: '<', gt: '>', le: '<=', ge: '>=' },
    ...{
      pl: '+',
      mi: '-',
      ml: '*',
      dv: '/',
      rm: '%',
      de: '*',
      ad: '&',
      nt: '!',
      co: '~',
      ss: '<=>',
    },
    ...{ dV: '/=', mL: '*=', rM: '%=', aN: '&=', oR: '|=', eO: '^=', lS: '<<=', rS: '>>=' },
    ...{ pp: '++', mm: '--', ls: '<<', rs: '>>', aa: '&&', oo: '||', an: '&', or: '|', eo: '^' },
  }),
);
/** What an E ends: names, arguments, packs, types of functions, lambdas, names in functions, values of named types. */
const OPENING = /[NIJF]|Ul|ZL?|L(?=[NS\d])/y;
/** What stands for itself: values, types built in or named before, parameters, operators, pointers and the like. */
const TYPE_WORD =
  /L(?:[a-z]|Dn)n?[0-9a-f]*E|S(?:[tabsiod]|[0-9A-Z]*_)|T[0-9A-Z]*_|[CD]\d|D[a-hn-su]|A\d*_|[a-z][LINSRMVO](?=E)|[a-z]|[VKPROCGMB]|(?<=E)\d*_/y;
const STANDARD: ReadonlyMap<string, readonly string[]> = new Map([
  ['St', ['std']],
  ['Sa', ['std', 'allocator']],
  ['Sb', ['std', 'basic_string']],
  ['Ss', ['std', 'string']],
]);

/** The qualified name of a function; undefined for what is not mangled, or in a way that is not known here. */
export function mangledPath(name: string, templateMark: string): string | undefined {
  const start = MANGLED.exec(name)?.[0].length;
  if (start === undefined || name.length > LONGEST) return undefined;
  const reader = new MangledReader(name, start, templateMark);
  const path = reader.readName(0)?.join('::');
  return path === '' ? undefined : path;
}

/** Parts of a name, outermost first. */
type Parts = string[];

class MangledReader {
  readonly #text: string;
  readonly #templateMark: string;
  #at: number;

  constructor(text: string, start: number, templateMark: string) {
    this.#text = text;
    this.#at = start;
    this.#templateMark = templateMark;
  }

  readName(depth: number): Parts | undefined {
    if (depth > DEEPEST) return undefined;
    if (this.#take('Z')) return this.#readLocal(depth);
    return this.#take('N') ? this.#readNested() : this.#readSingle();
  }

  /** What is in a function: that function with its types and an E, then the name in it. */
  #readLocal(depth: number): Parts | undefined {
    const outer = this.readName(depth + 1);
    if (outer === undefined || !this.#skipToEnd()) return undefined;
    if (this.#take('s')) return outer;
    this.#match(/d\d*_/y);
    const inner = this.readName(depth + 1);
    return inner && [...outer, ...inner];
  }

  #readNested(): Parts | undefined {
    this.#match(/[rVKRO]*/y);
    const parts: Parts = [];
    while (!this.#take('E')) if (!this.#readPart(parts)) return undefined;
    return parts;
  }

  /** A name in no namespace but perhaps std; types may follow, which look like further parts. */
  #readSingle(): Parts | undefined {
    const parts: Parts = [];
    if (this.#take2('St')) parts.push('std');
    if (!this.#readPart(parts)) return undefined;
    while (/[BI]/.test(this.#text.charAt(this.#at))) if (!this.#readPart(parts)) return undefined;
    return parts;
  }

  /** Adds one part, or what belongs to the last one. False for what is not known here. */
  #readPart(parts: Parts): boolean {
    this.#take('L');
    const source = this.#readSource();
    if (source !== undefined) {
      if (source !== ANONYMOUS_NAMESPACE) parts.push(source);
      return source !== '';
    }
    const two = this.#text.slice(this.#at, this.#at + 2);
    const known =
      STANDARD.get(two) ?? (parts.length === 0 ? undefined : this.#structorOf(two, parts));
    const operator = OPERATORS.get(two);
    if (known !== undefined) parts.push(...known);
    else if (operator !== undefined) parts.push(`operator${operator}`);
    else return this.#readUncommonPart(parts);
    this.#at += 2;
    return true;
  }

  /** A constructor (C1 and others) or destructor (D0 and others) of what it stands in. */
  #structorOf(two: string, parts: Parts): Parts | undefined {
    const kind = /^[CD]\d$/.test(two) ? two.charAt(0) : undefined;
    const name = parts.findLast((part) => part !== this.#templateMark);
    if (kind === undefined || name === undefined) return undefined;
    const own = name.endsWith(this.#templateMark)
      ? name.slice(0, name.length - this.#templateMark.length)
      : name;
    return [kind === 'C' ? own : `~${own}`];
  }

  #readUncommonPart(parts: Parts): boolean {
    const last = parts.length - 1;
    if (this.#take('B')) return this.#readSource() !== undefined;
    if (this.#take('I')) {
      if (last >= 0) parts[last] += this.#templateMark;
      return last >= 0 && this.#skipToEnd();
    }
    if (this.#take2('Ul')) {
      parts.push('lambda');
      return this.#skipToEnd() && this.#match(/\d*_/y) !== null;
    }
    return false;
  }

  /** A length and a name of that length. */
  #readSource(): string | undefined {
    const digits = this.#match(/\d{1,5}/y)?.[0];
    if (digits === undefined) return undefined;
    const name = this.#text.slice(this.#at, this.#at + Number(digits));
    this.#at += Number(digits);
    return name;
  }

  /** Passes over types, values and the E that ends them. False where what stands there is not known here. */
  #skipToEnd(): boolean {
    const open = [''];
    while (open.length > 0) {
      const opening = this.#match(OPENING)?.[0];
      if (opening !== undefined) open.push(opening);
      else if (this.#take('E')) open.pop();
      else if (!this.#skipWord()) return false;
      // A value of a named type: its number stands behind the type.
      if (opening === undefined && open.at(-1) === 'L') this.#match(/n?\d+/y);
    }
    return true;
  }

  #skipWord(): boolean {
    return this.#match(TYPE_WORD) !== null || this.#readSource() !== undefined;
  }

  #take(letter: string): boolean {
    const isThere = this.#text[this.#at] === letter;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #take2(letters: string): boolean {
    const isThere = this.#text.startsWith(letters, this.#at);
    if (isThere) this.#at += 2;
    return isThere;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }
}
