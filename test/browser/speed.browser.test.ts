/**
 * The measuring of speed in a real browser: it measures with the code that trains, pauses a run and lets it go on, stops at
 * once, and is accessible. Also titles, resets and restarts of the page.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { ENDLESS, ofWidth, openLab } from '../support/labPage';
import { sampled } from '../support/nightly';
import { goTo, overflow } from '../support/page';

const browser = chromiumHere();

const open = (fragment: string, width = 1440) =>
  openLab(browser(), fragment, {
    ...ofWidth(width),
    backend: 'cpu',
    permissions: ['clipboard-read', 'clipboard-write'],
  });

const until = (page: Page, testId: string, phase: string) =>
  page.locator(`[data-testid=${testId}][data-phase=${phase}]`).waitFor({ state: 'attached' });

describe.each(sampled([1440, 390], 2))('the place of speed at a width of %i', (width) => {
  test('measures, shows tables with true numbers, and copies them', async () => {
    const { page, complaints } = await open('#preset=gridworld-tiny', width);
    await goTo(page, 'speed');
    await page.getByTestId('speed-quick').focus();
    await page.keyboard.press('Enter');
    await until(page, 'speed-progress', 'done');
    expect(await page.getByTestId('speed-device').textContent()).toMatch(/CPU/);
    expect(await page.getByTestId('speed-parts').locator('tbody tr').count()).toBeGreaterThan(5);
    expect(await page.getByTestId('speed-counts').locator('tbody tr').count()).toBe(6);
    expect(await page.getByTestId('speed-population').locator('tbody tr').count()).toBe(2);
    const text = await page.getByTestId('place-speed').textContent();
    expect(text).toMatch(/GFLOP\/s/);
    expect(text).not.toMatch(/Infinity|NaN/);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);

    await page.getByTestId('speed-json').click();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied.reports.map(({ subject }: { subject: string }) => subject)).toEqual([
      'train',
      'kernels',
      'population',
    ]);
    const { parts } = copied.reports[0];
    expect(parts.reduce((sum: number, part: { share: number }) => sum + part.share, 0)).toBeCloseTo(1, 6);
    for (const { share } of copied.reports[1].rows) expect(share).toBeLessThanOrEqual(1.000001);
    await page.getByTestId('speed-markdown').click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^## Speed of training: CPU/);

    expect(complaints).toEqual([]);
  });
});

test('a run is paused while the speed is measured, goes on afterwards, and measuring stops at once when asked', async () => {
  const { page, complaints } = await open(ENDLESS);
  await page.getByTestId('run-first').click();
  await until(page, 'status', 'running');
  await goTo(page, 'speed');
  await page.getByTestId('speed-quick').click();
  await until(page, 'status', 'paused');
  await until(page, 'speed-progress', 'done');
  await until(page, 'status', 'running');
  await page.getByTestId('speed-start').click();
  await until(page, 'speed-progress', 'measuring');
  await page.getByTestId('speed-stop').click();
  await until(page, 'status', 'running');
  expect(await page.getByTestId('speed-progress').getAttribute('data-phase')).toBe('stopped');
  expect(complaints).toEqual([]);
});

test('a machine is measured with progress, and stopped at once when asked', async () => {
  const { page, complaints } = await open('#speed&preset=gridworld-tiny');
  await page.getByTestId('speed-machine').click();
  await page.waitForFunction(() => /Measuring, [1-9]\d?%/.test(document.body.textContent ?? ''));
  await page.getByTestId('speed-stop').click();
  expect(await page.getByTestId('speed-progress').getAttribute('data-phase')).toBe('stopped');
  expect(complaints).toEqual([]);
});

test('an empty title goes back to what it was; a long one keeps to its line and is its own tooltip', async () => {
  const { page } = await open('#settings&preset=gridworld-tiny');
  const field = page.getByTestId('setting-title');
  await field.fill('   ');
  expect(await page.getByRole('alert').textContent()).toMatch(/needs a title/);
  await field.blur();
  expect(await field.inputValue()).toMatch(/A first look/);
  const long = `Which ${'very '.repeat(20)}long title`.slice(0, 120);
  await field.fill(long);
  expect(await page.locator('.title').getAttribute('title')).toBe(long);
  expect(await page.locator('.title').textContent()).toBe(long);
});

test('a reset hands the focus on; a restart names arms once and says what becomes of live changes', async () => {
  const { page } = await open('#preset=gridworld-tiny&updates=2000');
  await page.getByTestId('step').click();
  await until(page, 'status', 'paused');
  await page.getByTestId('live-learningRate').fill('0.002');
  await page.keyboard.press('Enter');
  await page.getByTestId('timeline').waitFor();
  await page.getByTestId('add-arm').click();
  await page.getByTestId('add-method').press('ArrowDown');
  await page.getByTestId('objective-grpo').click();
  const message = page.locator('[data-testid=message][data-kind=restart]');
  const words = (await message.textContent()) ?? '';
  expect(words).toMatch(/with GRPO/);
  expect(words).not.toMatch(/Action mask/);
  expect(words).toMatch(/change made while training will not be replayed/);
  await page.getByTestId('keep').click();
  await page.getByTestId('reset').click();
  // The question goes with its place.
  const question = page.getByRole('dialog', { name: 'Back to the beginning' });
  await question.waitFor();
  await page.evaluate(() => location.assign('#training'));
  await question.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByTestId('reset').click();
  await page.getByRole('button', { name: /Start from the settings/ }).click();
  await until(page, 'status', 'idle');
  await page.locator('[data-testid=run-first]:focus').waitFor();
});
