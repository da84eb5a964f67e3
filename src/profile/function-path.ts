import { mangledPath } from './mangled-path.ts';

/**
 * Reads demangled C++ names as compilers, jeprof, ClickHouse and memprof's own name recovery write them. A name is
 *
 *     void DB::(anonymous namespace)::f<int>(long)::'lambda'(auto&&)::operator()<8>(auto&&) const [clone .cold]
 *     ~~~~                             ~~~~~ ~~~~~~                             ~~~ ~~~~~~~~~~~~~~~~~~~~~~~~~~
 *
 * of which the marked parts and the anonymous namespace tell nobody where memory went.
 */

/** Versions of jeprof's own making: symbol version and address, as in "BIO_gets@@OPENSSL_3.0.0<0000000000108b70>". */
const JEPROF_SUFFIX = /(?:@@?[\w.]+)?(?:<[0-9a-f]{16}>)?$/;
/** Copies of a function that an optimiser made. */
const CLONE_SUFFIX = /\.(?:part|isra|cold|constprop|llvm)\b.*$/;
const CLONE_MARK = / \((?:\.(?:part|isra|cold|constprop)[.\d]*|inline)\)$/;
/** Namespaces that only say which version of a standard library was built in. */
const INLINE_NAMESPACE = /\bstd::(?:__1|__cxx11|__8)::/g;
const ANONYMOUS_NAMESPACE = '(anonymous namespace)';
const NAMELESS_FUNCTION =
  /\((?:anonymous class|lambda)\b|\{+(?:lambda|closure)\b|'(?:lambda|unnamed)/y;
/** What may begin a function without a name: most brackets need no closer look. */
const MAY_BE_NAMELESS = new Set(['(a', '(l', '{l', '{c', '{{', "'l", "'u"]);
const QUALIFIER = /(?: (?:const|volatile|noexcept|&&?))+(?=::)/y;
const NAME_FOLLOWS =
  / (?:(?:const|volatile)[*&]* )?(?!const|volatile|noexcept|requires|restrict)[\w~][^ (<:]*(?:[(<]|::)/y;
const OPERATOR = /(?:^|[^\w$])operator(?!\w)/;
const OPERATOR_SYMBOL =
  /(?:\(\)|\[\]|<=>|<<=|>>=|->\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|->|[-+*/%^&|]=|""\s*\w+|[-+*/%^&|~!=<>,])/y;
const SPECIAL = /[ <([{']/g;

const QUOTE = 0x27;
const MINUS = 0x2d;
const GREATER = 0x3e;
const LAST_BRACKET = 0x7d;
/** What ends a bracket, by the bracket's code; 0 for what opens none. */
const CLOSING = new Uint8Array(LAST_BRACKET + 1);
for (const [opening, closing] of ['<>', '()', '[]', '{}']) {
  CLOSING[(opening as string).charCodeAt(0)] = (closing as string).charCodeAt(0);
}
const IS_SPECIAL = new Uint8Array(LAST_BRACKET + 1);
for (const special of "<>()[]{}'") IS_SPECIAL[special.charCodeAt(0)] = 1;
/** How many closing brackets of each kind are awaited, all 0 between calls; kept only to make none for each. */
const awaited = new Uint32Array(LAST_BRACKET + 1);

/**
 * The qualified name of a function: without return type, argument lists, template bodies, anonymous namespaces, ABI
 * tags and marks of clones. `templateMark` stands where a template body was. Names that are not C++ come back as
 * they are.
 */
export function functionPath(name: string, templateMark = ''): string {
  const mangled = name.startsWith('_') ? mangledPath(name, templateMark) : undefined;
  if (mangled !== undefined) return mangled.replace(INLINE_NAMESPACE, 'std::');
  const bare = withoutSuffixes(name);
  if (!/::|[(<]/.test(bare) || bare[0] === '[' || bare[0] === '<') return bare;
  const path = new PathReader(bare, templateMark).read();
  if (path === '') return bare;
  return path.includes('std::') ? path.replace(INLINE_NAMESPACE, 'std::') : path;
}

function withoutSuffixes(name: string): string {
  let bare = name.startsWith('clickhouse#') ? name.slice('clickhouse#'.length) : name;
  // Few names have any of these, and looking for one character is far cheaper than for a pattern at the end.
  if (bare.endsWith('>') || bare.includes('@')) bare = bare.replace(JEPROF_SUFFIX, '');
  if (bare.endsWith(')') && bare.includes(' (')) bare = bare.replace(CLONE_MARK, '');
  return bare.includes('.') ? bare.replace(CLONE_SUFFIX, '') : bare;
}

/** One pass over a name. What it has so far is thrown away when it turns out to be a return type. */
class PathReader {
  readonly #name: string;
  readonly #templateMark: string;
  #at = 0;
  #path = '';
  /** The piece of the path that was added last: to look at the path's end would put all of it together. */
  #lastPiece = '';
  #hasArguments = false;

  constructor(name: string, templateMark: string) {
    this.#name = name;
    this.#templateMark = templateMark;
  }

  read(): string {
    while (this.#at < this.#name.length) {
      SPECIAL.lastIndex = this.#at;
      const special = SPECIAL.test(this.#name) ? SPECIAL.lastIndex - 1 : this.#name.length;
      if (special > this.#at) this.#takePlain(special);
      else if (!this.#takeSpecial(this.#name[this.#at] as string)) break;
    }
    return this.#path;
  }

  #add(piece: string): void {
    this.#path += piece;
    this.#lastPiece = piece;
  }

  /** Text up to the next special character, or up to and with an operator in it. */
  #takePlain(end: number): void {
    const text = this.#name.slice(this.#at, end);
    const operator = text.includes('operator') ? OPERATOR.exec(text) : null;
    if (operator === null) {
      this.#add(text);
      this.#at = end;
      return;
    }
    const keywordEnd = operator.index + operator[0].length;
    this.#add(text.slice(0, keywordEnd));
    this.#at += keywordEnd;
    this.#takeOperatorName();
  }

  /** What follows the word "operator": a symbol, "new", or the type that it converts to. */
  #takeOperatorName(): void {
    OPERATOR_SYMBOL.lastIndex = this.#at;
    const symbol = OPERATOR_SYMBOL.exec(this.#name)?.[0];
    if (symbol !== undefined) {
      this.#add(symbol);
      this.#at += symbol.length;
      if (this.#name.startsWith(' <', this.#at)) this.#at += 1;
      return;
    }
    while (this.#at < this.#name.length && this.#name[this.#at] !== '(') {
      if (this.#name[this.#at] === '<') this.#skipTemplate();
      else {
        this.#add(this.#name[this.#at] as string);
        this.#at += 1;
      }
    }
  }

  /** False when nothing but remarks follow. */
  #takeSpecial(character: string): boolean {
    if (this.#takeNameless()) return true;
    if (character === ' ') return this.#takeBlank();
    if (character === '<') this.#skipTemplate();
    else if (character === '(') this.#skipArguments();
    else if (character === '[') this.#takeBrackets();
    else if (character === '{') this.#at = endOfBrackets(this.#name, this.#at);
    else this.#at += 1;
    return true;
  }

  #takeNameless(): boolean {
    if (!MAY_BE_NAMELESS.has(this.#name.slice(this.#at, this.#at + 2))) return false;
    if (this.#name.startsWith(ANONYMOUS_NAMESPACE, this.#at)) {
      this.#at += ANONYMOUS_NAMESPACE.length;
      if (this.#name.startsWith('::', this.#at)) this.#at += 2;
      return true;
    }
    const nameless = matchAt(NAMELESS_FUNCTION, this.#name, this.#at);
    if (nameless === undefined) return false;
    this.#add(nameless.includes('closure') ? 'closure' : 'lambda');
    this.#at = nameless.startsWith("'")
      ? endOfQuotes(this.#name, this.#at)
      : endOfBrackets(this.#name, this.#at);
    return true;
  }

  #takeBlank(): boolean {
    const qualifier = this.#hasArguments ? matchAt(QUALIFIER, this.#name, this.#at) : undefined;
    if (qualifier !== undefined) {
      this.#at += qualifier.length;
      return true;
    }
    // What has arguments is a return type all the same, where the type is one in a function.
    if (this.#hasArguments && matchAt(NAME_FOLLOWS, this.#name, this.#at) === undefined)
      return false;
    this.#hasArguments = false;
    this.#at += 1;
    const next = this.#name[this.#at];
    const isRemark = next === '[' || next === '<' || this.#name.startsWith('(shared by', this.#at);
    if (!isRemark) [this.#path, this.#lastPiece] = ['', ''];
    return true;
  }

  #skipTemplate(): void {
    this.#at = endOfBrackets(this.#name, this.#at);
    const isMarked = this.#templateMark === '' || this.#lastPiece === this.#templateMark;
    if (!isMarked) this.#add(this.#templateMark);
  }

  #skipArguments(): void {
    this.#at = endOfBrackets(this.#name, this.#at);
    const isReturnType = this.#path === 'decltype' || this.#path === '';
    this.#hasArguments ||= !isReturnType;
  }

  /** A slot of a virtual table, "[virtual #3]", is all the name there is; tags and remarks are dropped. */
  #takeBrackets(): void {
    const end = endOfBrackets(this.#name, this.#at);
    if (this.#lastPiece.endsWith('::')) this.#add(this.#name.slice(this.#at, end));
    this.#at = end;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Where the text after a balanced pair of brackets starts; the end of a name that was cut off inside of one. */
function endOfBrackets(name: string, start: number): number {
  const open: number[] = [];
  for (let at = start; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code > LAST_BRACKET || (IS_SPECIAL[code] as number) === 0) continue;
    const closing = CLOSING[code] as number;
    if (closing !== 0) {
      open.push(closing);
      awaited[closing] = (awaited[closing] as number) + 1;
    } else if (code === QUOTE) at = isCharacterLiteral(name, at) ? name.indexOf("'", at + 2) : at;
    else if (closes(code, open, name.charCodeAt(at - 1))) {
      closeUpTo(code, open);
      if (open.length === 0) return at + 1;
    }
  }
  // Otherwise nothing is awaited any more.
  awaited.fill(0);
  return name.length;
}

/** Whether a closing bracket ends an open one: not the > of an arrow, nor that of a comparison in parentheses. */
function closes(code: number, open: readonly number[], before: number): boolean {
  if (code === GREATER) return before !== MINUS && open.at(-1) === GREATER;
  return (awaited[code] as number) > 0;
}

/** Ends the bracket and those opened in it, which were never closed. */
function closeUpTo(code: number, open: number[]): void {
  for (;;) {
    const closing = open.pop();
    if (closing === undefined) return;
    awaited[closing] = (awaited[closing] as number) - 1;
    if (closing === code) return;
  }
}

/** 'x' or '\'', as a template argument; not the quotes of 'lambda'. */
function isCharacterLiteral(name: string, at: number): boolean {
  return name[at + 2] === "'" || (name[at + 1] === '\\' && name[at + 3] === "'");
}

function endOfQuotes(name: string, start: number): number {
  const end = name.indexOf("'", start + 1);
  return end < 0 ? name.length : end + 1;
}
