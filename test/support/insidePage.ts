/** Checks of what the page reads off a policy that has finished: probes of its layers, and a belief that is changed. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { goTo, overflow } from './page';

/** Checks the probes of the finished run: they come at once, a row an arm, with the measured numbers of each layer. */
export async function expectProbes(page: Page): Promise<void> {
  await goTo(page, 'why');
  const watch = page.getByTestId('probes-watch');
  await watch.focus();
  await page.keyboard.press('Enter');
  const rows = page.getByTestId('probe-table').locator('tbody tr');
  await rows.first().waitFor();
  expect(await rows.evaluateAll((all) => all.map((row) => row.dataset.arm))).toEqual(['action-mask', 'world-model']);
  await page.getByLabel('When', { exact: true }).selectOption('answer');
  for (const row of await rows.all()) {
    const cells = await row
      .locator('td[data-accuracy]')
      .evaluateAll((all) =>
        all.map((cell) => [Number(cell.dataset.accuracy), Number(cell.dataset.untrained), cell.textContent]),
      );
    // The only block, and what goes into it.
    expect(cells).toHaveLength(2);
    for (const [accuracy, untrained, text] of cells as [number, number, string][]) {
      expect(text).toBe(`${(100 * accuracy).toFixed(0)}%fresh ${(100 * untrained).toFixed(0)}%`);
    }
    // The answer names the cell.
    const commonest = Number(((await row.locator('td').nth(2).textContent()) ?? '').replace('%', '')) / 100;
    expect(cells[0]?.[0]).toBeGreaterThan(commonest);
  }
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await watch.click();
  expect(await watch.getAttribute('aria-pressed')).toBe('false');
}

/** Checks a changed belief by keyboard: another cell, another place in the policy, and shares that add up. */
export async function expectBeliefs(page: Page): Promise<void> {
  await page.getByTestId('belief-ask').focus();
  await page.keyboard.press('Enter');
  const table = page.getByTestId('belief-table');
  await table.waitFor();
  const words = page.getByTestId('belief-words');
  expect(await words.textContent()).toMatch(/^Its likeliest action /);
  const shares = () =>
    table.locator('td').evaluateAll((all) => all.map((cell) => Number(cell.style.getPropertyValue('--share'))));
  const [first, columns] = [await shares(), 5];
  expect(first).toHaveLength(4 * columns);
  for (let column = 0; column < columns; column++) {
    const sum = first.filter((_, at) => at % columns === column).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(1, 6);
  }
  // Its actions before and truly there are not the push's; those then are.
  await page.getByTestId('belief-strength').selectOption('3');
  const stronger = await shares();
  const kept = (all: number[]) => all.filter((_, at) => at % columns === 0 || at % columns === 2);
  expect(kept(stronger)).toEqual(kept(first));
  expect(stronger).not.toEqual(first);
  const chosen = page.getByTestId('belief-board').locator('input:checked');
  const before = await chosen.inputValue();
  await chosen.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen.inputValue()).not.toBe(before);
  await expect.poll(async () => kept(await shares())).not.toEqual(kept(first));
  expect(await overflow(page)).toBeLessThanOrEqual(0);
}
