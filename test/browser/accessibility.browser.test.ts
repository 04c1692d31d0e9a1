/** axe over the screen before, during and after a run, in both themes and at phone width; no sideways scrolling. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startChromium } from '../support/chromium';

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await engine.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe.each([
  { name: 'desktop, light', width: 1440, height: 860, colorScheme: 'light' },
  { name: 'phone, dark', width: 390, height: 844, colorScheme: 'dark' },
] as const)('the screen on $name', ({ width, height, colorScheme }) => {
  test('has nothing axe objects to, and does not scroll sideways', async () => {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${inject('siteUrl')}#preset=gridworld-tiny&updates=4`);
    await page.getByTestId('run-first').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByTestId('backend-choice').selectOption('cpu');
    await page.getByTestId('run-first').click();
    await page.waitForFunction(
      () => document.querySelector('[data-testid=status]')?.getAttribute('data-phase') === 'finished',
    );
    await page.getByTestId('verdict').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByTestId('share').click();
    await page.getByTestId('share-url').waitFor();
    expect(await violations(page)).toEqual([]);
    await context.close();
  });
});
