import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClosers } from '../../src/local/closers.ts';
import { type Demo, startDemo } from '../../src/local/demo.ts';
import { startBrowser } from '../support/browser.ts';

const ANSWER_MS = 30_000;
const closers = createClosers();

let demo: Demo;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'memprof-test-demo-'));
  closers.add(() => rm(dataDir, { recursive: true, force: true }));
  const { REDIS_URL: redisUrl } = process.env;
  const signal = new AbortController().signal;
  const options = { dataDir, signal, tell: () => undefined };
  demo = await startDemo(redisUrl === undefined ? options : { ...options, redisUrl }, closers);
  const started = await startBrowser();
  closers.add(() => started[Symbol.asyncDispose]());
  browser = started;
}, 120_000);
afterAll(() => closers[Symbol.asyncDispose](), 60_000);

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  faults.length = 0;
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') faults.push(line.text());
  });
  await page.goto(demo.workspace.origin);
  await page.locator('.messages').waitFor();
});
afterEach(async () => {
  await page.close();
  // Also what the policy of the page forbids is told in the console.
  expect(faults).toEqual([]);
});

const composer = () => page.locator('.channel textarea[data-composer]');
const lastMessage = () => page.locator('.channel .message').last();

async function typeCommand(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

describe('the demo in a browser', () => {
  it('answers the suggested command in the channel: root message at once, then the finding with both pictures', async () => {
    const query = demo.queries[0];
    const command = `/memprof peak ${query?.queryId}`;
    await page.locator('.suggestion', { hasText: command }).click();
    expect(await composer().inputValue()).toBe(command);
    await composer().press('Enter');
    await page.locator('.message', { hasText: `Looking into` }).waitFor();
    await lastMessage().locator('.block.image').nth(1).waitFor({ timeout: ANSWER_MS });

    const pictures = lastMessage().locator('.block.image img');
    expect(await pictures.count()).toBe(2);
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(1600);
    }
    const finding = await lastMessage().locator('.block.section b').first().textContent();
    expect(finding).toMatch(/^Query .* held about [\d.]+ MiB at its peak on local, \d+% of it in /);
    expect(await pictures.first().getAttribute('alt')).toBe(finding);
    expect(await lastMessage().locator('tbody tr').count()).toBe(5);
  }, 60_000);

  it('shows a picture large, with its words, and goes back with Escape', async () => {
    await page.locator('.block.image .picture').first().click();
    const dialog = page.locator('dialog.lightbox');
    await dialog.waitFor();
    expect(await dialog.locator('.alt').textContent()).toMatch(/held about/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps the files in the thread of the answer', async () => {
    await page.locator('.thread-summary').first().click();
    const side = page.locator('.side[aria-label=Thread]');
    await side.locator('img[alt*="2400 px"]').waitFor();
    expect(await side.locator('a.file-card').count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await side.waitFor({ state: 'detached' });
  });

  it('offers the nearest verb for a typo, and runs it only when it is pressed', async () => {
    const query = demo.queries[1];
    await typeCommand(`/memprof paek ${query?.queryId}`);
    const offered = page.locator('.ephemeral .button', { hasText: `peak ${query?.queryId}` });
    await offered.click();
    await page
      .locator('.message', { hasText: `Query ${query?.queryId} held about` })
      .locator('.block.image img')
      .first()
      .waitFor({ timeout: ANSWER_MS });
  }, 60_000);

  it('says in the thread what is wrong with an id that nobody knows, and what to do', async () => {
    await typeCommand('/memprof peak no-such-query');
    const message = page.locator('.message', { hasText: 'local knows no query no-such-query' });
    await message.waitFor({ timeout: ANSWER_MS });
    expect(await message.textContent()).toContain('Check the id');
    expect(await message.textContent()).toContain('Reference E104');
  }, 60_000);

  it('is used by keyboard alone: completion, command, form, answer', async () => {
    await composer().focus();
    await page.keyboard.type('/mem');
    await page.locator('.proposals [role=option]').first().waitFor();
    await page.keyboard.press('Enter');
    expect(await composer().inputValue()).toBe('/memprof ');
    await page.keyboard.press('Enter');
    const form = page.locator('dialog.form');
    await form.waitFor();
    await form
      .locator('input.field')
      .first()
      .fill(demo.queries[2]?.queryId ?? '');
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    await page
      .locator('.message', { hasText: `Query ${demo.queries[2]?.queryId} held about` })
      .waitFor({ timeout: ANSWER_MS });
  }, 60_000);

  it('answers in the thread when it is mentioned there', async () => {
    const { workspace, queries } = demo;
    const channel = workspace.channels.incident;
    const root = workspace.messages(channel)[0];
    workspace.mention({
      user: workspace.users.mei,
      channel,
      threadTs: root?.ts ?? '',
      text: `peak ${queries[3]?.queryId}`,
    });
    await workspace.waitFor(
      () =>
        workspace
          .thread(channel, root?.ts ?? '')
          .some(({ text }) => text.startsWith(`Query ${queries[3]?.queryId} held about`)),
      ANSWER_MS,
    );
  }, 60_000);
});
