/**
 * Pictures of every state of the page, for its designers: at desktop size with the light theme, at phone size with the
 * dark one. They go into an ignored folder. The states are those that the accessibility tests visit.
 */
import { mkdir, rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { JOURNEYS } from '../test/browser/states/catalogue';
import {
  DESK,
  goOn,
  type Journey,
  leave,
  MESSAGES,
  PHONE,
  partOf,
  type State,
  setOut,
  settle,
} from '../test/browser/states/journey';

const FOLDER = '.cache/states';
/** Greatest height of a picture, in pixels; a taller page is cut off. */
const TALLEST = 8000;
/** Milliseconds after which all charts of a page are drawn. */
const DRAWN = 1000;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Takes pictures of the states named, or of all if none is. States on the way to a named one are only visited. */
export async function takeStates(browser: Browser, site: string, names: readonly string[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  if (names.length === 0) await rm(FOLDER, { recursive: true }).then(() => mkdir(FOLDER));
  const isWanted = ({ name }: State): boolean => names.length === 0 || names.includes(name);
  for (const journey of JOURNEYS) if (journey.states.some(isWanted)) await take(browser, site, journey, isWanted);
}

async function take(
  browser: Browser,
  site: string,
  journey: Journey,
  isWanted: (state: State) => boolean,
): Promise<void> {
  const page = await setOut(browser, site, journey);
  for (const state of journey.states) {
    await goOn(page, state);
    if (isWanted(state)) await takeBoth(page, state);
    if (state.escape) await leave(page);
  }
  await page.context().close();
}

async function takeBoth(page: Page, state: State): Promise<void> {
  await shoot(page, state, 'desk', DESK);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, state, 'phone', PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESK);
  console.log(state.name);
}

async function shoot(page: Page, state: State, place: string, size: Size): Promise<void> {
  const { part, isOpened } = await partOf(page, state);
  await page.setViewportSize(size);
  if (part === MESSAGES) await page.evaluate(() => scrollTo(0, 0));
  else if (part === 'html') await makeRoom(page, size);
  else await showPart(page, part, isOpened ? 'nearest' : 'start');
  await settle(page);
  await page.screenshot({ path: `${FOLDER}/${state.name}-${place}.png` });
}

const showPart = (page: Page, part: string, block: ScrollLogicalPosition): Promise<void> =>
  page
    .locator(part)
    .first()
    .evaluate((one, to) => one.scrollIntoView({ block: to }), block);

/** Makes the window as tall as the page, because the page draws only what is in the window. */
async function makeRoom(page: Page, size: Size): Promise<void> {
  await settle(page);
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...size, height: Math.min(TALLEST, Math.max(size.height, whole)) });
  // Charts are drawn one after another.
  await page.waitForTimeout(DRAWN);
}
