/** Sweeps in a real browser on the CPU backend: of one arm, in one population, and of what all arms share, one after the other. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { curveOf, ofWidth, openLab } from '../support/labPage';
import { goTo, overflow } from '../support/page';

const browser = chromiumHere();

test('a sweep of an arm’s λ is drawn value by value as its seeds came out, at phone width', async () => {
  const { page } = await openLab(browser(), '#preset=gridworld-tiny&updates=3', {
    ...ofWidth(390),
    backend: 'cpu',
  });
  await goTo(page, 'settings');
  await page.getByTestId('sweep-settings').click();
  await page.getByTestId('sweep-values').fill('0, .1, x');
  await page.getByTestId('sweep-plan').getByText('“x” is no number.').waitFor();
  expect(await page.getByTestId('sweep-run').isDisabled()).toBe(true);
  await page.getByTestId('sweep-values').fill('0 1');
  await page.getByTestId('sweep-plan').getByText('Success is drawn against 3 values or more.').waitFor();
  await page.getByTestId('sweep-values').fill('0 .1 .3 1 3');
  await page.getByTestId('sweep-run').click();
  await page.locator('[data-testid=status][data-phase=finished]').waitFor();
  await page.getByTestId('sweep-finding').waitFor();
  const all = (await curveOf(page, 'successRate', 'sweep-3')).flat();
  await goTo(page, 'sure');
  await page.locator('.sweep-chart').scrollIntoViewIfNeeded();
  const point = page.locator('[data-testid=sweep-point][data-value="0.3"]');
  const centre = async () => Number(await point.getAttribute('data-centre'));
  await expect.poll(centre).toBeCloseTo(all.reduce((sum, one) => sum + one, 0) / all.length, 6);
  expect(await point.locator('circle').count()).toBe(2);
  // The saved picture has a dot a seed and the link that trains it again.
  const save = page.getByTestId('sweep').getByRole('button', { name: 'Save the picture' });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const picture = await readFile(await download.path(), 'utf8');
  expect(picture.match(/<circle/g)).toHaveLength(10);
  expect(picture).toMatch(/<desc>#.*arms/);
  // Keys walk from value to value, where no pointer does.
  await page.mouse.move(0, 0);
  const chart = page.locator('.sweep-chart');
  await chart.locator('svg').focus();
  await chart.locator('.crosshair').getByText(/λ: 0$/).waitFor();
  await page.keyboard.press('ArrowRight');
  await chart
    .locator('.crosshair')
    .getByText(/λ: 0\.1$/)
    .waitFor();
  // The worlds of four arms fit on the screen; another is shown when asked for.
  await goTo(page, 'lab');
  const worlds = page.locator('article.world');
  expect(await worlds.count()).toBe(4);
  await page.getByTestId('show-world-sweep-3').click();
  expect(await worlds.locator('h3').allTextContents()).toContain('λ = 0.3');
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  // Below the numbers of the lab is another way to it.
  await page.getByRole('button', { name: 'Numbers' }).click();
  await page.getByTestId('sweep-live').click();
  await page.getByTestId('sweep-run').waitFor();
});

test('a sweep of what all arms share trains population after population, and is there after a reload', async () => {
  const { page } = await openLab(browser(), '#preset=gridworld-tiny&updates=3', {
    ...ofWidth(390),
    backend: 'cpu',
  });
  await goTo(page, 'sure');
  await page.getByTestId('grid-new').click();
  await page.getByTestId('sweep-setting').selectOption('batch.groupSize');
  await page.getByTestId('sweep-values').fill('1, 2');
  await page.getByTestId('sweep-plan').getByText('With batch.groupSize = 1').waitFor();
  await page.getByTestId('sweep-values').fill('2, 4');
  await page.getByTestId('sweep-run').click();
  const progress = page.getByTestId('grid-progress');
  await progress.getByText('2 of 2 done.').waitFor();
  await page.getByTestId('grid').getByTestId('sweep-finding').getByText('Group size = ').first().waitFor();
  const rows = await page.getByTestId('grid-table').locator('tbody tr').allTextContents();
  expect(rows).toEqual([expect.stringMatching(/^2.*%.*Show$/), expect.stringMatching(/^4.*%.*Show$/)]);
  // Below the chart there is room for the box at its crosshair.
  const top = async (what: string) => (await page.locator(what).boundingBox())?.y ?? 0;
  expect(await top('[data-testid=sweep-lines]')).toBeLessThan(await top('.sweep-chart'));
  expect(await page.getByTestId('grid-link').getAttribute('href')).toContain('&sweep=batch.groupSize:2,4');
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  // Until then the page asks whether it may go.
  await page.locator('[data-testid=status][data-kept="3"]').waitFor();
  await page.reload();
  await progress.getByText('2 of 2 done.').waitFor();
  expect(await page.getByTestId('grid-table').locator('tbody tr').allTextContents()).toEqual(rows);
});
