/**
 * A page that trains is gone in the middle: its renderer crashes. The page that is opened next goes on from the policies that
 * the browser kept, to the numbers of an undisturbed run. A finished run's policies are saved and play after a reload.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { importOnnx } from '../../src/onnx/importOnnx';
import { crashPage } from '../faults/killed';
import { chromiumHere } from '../support/chromiumHere';
import { CALMLY, curve, openLab, waitForPhase, waitForUpdate } from '../support/labPage';
import { sampled } from '../support/nightly';
import { goTo } from '../support/page';

/** More updates than a fast machine makes before the test has stopped it. */
const LONG = 20_000;
const experiment = (updates: number): string =>
  `#preset=gridworld-tiny&updates=${updates}&seeds=1&arms=action-mask,world-model`;

const browser = chromiumHere();

const keptOf = async (page: Page): Promise<number> =>
  Number(await page.getByTestId('status').getAttribute('data-kept'));

async function untilKept(page: Page, update: number): Promise<void> {
  await page.waitForFunction(
    (least) => Number(document.querySelector('[data-testid=status]')?.getAttribute('data-kept')) >= least,
    update,
    CALMLY,
  );
}

/** The bytes of the world model's policy, saved as a file. */
async function save(page: Page): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-policy').click()]);
  return readFile(await download.path());
}

/** Numbers of a run that rests: those of a chart, by arm and update, and the parameters of a policy. */
async function ending(page: Page) {
  const curves = await curve(page, 'observationCrossEntropy');
  await goTo(page, 'policies');
  const { parameters, update } = importOnnx(await save(page));
  return { curves, parameters, update };
}

/** By day the CPU: what a GPU lost is restored in recovery and in test/train. */
const BACKENDS = sampled(['cpu', 'webgpu'] as const, 2);

test.each(BACKENDS)('on %s, a crashed renderer costs a few seconds of training', async (backend) => {
  const { context, page } = await openLab(browser(), experiment(LONG), { backend });
  await page.getByTestId('run-first').click();
  await untilKept(page, 1);
  const kept = await keptOf(page);
  await crashPage(page);

  const next = await context.newPage();
  await next.goto(inject('siteUrl') + experiment(LONG));
  const resume = next.getByTestId('resume-kept');
  const [, from] = /^Continue from update (\d+)$/.exec((await resume.textContent()) ?? '') ?? [];
  expect(Number(from)).toBeGreaterThanOrEqual(kept);
  await resume.click();
  await waitForUpdate(next, Number(from) + 2);
  await next.getByTestId('pause').click();
  await waitForPhase(next, 'paused');
  const end = await ending(next);
  await context.close();

  expect(end.update).toBeGreaterThan(Number(from));
  const undisturbed = await openLab(browser(), experiment(end.update), { backend });
  await undisturbed.page.getByTestId('run-first').click();
  await waitForPhase(undisturbed.page, 'finished');
  expect(end).toEqual(await ending(undisturbed.page));
});

test('a finished run’s policies are saved, play and train on after a reload', async () => {
  const { page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=3&seeds=1', {
    backend: 'cpu',
  });
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  await untilKept(page, 3);
  await goTo(page, 'policies');
  const before = await save(page);
  await page.goto('about:blank');
  await page.goto(inject('siteUrl'));
  await waitForPhase(page, 'restored');
  await goTo(page, 'policies');
  const after = await save(page);
  expect(Buffer.compare(after, before)).toBe(0);
  await page
    .getByTestId('open-policy')
    .setInputFiles({ name: 'kept.onnx', mimeType: 'application/octet-stream', buffer: after });
  await page.getByTestId('play-policy').click();
  await page.getByTestId('played').waitFor();
  await goTo(page, 'lab');
  await page.getByTestId('resume-kept').click();
  await waitForPhase(page, 'finished');
  // One press trains on.
  await page.getByTestId('extend').click();
  await waitForUpdate(page, 6);
  expect(complaints).toEqual([]);
});

test('a next step begins its run with one press, and the run that was stays under Runs', async () => {
  const { page, complaints } = await openLab(browser(), experiment(3), { backend: 'cpu' });
  await page.getByTestId('run-first').click();
  await untilKept(page, 3);
  // What a step does is read beside it, by eye and by ear.
  const does = page.getByText('that is also rewarded for the world’s answers');
  expect(await does.isVisible()).toBe(true);
  const id = await does.getAttribute('id');
  expect(await page.getByTestId('next-mask').getAttribute('aria-describedby')).toBe(id);
  await page.getByTestId('next-mask').click();
  await page.getByTestId('arm-arm-3').waitFor();
  await page.getByTestId('verdict').getByText('For comparison: No mask').waitFor();
  // What was tried is offered no more.
  expect(await page.getByTestId('next-mask').count()).toBe(0);
  await goTo(page, 'runs');
  await expect.poll(() => page.getByTestId('kept-run').count()).toBe(2);
  expect(complaints).toEqual([]);
});
