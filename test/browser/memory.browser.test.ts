/** A browser that gives the trainer less memory than the usual plan needs: the page says so, and the numbers stay. */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { decodeLink } from '../../src/experiment/link/link';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import { chromiumHere } from '../support/chromiumHere';
import { waitForPhase } from '../support/labPage';
import { chooseBackend } from '../support/page';

/** Experiment of one member, which trains in the trainer's own Worker, and 32 trajectories, which can be cut in two. */
const FRAGMENT = '#preset=gridworld-tiny&arms=world-model&seeds=1&updates=3&batch.groups=4&batch.groupSize=8';

const browser = chromiumHere();

/** Script for the beginning of the trainer's Worker that limits the growth of WebAssembly memory. */
const limited = (bytes: number): string => `{
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > ${bytes}) throw new RangeError('Unable to grow instance memory');
    return grow.call(this, pages);
  };
}\n`;

async function run(memory: number | null): Promise<Page> {
  const page = await (await browser().newContext()).newPage();
  let altered = 0;
  await page.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    altered += 1;
    await route.fulfill({ response, body: (memory === null ? '' : limited(memory)) + (await response.text()) });
  });
  await page.goto(inject('siteUrl') + FRAGMENT);
  await chooseBackend(page, 'cpu');
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  expect(altered).toBeGreaterThan(0);
  return page;
}

async function curve(page: Page): Promise<string[]> {
  await page.getByTestId('table-observationCrossEntropy').click();
  const cells = page.getByTestId('chart-observationCrossEntropy').locator('td[data-arm]');
  await cells.first().waitFor();
  return cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('data-seeds') ?? ''));
}

test('a run without memory enough is cut smaller, says so, and draws the same curves', async () => {
  const backend = await createCpuBackend();
  new Trainer(backend, decodeLink(FRAGMENT));
  const usual = await run(null);
  expect(await usual.getByTestId('run-machines').count()).toBe(0);
  const short = await run(0.9 * backend.allocatedBytes);
  const words = /each batch (is )?cut into 2 parts/;
  expect(await short.getByTestId('run-machines').textContent()).toMatch(words);
  expect(await short.locator('[data-testid=message][data-kind=happened]').textContent()).toMatch(words);
  await short.getByTestId('share').click();
  expect(await short.getByTestId('share-url').inputValue()).toMatch(/&ran=0:cpu:2$/);
  await short.keyboard.press('Escape');
  const curves = await curve(usual);
  expect(curves).toHaveLength(3);
  expect(await curve(short)).toEqual(curves);
  await usual.context().close();
  await short.context().close();
});
