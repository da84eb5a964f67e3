/**
 * `npm test`: makes sure that what the tests drive is there (Redis, a browser), runs them all, and closes with
 * one line that people and CI read: "N passed, N failed". Arguments go to vitest: `npm test -- test/queue`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Failure } from '../src/failure.ts';
import { chromium, redisServer, requireProgram } from '../src/local/programs.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const folder = await mkdtemp(join(tmpdir(), 'memprof-test-'));
try {
  const tell = (line: string) => console.log(line);
  if (process.env.REDIS_URL === undefined) await requireProgram(redisServer, tell);
  await requireProgram(chromium, tell);
  const exitCode = await vitest(join(folder, 'report.json'));
  const { passed, failed, failures } = await counts(join(folder, 'report.json'));
  // Again at the end, where a reader of a long log looks first.
  for (const failure of failures) console.log(`failed: ${failure}`);
  // A run that broke before it could report is a failure too.
  console.log(`${passed} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`);
  process.exitCode = exitCode;
} catch (thrown) {
  if (!(thrown instanceof Failure)) throw thrown;
  console.error(`${thrown.message}\n${thrown.paste ?? ''}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function vitest(reportFile: string): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--config', '.vitest.config.ts', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${reportFile}`,
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

async function counts(
  reportFile: string,
): Promise<{ passed: number; failed: number; failures: readonly string[] }> {
  const report = JSON.parse(await readFile(reportFile, 'utf8')) as VitestReport;
  const failedFiles = report.testResults.filter(({ status }) => status === 'failed');
  // A file that does not load has no tests that could fail; it counts as one.
  const unloaded = failedFiles.filter(({ assertionResults }) => assertionResults.length === 0);
  const failures = failedFiles.flatMap(({ name, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    const file = relative('', name);
    return tests.length === 0
      ? [`${file} (did not load)`]
      : tests.map(({ fullName }) => `${file}: ${fullName}`);
  });
  const failed = report.numFailedTests + unloaded.length;
  return { passed: report.numPassedTests, failed, failures };
}
