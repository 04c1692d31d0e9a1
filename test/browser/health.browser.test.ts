/** The panel of lights: live during a run, explained by keyboard and pointer, and linked to the curves. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { CALMLY, openLab, waitForPhase } from '../support/labPage';
import { overflow, violations } from '../support/page';

/** Experiment in which most words are no moves: the light for missing tools must go on, and no other needs to. */
const FREE = '#why&preset=gridworld-tiny&updates=20&environment.decoding=free';
const STILL = { reducedMotion: 'reduce', backend: 'cpu' } as const;

const browser = chromiumHere();

const light = (page: Page, failure: string) => page.getByTestId('health-no-mask').getByTestId(`light-${failure}`);
const height = (page: Page) =>
  page
    .locator('[aria-labelledby=health-title]')
    .first()
    .evaluate((panel) => panel.getBoundingClientRect().height);

async function run(page: Page): Promise<void> {
  await page.getByTestId('run').click();
  await waitForPhase(page, 'finished');
  await page.locator('[data-testid=light-missing-tools][data-state=failing]').first().waitFor();
}

test('lights what fails, tells why, and leads to the chart by keyboard', async () => {
  const { page } = await openLab(browser(), FREE, STILL);
  const before = await height(page);
  expect(await page.locator('[data-testid^=light-][data-state=unknown]').count()).toBe(21);
  await run(page);
  expect(await height(page)).toBe(before);
  expect(await light(page, 'missing-tools').textContent()).toMatch(/^failing 2\/2 [89]\d%$/);
  expect(await light(page, 'mask-leak').textContent()).toMatch(/^fine 1\.\d+ ×$/);
  const heads = page.locator('[aria-labelledby=health-title] thead');
  expect(await heads.first().textContent()).toContain('Silent groupsfine to 80%');
  await light(page, 'length').focus();
  await page.keyboard.press('Tab');
  const tip = page.getByRole('tooltip');
  await tip.waitFor();
  const words = await tip.textContent();
  expect(words).toContain('Missing tools, No mask: failing in 2 of 2 seeds');
  expect(words).toContain('Failing above 20%, a warning above 10%. Mean of the last 20 updates.');
  expect(words).toMatch(/Now[89]\d% and [89]\d%/);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await tip.count()).toBe(0);
  expect(await light(page, 'missing-tools').evaluate((one) => one === document.activeElement)).toBe(true);
  // The chart is at another place, among those that are folded away.
  const scrolled = await page.evaluate(() => scrollY);
  await page.keyboard.press('Enter');
  const held = page.getByRole('dialog', { name: 'Missing tools, No mask' });
  await held.waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  const { y = 0, height: tall = 0 } = (await held.boundingBox()) ?? {};
  expect([y >= 0, tall > 100, y + tall <= 860]).toEqual([true, true, true]);
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    () => (document.activeElement as HTMLElement).dataset.testid === 'chart-warningShare',
    null,
    CALMLY,
  );
  expect(await page.getByTestId('chart-warningShare').isVisible()).toBe(true);
  await page.goBack();
  await light(page, 'entropy-collapse').hover();
  expect(await tip.textContent()).toContain('Entropy collapse');
  await page.getByTestId('status').hover();
  expect(await tip.count()).toBe(0);
});

test('on a phone a press tells, and what it tells leads to the chart', async () => {
  const phone = { ...STILL, viewport: { width: 390, height: 860 }, hasTouch: true };
  const { page } = await openLab(browser(), FREE, phone);
  await light(page, 'entropy-collapse').tap();
  await page.getByRole('dialog', { name: 'Entropy collapse, No mask' }).waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByTestId('light-chart').tap();
  await page.waitForFunction(
    () => (document.activeElement as HTMLElement).dataset.testid === 'chart-entropy',
    null,
    CALMLY,
  );
});
