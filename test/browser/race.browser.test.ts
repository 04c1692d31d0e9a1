/** The choice between GPU and CPU in a browser whose adapter says that it is no software, and is. */
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { openLab, waitForPhase } from '../support/labPage';
import { backendLine } from '../support/page';

const browser = chromiumHere();

const LIE = `for (const [name, value] of Object.entries({
  vendor: 'twin', architecture: 'm9', device: '', description: 'Twin M9', isFallbackAdapter: false,
})) Object.defineProperty(GPUAdapterInfo.prototype, name, { get: () => value });\n`;

test('both are timed before the run, the CPU trains, and the line says why; the next run remembers', async () => {
  const { context, page } = await openLab(browser(), '');
  await context.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: LIE + (await response.text()) });
  });
  await page.goto(`${page.url().split('#')[0]}#preset=gridworld-tiny`);
  await page.reload();
  const status = page.getByTestId('status').first();
  await page.getByTestId('run-first').click();
  await expect.poll(() => status.textContent(), { timeout: 30_000 }).toMatch(/compiled \d+ of \d+ kernels for Twin M9/);
  await waitForPhase(page, 'finished');
  const line = await backendLine(page);
  expect(line.kind).toMatch(/^cpu/);
  // On a busy machine it is not ready in time, and nothing is remembered.
  expect(line.words).toMatch(/ms an update(, Twin M9 [\d,.]+ ms$| here; Twin M9 was not ready)/);
  const isTimed = !line.words?.includes('not ready');
  expect(await page.evaluate(() => localStorage.getItem('unmask.races') !== null)).toBe(isTimed);
  expect(await page.getByTestId('use-gpu').count()).toBe(isTimed ? 1 : 0);
  if (isTimed) {
    await page.getByTestId('use-gpu').click();
    await expect.poll(() => page.getByTestId('backend-choice').inputValue()).toBe('webgpu');
    await page.getByTestId('backend-choice').selectOption('auto');
    await page.reload();
    await expect.poll(async () => (await backendLine(page)).words).toMatch(/as measured earlier$/);
  }
});
