/**
 * The page of kernels in a real browser on software WebGPU. It is reached by link and back button, checks a kernel
 * against float64 on the device, judges a fixture file, refuses a foreign one, and pauses a run while timing.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { ENDLESS, ofWidth, openLab } from '../support/labPage';
import { sampled } from '../support/nightly';
import { chooseBackend, goTo, overflow } from '../support/page';

const browser = chromiumHere();

const open = (fragment: string, width = 1440) => openLab(browser(), fragment, ofWidth(width));

const phase = (page: Page, testId: string, wanted: string) =>
  page.locator(`[data-testid=${testId}][data-phase=${wanted}]`).waitFor({ state: 'attached' });

/** File of two cases, the second with a wrong expectation. */
function smallFixture(): Buffer {
  const [first] = JSON.parse(readFileSync(new URL('../fixtures/kl.json', import.meta.url), 'utf8'));
  const wrong = structuredClone(first);
  wrong.name = 'a wrong expectation';
  wrong.expected.kl.data[0] += 1;
  return Buffer.from(JSON.stringify([first, wrong]));
}

describe.each(sampled([1440, 390], 2))('the page of kernels at a width of %i', (width) => {
  test('lists, finds, checks on WebGPU against float64, and shows the text', async () => {
    const { page, complaints } = await open('#kernels', width);
    await page.locator('[data-testid^=kernel-] .kernel-name').first().waitFor();
    expect(await page.locator('[data-testid^=kernel-] .kernel-name').count()).toBeGreaterThan(40);
    await page.getByTestId('kernels-search').fill('dense position');
    expect(await page.getByTestId('kernel-optimiser/adamw').count()).toBe(0);
    await page.getByTestId('kernel-log_prob/scatter_rows').getByRole('link').first().click();
    await page.getByTestId('kernel-wgsl').waitFor();
    expect(new URL(page.url()).hash).toBe('#kernels/log_prob/scatter_rows');
    expect(await page.getByTestId('kernel-about').textContent()).toMatch(/rows in use with position > 0/);
    expect(await page.getByTestId('kernel-wgsl').textContent()).toMatch(/\/\/ #include "lib\/grid\.wgsl"/);
    await page.getByTestId('kernel-code').click();
    expect(await page.getByTestId('kernel-wgsl').textContent()).toMatch(/fn lineOf/);

    await page.getByTestId('kernel-check').focus();
    await page.keyboard.press('Enter');
    const result = page.getByTestId('kernel-result');
    await result.waitFor();
    expect(await result.getAttribute('data-kind')).toBe('webgpu');
    expect(Number(await result.getAttribute('data-worst'))).toBeLessThanOrEqual(1);
    expect(await page.locator('.kernel-details tbody tr').count()).toBeGreaterThan(1);
    await phase(page, 'kernel-work', 'idle');
    await page.locator('.kernel-details summary').click();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await page.goBack();
    expect(await page.getByTestId('kernels-summary').textContent()).toMatch(/^1 of \d+ kernels checked .* all agree/);
    expect(complaints).toEqual([]);
  });
});

test('a fixture file is judged case by case; a foreign file is refused in words', async () => {
  const { page, complaints } = await open('#kernels');
  const choose = (name: string, buffer: Buffer) =>
    page.getByTestId('fixtures-file').setInputFiles({ name, mimeType: 'application/json', buffer });
  await choose('experiment.json', Buffer.from('{"version": 1}'));
  const problem = page.getByTestId('fixtures-problem');
  await problem.waitFor();
  expect(await problem.textContent()).toMatch(/experiment\.json: The file is no list of cases.*docs\/fixtures\.md/);
  await choose('mine.json', smallFixture());
  const report = page.getByTestId('fixtures-report');
  await report.waitFor();
  expect(await problem.count()).toBe(0);
  expect(await report.textContent()).toMatch(/1 passed, 1 failed, 0 skipped.*SwiftShader/);
  expect(await page.getByTestId('fixtures-failures').textContent()).toMatch(/a wrong expectation failed.*expected/);
  expect(complaints).toEqual([]);
});

test('a run goes on beside it, is paused while kernels are timed, and the lab is as it was left', async () => {
  const { page, complaints } = await open(ENDLESS);
  await chooseBackend(page, 'cpu');
  await page.getByTestId('run-first').click();
  await phase(page, 'status', 'running');
  await goTo(page, 'kernels');
  await page.getByTestId('kernel-optimiser/adamw').getByRole('link').first().click();
  await page.getByTestId('kernel-check').click();
  await page.getByTestId('kernel-result').waitFor();
  // The user chose the CPU, so its operations are checked, and the page says so.
  expect(await page.getByTestId('kernel-result').getAttribute('data-kind')).toBe('cpu');
  expect(await page.getByTestId('kernel-work').textContent()).toMatch(/“Runs on” says so/);
  expect(await page.getByTestId('status').getAttribute('data-phase')).toBe('running');
  await page.getByTestId('kernel-time').click();
  await phase(page, 'status', 'paused');
  await phase(page, 'kernel-work', 'working');
  await page.getByTestId('kernel-stop').click();
  await phase(page, 'status', 'running');
  expect(await page.getByTestId('kernel-work').textContent()).toMatch(/^Stopped\./);
  await goTo(page, 'lab');
  await page.getByTestId('chart-successRate').waitFor();
  expect(await page.getByTestId('kernels').count()).toBe(0);
  await page.goBack();
  await page.getByTestId('kernels').waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByTestId('chart-successRate').waitFor();
  expect(await page.getByTestId('status').getAttribute('data-phase')).toBe('running');
  expect(complaints).toEqual([]);
});
