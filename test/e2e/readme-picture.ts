/** `npm run readme:picture`: the picture of the README, out of the real demo. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClosers } from '../../src/local/closers.ts';
import { startDemo } from '../../src/local/demo.ts';
import { startBrowser } from '../support/browser.ts';

const OUT = join(
  dirname(createRequire(import.meta.url).resolve('#package')),
  'test/golden/readme/thread.png',
);

await using closers = createClosers();
const dataDir = await mkdtemp(join(tmpdir(), 'memprof-readme-'));
closers.add(() => rm(dataDir, { recursive: true, force: true }));
const signal = new AbortController().signal;
const { workspace, queries } = await startDemo({ dataDir, signal, tell: console.log }, closers);
const browser = await startBrowser();
closers.add(() => browser[Symbol.asyncDispose]());

// The join is the one with most to see: three subsystems and a second peak.
const query = queries[1];
const page = await browser.newPage({ viewport: { width: 1020, height: 1600 } });
await page.goto(workspace.origin);
await page.locator('.messages').waitFor();
const guide = page.locator('.guide');
if (await guide.isVisible()) await page.locator('.guide-button').click();
await page.locator('.channel textarea[data-composer]').fill(`/memprof peak ${query?.queryId}`);
await page.keyboard.press('Enter');
const message = page.locator('.channel .message').last();
await message.locator('.block.image').nth(1).waitFor({ timeout: 60_000 });
await message.locator('.thread-summary').waitFor();
await page.mouse.move(0, 0);
// Pictures come as they are scrolled to.
for (const picture of await message.locator('img').all()) await picture.scrollIntoViewIfNeeded();
await page.setViewportSize({ width: 1020, height: 2200 });
await page.waitForTimeout(1000);
await mkdir(dirname(OUT), { recursive: true });
await message.screenshot({ path: OUT });
console.log(OUT);
