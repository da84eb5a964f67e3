import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createDumpFolder } from '../src/dump-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memprof-test-dumps-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const dumpsIn = (dumpFolder?: string) =>
  createDumpFolder(
    readConfig(JSON.stringify({ targets: { a: { url: 'http://h', dumpFolder } } }), {}, 'test'),
  );

describe('createDumpFolder', () => {
  it('lists what is named as a dump, newest first', async () => {
    const names = [
      'jemalloc_clickhouse.7.0.heap',
      'jemalloc_clickhouse.7.1.heap.collapsed',
      'p.623.0.m0.heap',
      'secret.txt',
      'a.heap',
    ];
    for (const [second, name] of names.entries()) {
      await writeFile(join(folder, name), 'dump');
      await utimes(join(folder, name), 1_790_000_000 + second, 1_790_000_000 + second);
    }
    expect(await dumpsIn(folder).list('a')).toEqual([
      { name: 'p.623.0.m0.heap', bytes: 4, writtenAtMicros: 1_790_000_002_000_000 },
      {
        name: 'jemalloc_clickhouse.7.1.heap.collapsed',
        bytes: 4,
        writtenAtMicros: 1_790_000_001_000_000,
      },
      { name: 'jemalloc_clickhouse.7.0.heap', bytes: 4, writtenAtMicros: 1_790_000_000_000_000 },
    ]);
  });

  it('reads the dump of a path on the server by its name', async () => {
    await writeFile(join(folder, 'jemalloc_clickhouse.7.0.heap'), 'heap_v2/1');
    const dumps = dumpsIn(folder);
    const bytes = await dumps.read('a', '/tmp/jemalloc_clickhouse.7.0.heap');
    expect(Buffer.from(bytes!).toString()).toBe('heap_v2/1');
    expect(await dumps.read('a', '/tmp/jemalloc_clickhouse.7.1.heap')).toBeUndefined();
  });

  it('reads nothing else, whatever path a server names', async () => {
    await writeFile(join(folder, 'secret.txt'), 'secret');
    expect(await dumpsIn(folder).read('a', '/tmp/secret.txt')).toBeUndefined();
    expect(await dumpsIn(folder).read('a', '../../etc/passwd')).toBeUndefined();
  });

  it('says that the folder cannot be read', async () => {
    await expect(dumpsIn(join(folder, 'gone')).list('a')).rejects.toThrow(
      /Could not read .*gone, the dumpFolder of a.*ENOENT.*Mount the folder/,
    );
  });

  it('has nothing where none is configured', async () => {
    const dumps = dumpsIn();
    expect(dumps.isConfigured('a')).toBe(false);
    expect(await dumps.list('a')).toEqual([]);
    expect(await dumps.read('a', '/tmp/jemalloc_clickhouse.7.0.heap')).toBeUndefined();
  });
});
