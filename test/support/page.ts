/** What every screen is asked: what axe objects to, and how far it scrolls sideways. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** It is large: once a page is enough. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
}

/** Rule and elements of each violation below a selector; empty when axe finds nothing. */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  await loadAxe(page);
  return page.evaluate(async (selector) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations: found } = await engine.run(selector, { resultTypes: ['violations'] });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, part);
}

/** Pixels by which the page is wider than its window, or what a dialog holds wider than the dialog. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const scrolled = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
    return Math.max(...scrolled.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

/** What reaches furthest over the right edge of the window, or of the dialog: why it scrolls sideways. */
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
    // What is around it may reach as far: the innermost is the culprit.
    const furthest = [...root.querySelectorAll('*')]
      .filter((one) => !isClipped(one))
      .reduce((found, one) => (reach(one) >= reach(found) ? one : found), root);
    return furthest.outerHTML;
  });
