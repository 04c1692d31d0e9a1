/**
 * The GPU process crashes while the page trains. After one crash the run goes on by itself and ends with the numbers of
 * an undisturbed one. After more crashes the browser offers no adapter: the page says so, asks, and continues on the CPU.
 */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { CALMLY, curve } from '../support/labPage';
import { backendLine, chooseBackend, openGear } from '../support/page';

const experimentOf = (updates: number): string =>
  `#preset=gridworld-tiny&updates=${updates}&seeds=1&arms=action-mask,world-model`;

const SHORT = 10;
/** Updates of a run that cannot end between two crashes, however fast the machine is. */
const LONG = 300;

const browser = chromiumHere();

async function crashGpu(): Promise<void> {
  const session = await browser().newBrowserCDPSession();
  await session.send('Browser.crashGpuProcess').catch(() => {});
  await session.detach();
}

async function start(updates: number): Promise<Page> {
  const page = await (await browser().newContext()).newPage();
  await page.goto(inject('siteUrl') + experimentOf(updates));
  await chooseBackend(page, 'webgpu');
  await page.getByTestId('run-first').click();
  return page;
}

const status = (page: Page) => page.getByTestId('status');

async function until(page: Page, attribute: 'data-phase' | 'data-update', accept: string[] | number): Promise<string> {
  const handle = await page.waitForFunction(
    ([name, wanted]) => {
      const value = document.querySelector('[data-testid=status]')?.getAttribute(name) ?? '';
      if (value === 'failed') throw new Error(document.querySelector('[data-testid=message]')?.textContent ?? value);
      const accepted = typeof wanted === 'number' ? Number(value) >= wanted : wanted.includes(value);
      return accepted ? value : null;
    },
    [attribute, accept] as const,
    CALMLY,
  );
  return (await handle.jsonValue()) ?? '';
}

const surprise = (page: Page) => curve(page, 'observationCrossEntropy');

test('after a crash of the GPU process a run goes on by itself, to the same numbers; without an adapter on the CPU, as its link tells', async () => {
  const undisturbed = await start(SHORT);
  await until(undisturbed, 'data-phase', ['finished']);
  const expected = await surprise(undisturbed);
  expect(Object.keys(expected)).toHaveLength(2 * SHORT);
  const last = (arm: string): number => Number(expected[`${arm} ${SHORT - 1}`]);
  expect(last('world-model')).toBeLessThan(last('action-mask'));
  expect(await backendLine(undisturbed)).toEqual({ kind: 'webgpu', words: expect.stringMatching(/software/i) });
  await undisturbed.context().close();

  const again = await start(LONG);
  await until(again, 'data-update', 6);
  await crashGpu();
  await until(again, 'data-update', SHORT);
  await again.getByTestId('pause').click();
  await until(again, 'data-phase', ['paused']);
  // On a busy machine the table draws the last update after the count of updates.
  await expect.poll(() => surprise(again)).toMatchObject(expected);
  expect(await again.getByTestId('happenings').textContent()).toMatch(/another was opened/);
  await again.getByTestId('run').click();
  await until(again, 'data-phase', ['running']);
  await crashGpu();
  // A browser that still offers an adapter now recovers: crash it until it does not.
  for (let i = 0; i < 4 && (await until(again, 'data-phase', ['running', 'stranded'])) === 'running'; i++) {
    const before = Number(await status(again).getAttribute('data-update'));
    await Promise.race([until(again, 'data-update', before + 1), until(again, 'data-phase', ['stranded'])]);
    await crashGpu();
    await again.waitForTimeout(500);
  }
  await until(again, 'data-phase', ['stranded']);
  await again.getByTestId('continue-cpu').click();
  await until(again, 'data-phase', ['finished']);
  expect((await backendLine(again)).kind).toBe('cpu');
  expect(await again.getByTestId('run-machines').textContent()).toMatch(/on the CPU instead of WebGPU/);
  // The link carries the machines: the page that opens it says so, and the experiment is the same.
  await again.getByTestId('share').click();
  const link = await again.getByTestId('share-url').inputValue();
  expect(link).toMatch(/&ran=0:webgpu;\d+:cpu$/);
  const receiver = await (await browser().newContext()).newPage();
  await receiver.goto(link);
  expect(await receiver.getByTestId('linked-machines').textContent()).toMatch(/on the CPU instead of WebGPU/);
  await receiver.context().close();
  await again.keyboard.press('Escape');
  expect(Object.keys(await surprise(again))).toHaveLength(2 * LONG);
  await again.context().close();

  // A page opened now with the GPU chosen says that there is none, and offers the CPU. A run is stranded too where the GPU's
  // process takes longer to come back than the run asks for it, as on a busy machine: then there still is one, and it crashes.
  const late = await (await browser().newContext()).newPage();
  await late.goto(inject('siteUrl') + experimentOf(SHORT));
  const line = (kind: string) => late.locator(`[data-testid=backend-line][data-kind=${kind}]`);
  for (let i = 0; i < 6; i++) {
    await chooseBackend(late, 'webgpu');
    await openGear(late);
    await late.getByTestId('use-cpu').or(line('webgpu')).first().waitFor();
    if ((await line('webgpu').count()) === 0) break;
    await crashGpu();
    await chooseBackend(late, 'cpu');
    await openGear(late);
    await line('cpu').waitFor();
  }
  await late.getByTestId('use-cpu').click();
  await openGear(late);
  await line('cpu').waitFor();
  expect(await late.getByTestId('message').count()).toBe(0);
});
