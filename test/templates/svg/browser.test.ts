import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram, chromium as program } from '../../../src/local/programs.ts';
import { svgFile } from '../../../src/svg-file.ts';
import { pictureSvg } from '../../../templates/svg/picture.ts';
import { curve, diff, flame, hostileNames, pictures } from '../../support/pictures.ts';
import { profileOf } from '../../support/profile-of.ts';
import { drawnTexts } from '../../support/svg-shapes.ts';

let browser: Browser;
let folder: string;

beforeAll(async () => {
  const executablePath = (await findProgram(program)) ?? '';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  folder = await mkdtemp(join(tmpdir(), 'memprof-svg-'));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a picture as people do: from the disk. */
async function open(svg: string): Promise<{ page: Page; faults: string[] }> {
  const file = join(folder, 'picture.svg');
  await writeFile(file, svg);
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) faults.push(`asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, faults };
}

const box = (page: Page, name: string) => page.locator(`.box[data-name="${name}"]`);
const widthOf = async (page: Page, name: string) =>
  Number(await box(page, name).locator('rect').getAttribute('width'));

describe('a flame graph in a browser', () => {
  it('zooms into the box that is clicked, and back with Escape', async () => {
    const { page, faults } = await open(svgFile(flame));
    const before = await widthOf(page, 'Arena::addMemoryChunk');
    await box(page, 'Arena::addMemoryChunk').click();
    expect(await widthOf(page, 'Arena::addMemoryChunk')).toBeGreaterThan(before * 1.9);
    expect(await box(page, 'aggregation').getAttribute('class')).toContain('above');
    await expect(box(page, 'HashJoin::addBlockToJoin').isVisible()).resolves.toBe(false);
    await page.keyboard.press('Escape');
    expect(await widthOf(page, 'Arena::addMemoryChunk')).toBeCloseTo(before, 1);
    await expect(box(page, 'HashJoin::addBlockToJoin').isVisible()).resolves.toBe(true);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('searches, counting what boxes cover together once', async () => {
    const { page } = await open(svgFile(flame));
    await page.keyboard.press('/');
    await page.keyboard.type('AGGREGAT');
    const hits = await page.locator('.box.hit').count();
    expect(hits).toBeGreaterThan(3);
    await expect(page.locator('#search output').textContent()).resolves.toBe(`${hits} · 74%`);
    await page.locator('#search button').click();
    expect(await page.locator('.box.hit').count()).toBe(0);
    await page.close();
  });

  it('tells the whole name and the exact amount of the box below the pointer', async () => {
    const { page } = await open(svgFile(flame));
    await box(page, 'Arena::addMemoryChunk').hover();
    const words = await page.locator('#tip div').textContent();
    expect(words).toBe('DB::Arena::addMemoryChunk(unsigned long)\n910.00 MiB, 48% of all');
    await page.close();
  });

  it('labels boxes as far as they have room, when zoomed as well', async () => {
    const { page } = await open(svgFile(flame));
    await box(page, 'HashTable<…>::resize').click();
    const tooWide = await page.locator('.box').evaluateAll((groups) =>
      groups
        .filter((group) => {
          const [text, rect] = [group.querySelector('text'), group.querySelector('rect')];
          if (text === null || rect === null || group.getAttribute('display') === 'none')
            return false;
          return text.getBoundingClientRect().width > rect.getBoundingClientRect().width;
        })
        .map((group) => group.textContent),
    );
    expect(tooWide).toEqual([]);
    await page.close();
  });

  it('shows the numbers of the picture for the chat', async () => {
    const { page } = await open(svgFile(flame));
    const inChat = drawnTexts(pictureSvg(flame)).map(({ text }) => text);
    const inBrowser = await page.locator('svg > g text, svg > text').allTextContents();
    for (const words of ['910.00 MiB', '402.00 MiB', '1.36 GiB']) {
      expect(inChat).toContain(words);
      expect(inBrowser).toContain(words);
    }
    const shares = await page
      .locator('.box')
      .evaluateAll((groups) =>
        groups.map(
          (group) => `${group.getAttribute('data-name')} ${group.getAttribute('data-amounts')}`,
        ),
      );
    for (const name of ['aggregation 74%', 'sort 14%', 'Arena::addMemoryChunk 48%']) {
      expect(shares).toContain(name);
    }
    await page.close();
  });

  it('runs nothing of what names say, and stays a document', async () => {
    const profile = profileOf(
      Object.fromEntries(hostileNames.map((name) => [`m;${name.replaceAll(';', ',')}`, 9])),
    );
    const text = {
      title: hostileNames.join(' '),
      subtitle: hostileNames[1]!,
      footer: hostileNames,
    };
    const { page, faults } = await open(svgFile({ ...flame, profile, text }));
    await page.locator('.box').nth(2).hover();
    await page.locator('#search input').fill('alert(1)');
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('parsererror').count()).toBe(0);
    expect(await page.locator('[onload], [onmouseover]').count()).toBe(0);
    expect(await page.locator('.box').count()).toBeGreaterThan(hostileNames.length);
    expect(faults).toEqual([]);
    await page.close();
  });

  it.each(['diff', 'waste', 'curve', 'ledger', 'flame-empty'])(
    'opens "%s" without a fault',
    async (name) => {
      const { page, faults } = await open(svgFile(pictures[name]!));
      expect(await page.locator('svg text').count()).toBeGreaterThan(5);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it('uses the bundled font', async () => {
    const { page } = await open(svgFile(curve));
    await page.evaluate('document.fonts.ready');
    const loaded = await page.evaluate('[...document.fonts].map((font) => font.status)');
    expect(loaded).toEqual(['loaded', 'loaded']);
    await page.close();
  });

  it('says of a difference how much there was and is', async () => {
    const { page } = await open(svgFile(diff));
    await box(page, 'Arena::addMemoryChunk').hover();
    await expect(page.locator('#tip div').textContent()).resolves.toContain(
      '910.00 MiB → 1.69 GiB: +819.00 MiB (×1.9)',
    );
    await page.close();
  });
});
