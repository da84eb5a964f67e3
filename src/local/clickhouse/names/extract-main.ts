/**
 * `npm run engine:names`: recovers the function names of the installed library and writes the data file that
 * `function-names.ts` reads. Needed once for each build of the library.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { startEngine } from '../engine.ts';
import { engineLibraryPath } from '../library.ts';
import { readElf } from './elf.ts';
import { nameFunctions } from './name-of.ts';
import { recoverNames } from './recovered-names.ts';

const elf = readElf(engineLibraryPath());
const recovered = recoverNames(elf);
const classes = [
  ...new Set([...recovered.virtuals.values()].flat().map(({ mangledClass }) => mangledClass)),
];
const demangled = await demangleAll(classes);
const names = nameFunctions(recovered, (mangled) => demangled.get(mangled) ?? mangled);
const text = [...names]
  .sort(([a], [b]) => a - b)
  .map(([start, name]) => `${start.toString(16)}\t${name}\n`)
  .join('');
const file = new URL(
  `../../../../../src/local/clickhouse/names/data/${elf.buildId}.tsv.br`,
  import.meta.url,
);
const packed = brotliCompressSync(text, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
await writeFile(file, packed);
process.stdout.write(
  `${names.size} functions of ${recovered.virtuals.size} virtual, ${recovered.signatures.size} with a signature, ${recovered.sources.size} with a source file\n${file.pathname}: ${packed.length} bytes\n`,
);

/** The engine demangles its own names. */
async function demangleAll(mangled: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'memprof-names-'));
  const engine = await startEngine({ dataDir });
  try {
    const found = new Map<string, string>();
    for (let at = 0; at < mangled.length; at += 500) {
      const part = mangled.slice(at, at + 500);
      const list = part.map((name) => `'_ZTI${name.replace(/['\\]/g, '\\$&')}'`).join(',');
      const [row] = await engine.client.rows<{ names: string[] }>(
        `SELECT arrayMap(name -> demangle(name), [${list}]) AS names SETTINGS allow_introspection_functions = 1`,
      );
      for (const [index, name] of part.entries()) {
        found.set(name, (row?.names[index] ?? name).replace(/^typeinfo for /, ''));
      }
    }
    return found;
  } finally {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
