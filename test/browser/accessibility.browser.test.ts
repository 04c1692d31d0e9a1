/** axe over the screen before, during and after a run, in both themes and at phone width; no sideways scrolling. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startChromium } from '../support/chromium';
import { overflow, violations } from '../support/page';

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

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
