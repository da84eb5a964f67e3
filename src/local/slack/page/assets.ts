import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { nameToEmoji } from 'gemoji';
import type { Answer } from '../api/serve.ts';

/** Packages whose browser modules the page imports, each with the module that its bare name means. */
const PACKAGES: Readonly<Record<string, string>> = {
  'lit-html': 'lit-html.js',
  'slack-message-parser': 'esm/mod.js',
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageAssets {
  /** The document, with its policy. */
  document(): Promise<Answer>;
  /** A file of the page or of a package; undefined when there is none. */
  file(pathname: string): Promise<Answer | undefined>;
}

/** What the browser loads: plain files of `templates/page` and of node_modules, nothing built, nothing from elsewhere. */
export function createPageAssets(): PageAssets {
  const pageFolder = new URL('.', import.meta.resolve('#templates/page/index.html'));
  const folders = new Map(Object.keys(PACKAGES).map((name) => [name, folderOf(name)]));

  return {
    async document() {
      const html = await readFile(new URL('index.html', pageFolder), 'utf8');
      const importMap = JSON.stringify({ imports: importsOf() });
      return {
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy(importMap),
        },
        body: html.replace('{ "imports": {} }', importMap),
      };
    },
    async file(pathname) {
      if (pathname === '/page/emoji.json') return json(nameToEmoji);
      const [, kind, ...rest] = pathname.split('/');
      if (rest.some((part) => part === '..' || part === '')) return undefined;
      if (kind === 'assets') return serve(new URL(rest.join('/'), pageFolder));
      const folder = kind === 'modules' ? folders.get(rest[0] ?? '') : undefined;
      return folder === undefined ? undefined : serve(new URL(rest.slice(1).join('/'), folder));
    },
  };
}

function importsOf(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(PACKAGES).flatMap(([name, main]) => [
      [name, `/modules/${name}/${main}`],
      [`${name}/`, `/modules/${name}/`],
    ]),
  );
}

/** Only our own files run, and nothing but lit-html writes markup. */
function policy(importMap: string): string {
  const hash = createHash('sha256').update(importMap).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
}

/** The folder of an installed package, wherever npm put it. */
function folderOf(name: string): URL {
  const main = createRequire(import.meta.url).resolve(name);
  const end = main.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length;
  return new URL(`file://${main.slice(0, end)}`);
}

async function serve(url: URL): Promise<Answer | undefined> {
  const contentType = CONTENT_TYPES[extname(url.pathname)];
  if (contentType === undefined) return undefined;
  try {
    const body = await readFile(url, 'utf8');
    return { status: 200, headers: { 'content-type': contentType }, body };
  } catch {
    return undefined;
  }
}

function json(body: object): Answer {
  return { status: 200, headers: { 'cache-control': 'max-age=86400' }, body };
}
