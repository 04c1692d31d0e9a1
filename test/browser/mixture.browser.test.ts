/** A mixture on the page: settings of its worlds and no others, a chart for each world, and episodes. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { curve, openLab, waitForPhase } from '../support/labPage';
import { goTo, overflow } from '../support/page';

const MIXTURE =
  '#preset=gridworld-tiny&environment=mixture&environment.gridworld-size=4&updates=6&batch.groups=6&seeds=1';

const browser = chromiumHere();

/** Keys of the environment's settings that have controls. */
const settings = (page: Page): Promise<string[]> =>
  page
    .locator('[data-testid^="setting-environment."]')
    .evaluateAll((all) =>
      all.map((one) => (one.getAttribute('data-testid') ?? '').replace('setting-environment.', '')),
    );

test('a mixture shows what belongs to its worlds, and nothing of the others', async () => {
  const { page, complaints } = await openLab(browser(), MIXTURE, {
    backend: 'cpu',
    viewport: { width: 390, height: 844 },
  });
  await goTo(page, 'training');
  const toCome = page.getByTestId('training-to-come').locator('[data-metric$=Success]');
  await expect
    .poll(() => toCome.evaluateAll((all) => all.map((one) => one.getAttribute('data-metric'))))
    .toEqual(['gridworldSuccess', 'calculatorSuccess']);
  await goTo(page, 'settings');
  await page.getByTestId('setting-environment.shop').waitFor();
  const before = await settings(page);
  expect(before).toEqual(expect.arrayContaining(['gridworld', 'shop', 'gridworld-size', 'calculator-tool']));
  expect(before.filter((key) => /^(shop|terminal)-|-boxes$|-features$/.test(key))).toEqual([]);

  await page.getByTestId('setting-environment.gridworld-puzzle').selectOption('boxes');
  await page.getByTestId('setting-environment.calculator-tool').selectOption('none');
  await page.getByTestId('setting-environment.shop').fill('1');
  await page.getByTestId('setting-environment.shop').press('Enter');
  await page.getByTestId('setting-environment.shop-products').waitFor();
  const after = await settings(page);
  expect(after).toEqual(expect.arrayContaining(['gridworld-boxes', 'shop-products']));
  expect(after.filter((key) => /^calculator-(failure|budget)$|^shop-features$/.test(key))).toEqual([]);

  await page.getByTestId('run').click();
  await waitForPhase(page, 'finished');
  await goTo(page, 'training');
  await expect.poll(() => page.getByTestId('worlds-apart').locator('section').count()).toBe(3);
  const success = await curve(page, 'calculatorSuccess');
  expect(Object.keys(success).length).toBeGreaterThan(0);
  await goTo(page, 'lab');
  await page.locator('.world-stage > [role=img]').first().waitFor();
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});
