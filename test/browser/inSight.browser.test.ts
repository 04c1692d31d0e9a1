/** Things that are in sight together: cause and effect in one window, Run on a phone, all charts on paper. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { openLab, waitForPhase } from '../support/labPage';
import { goTo, overflow, violations } from '../support/page';

const TINY = '#preset=gridworld-tiny&updates=4';
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', reducedMotion: 'reduce' } as const;

const browser = chromiumHere();

/** Elements of which a pixel is outside of the window or not seen at all. */
const outOfSight = (page: Page, selectors: readonly string[]): Promise<string[]> =>
  page.evaluate(
    (all) =>
      all.filter((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        if (box === undefined || box.width === 0) return true;
        return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
      }),
    selectors,
  );

test('cause and effect are in one window: λ is changed beside the curves, and its mark is seen', async () => {
  const link = '#preset=gridworld-tiny&updates=100000&seeds=1';
  const { page, complaints } = await openLab(browser(), link, {
    backend: 'cpu',
    viewport: { width: 1440, height: 900 },
  });
  expect(await page.getByTestId('run').isVisible()).toBe(false);
  await page.getByTestId('run-first').click();
  await page.locator('.world .strip .chip').first().waitFor();
  await page.locator('[data-testid=chart-observationCrossEntropy] .plot-mean path').first().waitFor();
  const together = [
    '[data-testid="live-slider-ce.observation"]',
    '[data-testid="live-ce.observation"]',
    '[data-testid="live-learningRate"]',
    '[data-testid="chart-successRate"]',
    '[data-testid="chart-observationCrossEntropy"]',
    '.world-stage',
    '.world .strip',
    '[data-testid=pause]',
    '[data-testid=status]',
    '[data-testid=gear]',
    '[data-testid=cell-world-model-observation]',
  ];
  expect(await outOfSight(page, together)).toEqual([]);
  await page.getByTestId('live-ce.observation').fill('0.5');
  await page.getByTestId('live-ce.observation').press('Enter');
  const marks = (chart: string) => `[data-testid=chart-${chart}] .plot-mark`;
  for (const chart of ['successRate', 'observationCrossEntropy']) await page.locator(marks(chart)).first().waitFor();
  expect(await outOfSight(page, [...together, marks('successRate'), marks('observationCrossEntropy')])).toEqual([]);
  // Nothing scrolls, on a window as small as the lab is made for.
  for (const [width, height] of [
    [1440, 900],
    [1200, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const scrolls = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('html, .screen-arms, .screen-arms > .arms, .screen-worlds, .screen-charts')]
          .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
          .map(({ className }) => className),
      );
    await expect.poll(scrolls).toEqual([]);
    // No word is broken.
    const heights = await page
      .locator('.arm-cell .chip:first-child')
      .evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(new Set(heights)).toEqual(new Set([26]));
  }
  expect(complaints).toEqual([]);
});

test('changes too near for a mark each are one mark, whose list leads to each of them by keyboard', async () => {
  const changes = '&changes=500:world-model:ce.observation:1;501:*:learningRate:0.02;900:*:learningRate:0.01';
  const { page, complaints } = await openLab(browser(), `#preset=gridworld-tiny&updates=1000${changes}`);
  const marks = page.getByTestId('timeline').getByRole('button');
  await expect.poll(() => marks.count()).toBe(2);
  await marks.first().press('Enter');
  const panel = page.getByRole('dialog', { name: '2 changes' });
  await panel.getByRole('button', { name: /learning rate .*from update 501/ }).press('Enter');
  const form = page.getByRole('dialog', { name: /learning rate .*from update 501/ });
  await form.waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  expect(await marks.first().evaluate((one) => one === document.activeElement)).toBe(true);
  expect(complaints).toEqual([]);
});

test('on a phone Run is always in sight, and the live numbers come in a sheet', async () => {
  const { page, complaints } = await openLab(browser(), TINY.replace('updates=4', 'updates=100000&seeds=1'), {
    ...PHONE,
    backend: 'cpu',
  });
  for (const top of [0, 900]) {
    await page.evaluate((y) => scrollTo(0, y), top);
    const always = ['run', 'live-open', 'status', 'share', 'choose-experiment'].map((id) => `[data-testid=${id}]`);
    expect(await outOfSight(page, always)).toEqual([]);
  }
  // The arms stand above the charts.
  const tops = await page
    .locator('.screen-arms, .screen-charts')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(tops[0]).toBeLessThan(tops[1] ?? 0);
  await page.getByTestId('run').click();
  // The arms are compared while one scrolls.
  const curve = page.getByTestId('running-curve');
  await expect.poll(() => curve.locator('polyline[points*=" "]').count()).toBe(3);
  expect(await curve.getByRole('listitem').filter({ hasText: /\d%/ }).count()).toBe(3);
  for (const top of [0, 900, 1800]) {
    await page.evaluate((y) => scrollTo(0, y), top);
    expect(await outOfSight(page, ['[data-testid=running-curve]']), `at ${top}`).toEqual([]);
  }
  await page.getByTestId('live-open').click();
  await page.getByTestId('live-ce.observation').fill('0.5');
  await page.getByTestId('live-ce.observation').press('Enter');
  await page
    .getByTestId('last-change')
    .getByText(/^From update \d+: .*0\.1 → 0\.5\.$/)
    .waitFor();
  expect(await outOfSight(page, ['[data-testid=pause]', '[data-testid=live-open]'])).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('[data-testid=live-open]:focus').waitFor();
  expect(await page.getByTestId('live').count()).toBe(0);
  // An arm has one number, here and in the table.
  await page.getByTestId('pause').click();
  await page.locator('[data-testid=status][data-phase=paused]').waitFor();
  const shares = (texts: readonly string[]) => texts.map((text) => /\d+%/.exec(text)?.[0]);
  const inTable = page.locator('td.outcome[data-label^=success] .outcome-main');
  const [small, large] = [curve.getByRole('listitem'), inTable];
  const both = async () => [shares(await small.allTextContents()), shares(await large.allTextContents())] as const;
  await expect.poll(async () => new Set((await both()).map(String)).size).toBe(1);
  // What was pressed stays in sight above its sheet, which a button closes.
  const cell = page.getByTestId('cell-world-model-observation');
  await cell.evaluate((one) => one.scrollIntoView({ block: 'end' }));
  await cell.click();
  const sheet = page.getByRole('dialog', { name: /^Loss on observation tokens/ });
  const close = sheet.getByRole('button', { name: 'Close' });
  await close.waitFor();
  const edges = async () => [(await cell.boundingBox())?.y ?? 0, (await sheet.boundingBox())?.y ?? 0] as const;
  await expect.poll(async () => (await edges())[0] + 24 < (await edges())[1]).toBe(true);
  expect((await edges())[0]).toBeGreaterThan(0);
  await close.click();
  await sheet.waitFor({ state: 'detached' });
  // What waits for a restart is one line with one primary button, where one edits.
  await goTo(page, 'settings');
  await page.getByTestId('setting-batch.groups').fill('3');
  await page.keyboard.press('Enter');
  const bar = page.locator('[data-testid=message][data-kind=restart]');
  await bar.waitFor();
  expect((await bar.boundingBox())?.height).toBeLessThan(60);
  expect(await page.locator('.button-primary:visible').count()).toBe(1);
  await goTo(page, 'runs');
  await bar.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('a run begun far down a phone’s page is seen to begin; on paper, all of its charts are drawn', async () => {
  const { page, complaints } = await openLab(browser(), TINY, { ...PHONE, backend: 'cpu' });
  const training = async () => [
    await page.getByTestId('training-to-come').count(),
    await page.getByTestId('chart-entropy').count(),
  ];
  await goTo(page, 'training');
  await expect.poll(training).toEqual([1, 0]);
  await goTo(page, 'lab');
  await page.evaluate(() => scrollTo(0, 400));
  // There is one button to run it with.
  expect(await page.getByTestId('run-first').isVisible()).toBe(false);
  await page.getByTestId('run').click();
  expect(await outOfSight(page, ['[data-testid=status]'])).toEqual([]);
  await goTo(page, 'training');
  await expect.poll(training).toEqual([0, 1]);
  await waitForPhase(page, 'finished');
  const undrawn = () =>
    page
      .locator('main:not([hidden]) .chart')
      .evaluateAll((all) => all.filter((one) => !one.querySelector('path')).length);
  expect(await undrawn()).toBeGreaterThan(0);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await undrawn()).toBe(0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(undrawn).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});

test('the keyboard’s first stop leads past the header: in the lab to Run, elsewhere into the place', async () => {
  const { page, complaints } = await openLab(browser(), TINY, {
    backend: 'cpu',
    viewport: { width: 1440, height: 900 },
  });
  await page.reload();
  const hasFocus = (id: string) => page.getByTestId(id).evaluate((one) => one === document.activeElement);
  await page.getByTestId('run-first').waitFor();
  await page.keyboard.press('Tab');
  expect(await hasFocus('skip')).toBe(true);
  expect(await outOfSight(page, ['[data-testid=skip]'])).toEqual([]);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await hasFocus('run-first')).toBe(true);
  await goTo(page, 'library');
  await page.locator('main:not([hidden]) input').first().waitFor();
  await page.getByTestId('skip').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.locator('main:not([hidden]) :focus').count()).toBe(1);
  expect(complaints).toEqual([]);
});
