/**
 * What the built page of a release keeps in its browser and gives away: a run that came to its end, with its link; one that was
 * paused, with a note; a policy that was opened; a world and a formula on their shelves, where the release has them.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { startChromium } from '../support/chromium';
import { chooseBackend, goTo as goToPlace } from '../support/page';
import { serveFolder } from '../support/staticServer';
import { FINISHED, PAUSED } from './cases';
import { type KeptStorage, readStorage } from './storage';

export interface KeptByPage {
  /** Link of the finished run, with its result. */
  readonly link: string;
  readonly kept: KeptStorage;
}

const SCREEN = { viewport: { width: 1440, height: 860 } };

export async function keptByPage(checkout: string, scratch: string, policy: string): Promise<KeptByPage> {
  const site = join(scratch, 'site');
  execFileSync('npm', ['run', '-s', 'build', '--', '--logLevel', 'warn', '--outDir', site], {
    cwd: checkout,
    stdio: 'inherit',
  });
  const server = await serveFolder(site, '/');
  const browser = await startChromium();
  try {
    const link = await resultLink(await open(await browser.newContext(SCREEN), server.url + FINISHED));
    const page = await open(await browser.newContext(SCREEN), server.url + PAUSED.link);
    for (let update = 1; update <= PAUSED.before; update++) {
      await page.getByTestId('step').click();
      await page.locator(`[data-testid=status][data-phase=paused][data-update="${update}"]`).waitFor();
    }
    await keepPolicy(page, policy);
    await keepNote(page);
    await keepTexts(page);
    await page.goto('about:blank');
    // A page that is empty but has the same storage: nothing is written while it is read.
    await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(`${server.url}empty`);
    return { link, kept: await page.evaluate(readStorage) };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function open(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await chooseBackend(page, 'cpu');
  return page;
}

/** Trains to the end, and gives the link with the result. */
async function resultLink(page: Page): Promise<string> {
  await page.getByTestId('run-first').click();
  await page.locator('[data-testid=status][data-phase=finished]').waitFor();
  await page.getByTestId('share').click();
  await page.getByTestId('copy-result-link').click();
  await page.getByTestId('result-url').waitFor();
  return page.getByTestId('result-url').inputValue();
}

/** Goes to a place of the page; in version 0.1.0 it was a dialog. */
async function goTo(page: Page, place: string): Promise<void> {
  if ((await page.getByTestId(place).count()) > 0) await page.getByTestId(place).click();
  else await goToPlace(page, place);
}

async function keepPolicy(page: Page, policy: string): Promise<void> {
  await goTo(page, 'policies');
  await page.getByTestId('open-policy').setInputFiles(policy);
  await page.getByTestId('kept-policies').waitFor();
  await page.keyboard.press('Escape');
}

/** A note on the newest run. */
async function keepNote(page: Page): Promise<void> {
  await goTo(page, 'runs');
  const run = page.getByTestId('kept-run').first();
  await run.waitFor();
  const details = run.getByTestId('run-details');
  if ((await details.count()) > 0) await details.click();
  const note = page.getByLabel(/^Note/).first();
  await note.fill('paused on purpose');
  await note.blur();
  await page.waitForFunction(readNote, 'paused on purpose');
  await page.keyboard.press('Escape');
}

/** True once some run in the storage has the note. */
async function readNote(wanted: string): Promise<boolean> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('unmask');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const reading = database.transaction('runs').objectStore('runs').getAll();
  const runs = await new Promise<{ readonly note?: string }[]>((resolve, reject) => {
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => reject(reading.error);
  });
  database.close();
  return runs.some(({ note }) => note === wanted);
}

/** A formula and a world on their shelves, which version 0.1.0 did not have. */
async function keepTexts(page: Page): Promise<void> {
  if ((await page.getByTestId('go-lab').or(page.getByTestId('to-lab')).count()) === 0) return;
  await goToPlace(page, 'lab');
  // Under the table of arms before, now in a place of its own.
  if ((await page.getByTestId('write-loss').count()) === 0) await page.evaluate(() => location.assign('#loss'));
  await page.locator('[data-testid=write-loss], [data-testid^=write-loss-]').first().click();
  await keepOnShelf(page, 'own-loss-shelf');
  await page.evaluate(() => location.assign('#world'));
  await page.getByTestId('world-text').waitFor();
  await keepOnShelf(page, 'world-shelf');
}

async function keepOnShelf(page: Page, shelf: string): Promise<void> {
  await page.getByTestId(shelf).click();
  const keep = page.getByTestId('shelf-keep');
  await keep.click();
  await page.locator('.shelf-body li').first().waitFor();
  await page.keyboard.press('Escape');
}
