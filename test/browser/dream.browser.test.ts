/** The dream on the page: drawn beside each arm's world when asked for, and right if the arm learned to predict. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { openLab, waitForPhase } from '../support/labPage';
import { goTo, overflow } from '../support/page';

const browser = chromiumHere();

/** Link to an experiment with one arm that has learned to predict its world before it learns to act. */
const link =
  '#preset=gridworld-tiny&seeds=1&updates=2&policy.width=32&warmStart.source=random&warmStart.updates=200' +
  '&warmStart.learningRate=0.005&arms.world-model.warmStart=observations';

async function counts(place: Locator): Promise<[agreed: number, of: number]> {
  const [agreed, of] = [await place.getAttribute('data-agreed'), await place.getAttribute('data-of')];
  return [Number(agreed), Number(of)];
}

/** Checks that the diagnosis of the first batch agrees with the curves, and that the roles' shares add up to 1. */
async function expectDiagnosis(page: Page): Promise<void> {
  const curve = async (metric: string, arm: string): Promise<number> => {
    await goTo(page, metric === 'observationCrossEntropy' ? 'lab' : 'training');
    const button = page.getByTestId(`table-${metric}`);
    if ((await button.getAttribute('aria-pressed')) === 'false') await button.click();
    const cell = page.locator(`[data-testid=chart-${metric}] td[data-arm=${arm}][data-update="0"]`);
    return Number(await cell.getAttribute('data-value'));
  };
  const data = (place: Locator, name: string) =>
    place.evaluateAll((all, key) => all.map((one) => Number((one as HTMLElement).dataset[key])), name);
  const ARMS = ['action-mask', 'world-model'] as const;
  const METRICS = ['observationCrossEntropy', 'policyGradNorm', 'worldModelGradNorm'] as const;
  const curves = new Map<string, number>();
  for (const metric of METRICS) {
    for (const arm of ARMS) curves.set(`${metric} ${arm}`, await curve(metric, arm));
  }
  const measured = (metric: (typeof METRICS)[number], arm: string) => curves.get(`${metric} ${arm}`) as number;
  await goTo(page, 'why');
  await page.getByTestId('diagnosis').waitFor();
  for (const arm of ARMS) {
    const all = page.getByTestId(`surprise-${arm}-all-all observations`);
    const [surprise] = await data(all, 'crossEntropy');
    // No bar is longer than its track.
    const widths = await all
      .locator('rect')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    expect(widths[0]).toBe(Math.max(...widths));
    expect(surprise).toBeCloseTo(measured('observationCrossEntropy', arm), 4);
    const layers = page.locator(`[data-testid^="layer-${arm}-"]`);
    for (const [part, metric] of [
      ['policy', 'policyGradNorm'],
      ['worldModel', 'worldModelGradNorm'],
    ] as const) {
      expect(Math.hypot(...(await data(layers, part)))).toBeCloseTo(measured(metric, arm), 4);
    }
    const given = page.getByTestId(`roles-${arm}`).locator('[data-given=gradient] [data-share]');
    expect((await data(given, 'share')).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
    // A part of a bar has its number where there is room for it, however small the share.
    const hasNumber = (width: number) =>
      given.first().evaluate((part: HTMLElement, pixels) => {
        part.style.flex = `0 0 ${pixels}px`;
        const { clipPath } = getComputedStyle(part.firstElementChild as Element);
        return clipPath === 'none';
      }, width);
    expect([await hasNumber(20), await hasNumber(40)]).toEqual([false, true]);
  }
  // Only the arm that learned to predict does better than the frequencies of words.
  const mean = async (arm: string, name: string) =>
    (await data(page.getByTestId(`surprise-${arm}-all-all observations`), name))[0];
  expect(await mean('world-model', 'crossEntropy')).toBeLessThan(
    0.2 * ((await mean('world-model', 'marginal')) as number),
  );
  expect(await mean('action-mask', 'crossEntropy')).toBeGreaterThan((await mean('action-mask', 'marginal')) as number);
}

test('a dream is drawn beside the world when it is asked for', async () => {
  const { page } = await openLab(browser(), link, { reducedMotion: 'reduce', backend: 'cpu' });
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  expect(await page.getByRole('region', { name: 'World model: its dream' }).count()).toBe(0);
  expect((await loaded()).filter((url) => url.includes('DreamPanel'))).toEqual([]);

  await expectDiagnosis(page);
  // At another place than the worlds, under which they are drawn.
  await page.getByTestId('why-dream').click();
  await page.waitForFunction(
    () => {
      const place = document.querySelector('.dream')?.getBoundingClientRect();
      return place !== undefined && place.top >= 0 && place.top < innerHeight;
    },
    undefined,
    { polling: 100 },
  );
  await goTo(page, 'why');
  await page.getByTestId('why-dream').click();
  await goTo(page, 'lab');
  const choice = page.getByTestId('dream');
  await choice.focus();
  await page.keyboard.press('ArrowDown');
  const dreamer = page.getByTestId('dream-agreement-world-model');
  await dreamer.waitFor();
  // Two numbers of prediction, of two policies: one sentence says which is which.
  const when = page.getByText(
    '“Answers predicted” is from before the update; the predictions shown are from after it.',
  );
  expect(await when.isVisible()).toBe(true);
  const [agreed, of] = await counts(dreamer);
  expect(agreed / of).toBeGreaterThan(0.9);
  const [noise, tokens] = await counts(page.getByTestId('dream-agreement-action-mask'));
  expect(noise / tokens).toBeLessThan(0.5);
  const sensitivity = (arm: string) =>
    page.getByTestId(`dream-sensitivity-${arm}`).getAttribute('data-value').then(Number);
  expect(await sensitivity('world-model')).toBeGreaterThan(1);
  expect(Math.abs(await sensitivity('action-mask'))).toBeLessThan(0.1);

  // One turn ahead agrees with the number shown; further ahead there are fewer dreams.
  const panel = page.getByRole('region', { name: 'World model: its dream' });
  await panel.locator('summary').click();
  const rows = await panel.locator('tbody tr').all();
  const table = await Promise.all(rows.map(counts));
  expect(table[0]).toEqual([agreed, of]);
  expect(table.map(([, dreamed]) => dreamed)).toEqual(table.map((_, turn) => of - turn));

  // The same numbers as points of the curves: 1, 2 and 4 turns ahead, to the end, and the sensitivity.
  const sensed = await sensitivity('world-model');
  await goTo(page, 'why');
  const curves = page.getByTestId('dream-curves');
  await curves.locator('summary').click();
  const cells = curves.locator('tr[data-arm=world-model] [data-value]');
  const point = await cells.evaluateAll((all) => all.map((cell) => Number((cell as HTMLElement).dataset.value)));
  const share = (turns: number): number => (table[turns - 1]?.[0] ?? 0) / (table[turns - 1]?.[1] ?? 0);
  expect(point).toEqual([...[1, 2, 4, table.length].map(share), sensed]);
  await goTo(page, 'lab');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await choice.selectOption('whole-sampled');
  await page.getByText('one dream, told nothing').first().waitFor();
  await dreamer.waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await choice.selectOption('none');
  await when.waitFor({ state: 'detached' });
  await panel.waitFor({ state: 'detached' });
});
