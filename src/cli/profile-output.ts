import { closeSync, openSync, writeSync } from 'node:fs';
import { Failure } from '../failure.ts';
import type { DiffRequest, FlameRequest } from '../picture-request.ts';
import type { Profile } from '../profile/profile.ts';
import { writeCollapsed } from '../writers/collapsed.ts';

/** What a file can be made of: a picture as it was asked for, and the profile behind it, of which nothing is trimmed. */
export interface Exportable {
  readonly profile: Profile;
  readonly measure: 'bytes' | 'count';
  readonly request: FlameRequest | DiffRequest;
}

/** A kind of file, by the end of its name. What is needed for one kind only is loaded when it is asked for. */
interface OutputKind {
  readonly suffix: string;
  make(exported: Exportable): Promise<Uint8Array | string | Parts>;
}

/** Hands over a file part by part: what is far larger than the profile itself is never whole in memory. */
type Parts = (write: (part: Uint8Array) => void) => void;

/** THE TABLE of files that the shell writes. */
const outputKinds: readonly OutputKind[] = [
  {
    suffix: '.png',
    async make({ request }) {
      const [{ svgToPng }, { pictureSvg }] = await Promise.all([
        import('../png.ts'),
        import('../../templates/svg/picture.ts'),
      ]);
      return svgToPng(pictureSvg(request)).png;
    },
  },
  {
    suffix: '.svg',
    async make({ request }) {
      const { svgFile } = await import('../svg-file.ts');
      return svgFile(request);
    },
  },
  {
    suffix: '.collapsed',
    make:
      async ({ profile, measure }) =>
      (write) =>
        writeCollapsed(profile, write, { measure }),
  },
  {
    suffix: '.pb.gz',
    async make({ profile }) {
      const { pprofFile } = await import('../writers/pprof.ts');
      return pprofFile(profile);
    },
  },
  {
    suffix: '.speedscope.json',
    async make({ profile, request }) {
      const { speedscopeJson } = await import('../writers/speedscope.ts');
      return speedscopeJson(profile, request.text.title);
    },
  },
];

/** What `--graph` writes in place of the flame graph. */
const graphKinds: readonly OutputKind[] = [
  { suffix: '.dot', make: dotOf },
  {
    suffix: '.svg',
    make: async (exported) => (await import('../graph-file.ts')).graphSvg(await dotOf(exported)),
  },
  {
    suffix: '.png',
    make: async (exported) => (await import('../graph-file.ts')).graphPng(await dotOf(exported)),
  },
  {
    suffix: '.pdf',
    make: async (exported) => (await import('../graph-file.ts')).graphPdf(await dotOf(exported)),
  },
];

async function dotOf({ profile, measure, request }: Exportable): Promise<string> {
  const [{ callGraph }, { callGraphDot }, { trim }] = await Promise.all([
    import('../profile/call-graph.ts'),
    import('../../templates/dot/call-graph.ts'),
    import('../profile/trim.ts'),
  ]);
  const isRaw = 'raw' in request && request.raw === true;
  const tree = isRaw ? profile.tree : trim(profile.tree).tree;
  const { title, subtitle } = request.text;
  return callGraphDot(callGraph(tree, { measure }), { title, subtitle, measure });
}

/** All kinds as a sentence lists them. */
export const outputSuffixes = suffixesOf(outputKinds);
export const graphSuffixes = suffixesOf(graphKinds);

function suffixesOf(kinds: readonly OutputKind[]): string {
  const suffixes = kinds.map(({ suffix }) => suffix);
  return `${suffixes.slice(0, -1).join(', ')} or ${suffixes.at(-1)}`;
}

/** How a file of this name is written. Throws `usage` for a name that is none of the kinds, before any work is done. */
export function outputTo(
  path: string,
  what: 'profile' | 'graph' = 'profile',
): (exported: Exportable) => Promise<void> {
  const kinds = what === 'graph' ? graphKinds : outputKinds;
  const kind = kinds.find(({ suffix }) => path.toLowerCase().endsWith(suffix));
  if (kind === undefined) {
    throw new Failure('usage', {
      what: `The end of ${path} does not tell what to write`,
      fix: `Let it end in ${suffixesOf(kinds)}`,
    });
  }
  return async (exported) => {
    const content = await kind.make(exported);
    try {
      writeFile(path, typeof content === 'function' ? content : (write) => write(bytesOf(content)));
    } catch (cause) {
      if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
      throw new Failure('usage', {
        what: `Could not write ${path}`,
        why: cause.message,
        fix: 'Name a file in a folder that is there and may be written to',
        cause,
      });
    }
  };
}

function bytesOf(content: Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

function writeFile(path: string, parts: Parts): void {
  const file = openSync(path, 'w');
  try {
    parts((part) => {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    });
  } finally {
    closeSync(file);
  }
}
