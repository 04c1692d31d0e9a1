/** A branch grown in the page: the run goes on with one arm more, which has its parent's numbers until it parts from it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChromium } from '../support/chromium';
import { curve, openLab, waitForPhase, waitForUpdate } from '../support/labPage';

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

test('branches a run by keyboard, which trains on, and moves a mark', async () => {
  const { context, page, complaints } = await openLab(browser, '#preset=gridworld-tiny&updates=4000', {
    backend: 'cpu',
  });
  await page.getByTestId('run-first').click();
  await waitForUpdate(page, 5);
  await page.getByTestId('pause').click();
  await waitForPhase(page, 'paused');
  await page.getByTestId('branch').focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('branch-value').fill('0.9');
  await page.getByTestId('branch-value').press('Enter');
  await page.getByTestId('branch-add').press('Enter');
  const mark = page.getByTestId('timeline').getByRole('button', { name: /λ 0\.1 → 0\.9, from update \d+/ });
  await mark.waitFor();
  const from = Number(/from update (\d+)/.exec((await mark.getAttribute('aria-label')) ?? '')?.[1]);
  expect(from).toBeGreaterThanOrEqual(5);
  await waitForUpdate(page, from + 3);
  await page.getByTestId('pause').click();
  await waitForPhase(page, 'paused');
  const surprise = await curve(page, 'observationCrossEntropy');
  const of = (arm: string, update: number) => surprise[`${arm} ${update}`];
  for (let update = 0; update <= from; update++) expect(of('arm-4', update)).toBe(of('world-model', update));
  expect(of('arm-4', from + 2)).not.toBe(of('world-model', from + 2));
  // What has acted holds from the next run, which the page offers.
  await mark.press('ArrowLeft');
  await page.locator('[data-testid=message][data-kind=restart]').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(`${from - 1}`);
  expect(complaints).toEqual([]);
  await context.close();
});
