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

/** Pixels by which the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What reaches furthest over the window's right edge: why the page scrolls sideways. */
export const widest = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const isClipped = (one: Element): boolean =>
      one.parentElement !== null &&
      (getComputedStyle(one.parentElement).overflowX !== 'visible' || isClipped(one.parentElement));
    const reach = (one: Element): number => one.getBoundingClientRect().right;
    // What is around it may reach as far: the innermost is the culprit.
    const furthest = [...document.querySelectorAll('body *')]
      .filter((one) => !isClipped(one))
      .reduce((found, one) => (reach(one) >= reach(found) ? one : found), document.body);
    return furthest.outerHTML;
  });
