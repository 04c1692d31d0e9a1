/** Checks of every screen: violations that axe finds, and sideways scrolling. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Goes to a place of the page, such as `runs`, with the experiment that is open. */
export const goTo = (page: Page, place: string): Promise<void> =>
  page.evaluate((name) => location.assign(`#${name}`), place);

/** Loads axe into a page, once, because it is large. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
}

/** Rule and elements of each violation below a selector; empty if axe finds none. */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  await loadAxe(page);
  return page.evaluate(async (selector) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations: found } = await engine.run(selector, { resultTypes: ['violations'] });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, part);
}

/** Pixels by which the page is wider than its window, or a dialog's content wider than the dialog. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const scrolled = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
    return Math.max(...scrolled.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

/** HTML of the element furthest beyond the right edge of the window or dialog: the cause of sideways scrolling. */
export const widest = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const wider = ({ scrollWidth, clientWidth }: Element): number => scrollWidth - clientWidth;
    const root = [...document.querySelectorAll('dialog[open]')].reduce(
      (found, one) => (wider(one) > wider(found) ? one : found),
      document.documentElement as Element,
    );
    const isClipped = (one: Element): boolean =>
      one.parentElement !== null &&
      one.parentElement !== root &&
      (getComputedStyle(one.parentElement).overflowX !== 'visible' || isClipped(one.parentElement));
    const reach = (one: Element): number => one.getBoundingClientRect().right;
    // Elements around it may reach as far, so the innermost one counts.
    const furthest = [...root.querySelectorAll('*')]
      .filter((one) => !isClipped(one))
      .reduce((found, one) => (reach(one) >= reach(found) ? one : found), root);
    return furthest.outerHTML;
  });
