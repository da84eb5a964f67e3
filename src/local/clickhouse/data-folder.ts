import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Failure } from '../../failure.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Bytes } from '../../units.ts';
import { usersXml } from './users.ts';
import { shadowedTables } from './views.ts';

/** Where things lie in the engine's data folder. */
export interface DataFolder {
  readonly root: string;
  readonly configFile: string;
  readonly startFile: string;
  readonly portFile: string;
  /** Named pipe that keeps the engine alive while we hold it open. */
  readonly keepPipe: string;
  /** Heap dumps: written by the engine, read and deleted by the front. */
  readonly dumpDir: string;
  /** What the view jemalloc_profile_text shows. */
  readonly publishedDir: string;
}

/** jemalloc cuts the path of a dump at 255 characters; names of dumps take some of them. */
const LONGEST_ROOT = 200;

/** The whole path of a data folder; throws `environment` for one that the engine could not be given. */
export function dataFolderPath(dataDir: string): string {
  const root = resolve(dataDir);
  if (root.length <= LONGEST_ROOT && /^[\w@%+=:./ -]+$/u.test(root)) return root;
  throw new Failure('environment', {
    what: `The embedded ClickHouse engine cannot use the folder ${root}`,
    why: `its path must have at most ${LONGEST_ROOT} characters, none of them a quote, a comma or the like`,
    fix: 'Name another folder',
  });
}

/** Writes the configuration and clears what a former run left. `root` is from `dataFolderPath`. */
export async function prepareDataFolder(
  root: string,
  limits: { readonly maxServerMemoryBytes: Bytes },
): Promise<DataFolder> {
  const folder: DataFolder = {
    root,
    configFile: join(root, 'config.xml'),
    startFile: join(root, 'start.sql'),
    portFile: join(root, 'port.txt'),
    keepPipe: join(root, 'keep.fifo'),
    dumpDir: join(root, 'dumps'),
    publishedDir: join(root, 'published'),
  };
  const metadata = join(root, 'db', 'metadata');
  await makeFolder(metadata);
  await rm(folder.dumpDir, { recursive: true, force: true });
  await mkdir(folder.dumpDir);
  await makeFolder(folder.publishedDir);
  await Promise.all([folder.portFile, folder.keepPipe].map((file) => rm(file, { force: true })));
  await keepSystemDatabase(metadata);
  await writeFile(join(root, 'users.xml'), usersXml());
  await writeFile(folder.configFile, configXml(root, limits.maxServerMemoryBytes));
  await writeFile(
    folder.startFile,
    `SYSTEM START LISTEN HTTP; SELECT getServerPort('http_port') INTO OUTFILE '${folder.portFile}' FORMAT TSV;\n`,
  );
  return folder;
}

/**
 * By default clickhouse-local's `system` lives in memory, and its log tables then clash with their own folders at
 * the second start. So `system` is made a database on disk, and our stand-ins in it are taken away before each
 * start: one that has a built-in table's name would stop the engine.
 */
async function keepSystemDatabase(metadata: string): Promise<void> {
  const declaration = join(metadata, 'system.sql');
  const isDeclared = await access(declaration).then(
    () => true,
    () => false,
  );
  if (!isDeclared) {
    await writeFile(declaration, `ATTACH DATABASE _ UUID '${randomUUID()}' ENGINE = Atomic\n`);
  }
  const tables = join(metadata, 'system');
  const files = await readdir(tables).catch(() => []);
  const ours = files.filter((file) => shadowedTables.some((table) => file === `${table}.sql`));
  await Promise.all(ours.map((file) => unlink(join(tables, file))));
}

function configXml(root: string, maxServerMemoryBytes: Bytes): string {
  const log = (name: string) =>
    `<${name}><database>system</database><table>${name}</table><flush_interval_milliseconds>500</flush_interval_milliseconds></${name}>`;
  return `<clickhouse>
  <path>${root}/db/</path>
  <users_config>${root}/users.xml</users_config>
  <display_name>embedded</display_name>
  <timezone>UTC</timezone>
  <logger><level>none</level></logger>
  <shutdown_wait_unfinished>0</shutdown_wait_unfinished>
  <max_server_memory_usage>${maxServerMemoryBytes}</max_server_memory_usage>
  ${log('query_log')}
  ${log('trace_log')}
</clickhouse>
`;
}
