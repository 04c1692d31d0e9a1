/** A journey through states of the page, each reached from where the one before it left it, and how one travels. */
import type { Browser, Page } from 'playwright-core';
import { chooseBackend } from '../../support/page';
import { type Step, type Way, walk } from './steps';
import { listenToWorkers } from './workers';

export interface State {
  /** In words that can name a file. */
  readonly name: string;
  readonly reach: Step | Way;
  /**
   * Selector of all that it shows and the states before it do not; what a picture is of, and what is looked at again.
   * Otherwise what is open, or else the whole page.
   */
  readonly about?: string;
  /** Escape ends it, and the focus returns to what opened it. */
  readonly escape?: true;
}

export interface Journey {
  readonly name: string;
  /** What follows the page's address: a search, a fragment, both or neither. */
  readonly link: string;
  readonly states: readonly State[];
  /** Runs in the page before anything else. */
  readonly before?: () => void;
}

export const DESK = { width: 1440, height: 860 } as const;
export const PHONE = { width: 390, height: 844 } as const;
/** The narrowest that a page must fit into (WCAG 1.4.10, Reflow). */
export const NARROWEST = { width: 320, height: 844 } as const;

/** What opens over the page or in it and is closed again; the first that is open is in front. */
const OPEN = ['dialog[open]', '.popover', '.picker-list:not([hidden])', '.picker-none:not([hidden])', '.tour'];

/** The place that is shown. */
export const PLACE = 'main:not([hidden])';

/** At the window's lower edge, wherever the page is. */
export const MESSAGES = '.messages';

/**
 * A browser that has never been here, on a desk and in the light, where the journey begins. `watches` run in its pages before
 * anything else.
 */
export async function setOut(
  browser: Browser,
  site: string,
  { link, before }: Journey,
  watches: readonly (() => void)[] = [],
): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, colorScheme: 'light', reducedMotion: 'reduce' });
  for (const script of [listenToWorkers, ...watches]) await context.addInitScript(script);
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  await page.goto(site + link);
  await page.locator('main:visible').waitFor();
  if ((await page.getByTestId('gear').count()) > 0) await chooseBackend(page, 'cpu');
  return page;
}

/** True if a page answers, but draws no frame within five seconds: the browser's failure, rare and on a busy machine. */
export const hasStalled = (page: Page): Promise<boolean> =>
  Promise.race([
    page.evaluate(
      () =>
        new Promise<boolean>((tell) => {
          requestAnimationFrame(() => tell(false));
          setTimeout(() => tell(true), 5000);
        }),
    ),
    new Promise<boolean>((tell) => setTimeout(() => tell(false), 20_000)),
  ]).catch(() => false);

/** Reaches the next state; what is loaded for it is there. */
export async function goOn(page: Page, { name, reach, escape: isOpen }: State): Promise<void> {
  try {
    await walk(page, reach);
    // What a pointer left behind would tell is no part of the state.
    await page.mouse.move(0, 0);
    if (isOpen) await page.locator(OPEN.join()).first().waitFor();
    await settle(page);
  } catch (cause) {
    throw new Error(`The state “${name}” was not reached.`, { cause });
  }
}

/** Selector of what is to be looked at in a state, and whether it is something that opened. */
export async function partOf(page: Page, { about }: State): Promise<{ part: string; isOpened: boolean }> {
  if (about !== undefined) return { part: about, isOpened: false };
  for (const part of OPEN) if ((await page.locator(part).count()) > 0) return { part, isOpened: true };
  return { part: 'html', isOpened: false };
}

/** Nothing is being loaded, and what was last changed has been drawn. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=true], .plot:not(:has(svg))') === null &&
      ![...document.querySelectorAll('p, main')].some(
        (one) => one.children.length === 0 && /^Loading /.test(one.textContent ?? '') && one.checkVisibility(),
      ),
  );
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** By Escape, as anybody would. */
export async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await settle(page);
}
