/** A branch grown in the page: the run goes on with one arm more, which has its parent's numbers until it parts from it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { curve, openLab, waitForPhase, waitForUpdate } from '../support/labPage';

const browser = chromiumHere();

/** First update that a chart shows, as its brush says. */
const shownFrom = (page: Page, metric: string) =>
  page.getByTestId(`chart-${metric}`).getByRole('slider', { name: /shown from/ });

/** A drag over a part of a chart, from and to shares of its width. */
async function drag(page: Page, metric: string, from: number, to: number): Promise<void> {
  const box = await page.getByTestId(`chart-${metric}`).locator('.plot-zoom').boundingBox();
  if (box === null) throw new Error('The chart is not drawn.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y);
  await page.mouse.move(box.x + to * box.width, y);
  await page.mouse.up();
}

test('branches a run by keyboard, which trains on, and moves a mark', async () => {
  const { page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=4000', {
    backend: 'cpu',
  });
  await page.getByTestId('run-first').click();
  await waitForUpdate(page, 5);
  await page.getByTestId('pause').click();
  await waitForPhase(page, 'paused');
  await page.getByTestId('branch').focus();
  await page.keyboard.press('Enter');
  // Of all settings, a search leaves a few.
  const chosen = page.getByTestId('branch-setting');
  await chosen.waitFor();
  const offered = () => chosen.locator('option').count();
  const all = await offered();
  expect(all).toBeGreaterThan(50);
  await page.getByTestId('branch-search').fill('KL penalty');
  expect(await offered()).toBeLessThan(all / 5);
  await page.keyboard.press('Enter');
  expect(await chosen.inputValue()).toBe('klCoefficient');
  await page.keyboard.press('Escape');
  expect(await offered()).toBe(all);
  await chosen.selectOption('ce.observation');
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
  // A change that has acted holds from the next run, which the page offers.
  await mark.press('ArrowLeft');
  await page.locator('[data-testid=message][data-kind=restart]').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(`${from - 1}`);

  // Both charts show the same part of the run, chosen by the brush's keys or by a drag over one of them.
  await page.getByTestId('table-observationCrossEntropy').click();
  const [here, there] = ['successRate', 'observationCrossEntropy'].map((metric) => shownFrom(page, metric)) as [
    ReturnType<typeof shownFrom>,
    ReturnType<typeof shownFrom>,
  ];
  await here.press('PageUp');
  const at = (handle: typeof here) => expect.poll(() => handle.getAttribute('aria-valuenow'));
  await at(there).toBe('500');
  await here.press('Escape');
  await at(there).toBe('0');
  await drag(page, 'successRate', 0.4, 0.6);
  await at(there).not.toBe('0');
  expect(await page.getByTestId('chart-successRate').locator('svg').first().textContent()).not.toContain('4000');
  // A press gives the crosshair nothing to say of update 0.
  expect(await page.locator('.crosshair > p:first-child').allTextContents()).not.toContain('update 0');
  await page.getByTestId('chart-successRate').locator('.plot-zoom').dblclick();
  await at(there).toBe('0');
  expect(complaints).toEqual([]);
});
