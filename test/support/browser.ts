import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium as driver } from 'playwright-core';
import { chromium, requireProgram } from '../../src/local/programs.ts';

/** A headless Chromium with a temporary folder of its own, gone afterwards. */
export async function startBrowser(): Promise<Browser & AsyncDisposable> {
  const executablePath = await requireProgram(chromium, console.log);
  const folder = await mkdtemp(join(tmpdir(), 'memprof-test-browser-'));
  const browser = await driver.launch({
    executablePath,
    // Root has no sandbox of its own; only pages of this test are opened.
    args: ['--no-sandbox'],
    env: { ...process.env, TMPDIR: folder },
  });
  return Object.assign(browser, {
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
