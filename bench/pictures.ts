/**
 * `npm run pictures [-- NAME …]`: pictures for the README, of the built page in the tests' Chromium while it trains on
 * the CPU. A world's picture shows one policy (one seed) with the world-model loss, near the end of its training, in the
 * first episode that succeeds and shows what the picture is for. `card` is what links to the lab show elsewhere. All take a quarter
 * of an hour on two cores.
 */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import process from 'node:process';
import type { Browser, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { startChromium } from '../test/support/chromium';
import { chooseBackend } from '../test/support/page';
import { serveFolder } from '../test/support/staticServer';
import { CARD_SIZE, PAGE_CARD, pageCard, withSource } from './pageCard';
import { takeStates } from './statePictures';

interface Picture {
  readonly link: string;
  /** Number of updates before the picture is taken. */
  readonly trained: number;
  /** Text that an episode has to show. */
  readonly shows?: RegExp;
}

const WORLDS: Readonly<Record<string, Picture>> = {
  // At most six moves: the straight way.
  gridworld: { link: 'preset=gridworld', trained: 280, shows: /bos.{4}([←↑→↓]..){4,6}(?![←↑→↓])/ },
  calculator: { link: 'preset=calculator-without-tool', trained: 380, shows: /the tool is down/ },
  shop: { link: 'preset=shop', trained: 280 },
  // Begins as an imitator. The episode reads a file before it deletes or keeps it.
  terminal: {
    link: 'preset=terminal&arms.world-model.warmStart=actions-and-observations&warmStart.updates=200',
    trained: 40,
    shows: /home\$ (cat|grep)(?!.*(warning|error)).*home\$ rm .*exit/,
  },
};
const LAB: Picture = { link: 'preset=gridworld-small', trained: 210 };

/** Most updates that are searched for such an episode. */
const PATIENCE = 60;
const LARGEST = 150_000;
/** Milliseconds one picture may take. */
const TIMEOUT = 30 * 60_000;

const updateOf = (page: Page): Promise<number> =>
  page.getByTestId('status').evaluate((status) => Number(status.getAttribute('data-update')));

async function train(page: Page, link: string, updates: number): Promise<void> {
  await page.goto(link);
  await chooseBackend(page, 'cpu');
  await page.getByTestId('run-first').click();
  await page.waitForFunction(
    (least) => Number(document.querySelector('[data-testid=status]')?.getAttribute('data-update')) >= least,
    updates,
    { timeout: TIMEOUT, polling: 100 },
  );
}

/** Steps until the newest episode succeeds and shows what it should. Throws after PATIENCE updates. */
async function findEpisode(page: Page, world: Locator, shows: RegExp): Promise<void> {
  await page.getByTestId('pause').click();
  for (let tries = 0; tries < PATIENCE; tries++) {
    await page.locator('[data-testid=status][data-phase=paused]').waitFor();
    const update = await updateOf(page);
    await page.getByTestId('step').click();
    await page.getByText(`Episodes, update ${update}`, { exact: true }).waitFor();
    const text = (await world.textContent()) ?? '';
    if (/success/.test(text) && shows.test(text)) return;
  }
  throw new Error(`None of ${PATIENCE} episodes succeeded and showed ${shows}.`);
}

async function takeWorld(browser: Browser, site: string, name: string, picture: Picture): Promise<string> {
  const path = `docs/worlds/${name}.png`;
  const { link, trained, shows = /./ } = picture;
  const viewport = { width: 1440, height: 900 };
  // With reduced motion episodes are shown as they ended.
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  const page = await context.newPage();
  await train(page, `${site}#${link}&arms=world-model&seeds=1&updates=${trained + PATIENCE}`, trained);
  const world = page.locator('.world');
  await findEpisode(page, world, shows);
  await page.addStyleTag({ content: '.world { width: 400px; padding: 8px; } .strip-tokens ~ * { display: none; }' });
  await world.screenshot({ path });
  await context.close();
  return path;
}

async function takeLab(browser: Browser, site: string): Promise<string> {
  const path = 'docs/lab.png';
  const context = await browser.newContext({ viewport: { width: 1440, height: 860 } });
  const page = await context.newPage();
  await train(page, `${site}#${LAB.link}`, LAB.trained);
  // Waits for the end of an episode.
  await page
    .locator('.world-outcome', { hasText: /^success/ })
    .first()
    .waitFor();
  await page.screenshot({ path });
  await context.close();
  return path;
}

async function takeCard(browser: Browser): Promise<string> {
  const svg = pageCard();
  const page = await browser.newPage({ viewport: CARD_SIZE });
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  await writeFile(PAGE_CARD, withSource(await page.screenshot(), svg));
  return PAGE_CARD;
}

async function checkSize(path: string): Promise<void> {
  const { size } = await stat(path);
  console.log(`${path}: ${size} bytes`);
  if (path !== 'docs/lab.png' && size > LARGEST) throw new Error(`${path} has more than ${LARGEST} bytes.`);
}

async function takeForReadme(browser: Browser, site: string, chosen: readonly string[]): Promise<void> {
  const isWanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
  await mkdir('docs/worlds', { recursive: true });
  for (const [name, picture] of Object.entries(WORLDS)) {
    if (isWanted(name)) await checkSize(await takeWorld(browser, site, name, picture));
  }
  if (isWanted('card')) await checkSize(await takeCard(browser));
  if (isWanted('lab')) await checkSize(await takeLab(browser, site));
}

const [first, ...others] = process.argv.slice(2);

process.env.NODE_ENV = 'production';
const folder = `.cache/pictures-${process.pid}`;
await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
const server = await serveFolder(folder, '/unmask/');
const browser = await startChromium();
try {
  if (first === 'states') await takeStates(browser, server.url, others);
  else await takeForReadme(browser, server.url, process.argv.slice(2));
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
