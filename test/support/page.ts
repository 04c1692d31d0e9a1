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
