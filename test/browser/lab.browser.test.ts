/**
 * The main use in a real browser: train arms side by side, see the curves move, change λ meanwhile, share the link, open it
 * elsewhere and get the same numbers, bit for bit. By night on (software) WebGPU too, which trains in recovery by day.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fuses } from '../../src/tensor/cpu/fuses';
import { chromiumHere } from '../support/chromiumHere';
import { curve, ENDLESS, openLab, waitForPhase, waitForUpdate } from '../support/labPage';
import { sampled } from '../support/nightly';
import { backendLine, goTo } from '../support/page';

const TINY = '#preset=gridworld-tiny';
const UPDATES = 20;
const BACKENDS = sampled(['cpu', 'webgpu'] as const, 2);

const browser = chromiumHere();

async function share(page: Page): Promise<string> {
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-url').inputValue();
  await page.keyboard.press('Escape');
  return link.slice(link.indexOf('#'));
}

async function setNumber(page: Page, path: string, value: string): Promise<void> {
  await goTo(page, 'settings');
  const field = page.getByTestId(`setting-${path}`);
  await field.scrollIntoViewIfNeeded();
  await field.fill(value);
  await field.press('Enter');
}

describe('the lab in Chromium', () => {
  test.each(BACKENDS)(
    'trains three arms on %s, takes a live change, and its link gives the same numbers',
    async (backend) => {
      const first = await openLab(browser(), TINY, { backend });
      await first.page.getByTestId('step').click();
      await waitForPhase(first.page, 'paused');
      const words = expect.stringMatching(backend === 'cpu' ? /^CPU/ : /software/i);
      expect(await backendLine(first.page)).toEqual({ kind: backend, words });

      await setNumber(first.page, 'ce.observation', '0.5');
      await first.page.getByTestId('run').click();
      await waitForPhase(first.page, 'finished');
      expect(await first.page.getByTestId('timeline').textContent()).toMatch(/0\.5/);

      const success = await curve(first.page, 'successRate');
      const surprise = await curve(first.page, 'observationCrossEntropy');
      expect(Object.keys(success)).toHaveLength(3 * UPDATES);
      const at = (arm: string, update: number) => Number((surprise[`${arm} ${update}`] ?? '').split(' ')[0]);
      // Random initial weights know nothing: near ln 32. The trained arm falls below the masked one.
      expect(at('action-mask', 0)).toBeGreaterThan(3);
      expect(at('action-mask', 0)).toBe(at('world-model', 0));
      expect(at('world-model', UPDATES - 1)).toBeLessThan(at('action-mask', UPDATES - 1));

      const link = await share(first.page);
      expect(link).toMatch(/changes=/);
      const second = await openLab(browser(), link, { backend });
      await second.page.getByTestId('run-first').click();
      await waitForPhase(second.page, 'finished');
      expect(await curve(second.page, 'successRate')).toEqual(success);
      expect(await curve(second.page, 'observationCrossEntropy')).toEqual(surprise);

      expect(first.complaints).toEqual([]);
      expect(second.complaints).toEqual([]);
    },
  );

  test('chooses the CPU where the only adapter is software, says so, and trains', async () => {
    const { page, complaints } = await openLab(browser(), TINY);
    await page.getByTestId('run-first').click();
    await waitForPhase(page, 'finished');
    const kind = fuses() ? 'cpu-fused' : 'cpu';
    expect(await backendLine(page)).toEqual({ kind, words: expect.stringMatching(/faster here than WebGPU/) });
    expect(complaints).toEqual([]);
  });

  test('keeps the height of its charts while they are redrawn', async () => {
    const { page, complaints } = await openLab(browser(), ENDLESS, { backend: 'cpu' });
    const height = () =>
      page.getByTestId('chart-successRate').evaluate((chart) => chart.getBoundingClientRect().height);
    await page.getByTestId('run-first').click();
    await page
      .getByRole('listbox', { name: /tokens of the episode/ })
      .first()
      .waitFor();
    await waitForUpdate(page, 3);
    const before = await height();
    const line = page.locator('[data-testid=chart-successRate] .plot-mean path').first();
    for (let redraws = 0; redraws < 4; redraws++) {
      const drawn = await line.getAttribute('d');
      await expect.poll(() => line.getAttribute('d')).not.toBe(drawn);
      expect(await height()).toBe(before);
    }
    expect(complaints).toEqual([]);
  });

  test('plans a phase by keyboard before a run, takes one back, and learns by it', async () => {
    const { page, complaints } = await openLab(browser(), `${TINY}&environment.noiseTokens=1`, {
      backend: 'cpu',
    });
    await page.getByTestId('plan-change').focus();
    await page.keyboard.press('Enter');
    const plan = async (update: string, setting: string, value: string): Promise<void> => {
      await page.getByTestId('plan-update').fill(update);
      await page.getByTestId('plan-setting').selectOption(setting);
      await page.getByTestId('plan-value').selectOption(value);
      await page.getByTestId('plan-add').focus();
      await page.keyboard.press('Enter');
    };
    await plan('8', 'imitation', 'actions');
    await plan('12', 'surrogate', 'cispo');
    expect(await page.getByTestId('timeline').locator('li').count()).toBe(2);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /from update 12/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: /from update 13/ }).press('Delete');
    expect(await page.getByTestId('timeline').locator('li').count()).toBe(1);
    await page.getByTestId('run-first').click();
    await waitForPhase(page, 'finished');
    // During demonstrations metrics of groups are undefined.
    const silent = await curve(page, 'zeroVarianceGroups');
    expect(silent['world-model 7']).toMatch(/^[\d.]+ [\d.]+$/);
    expect(silent['world-model 8']).toBe('NaN NaN');
    expect(await share(page)).toMatch(/imitation/);
    await goTo(page, 'lab');
    // One symbol of sixteen beside each cell: half of ln 16.
    const floors = page.getByTestId('chart-observationCrossEntropy').locator('.plot-floor path');
    await expect.poll(() => floors.count()).toBe(3);
    expect(complaints).toEqual([]);
  });

  test('steps one update at a time, and asks before a restart, and before a link or a reset ends the run', async () => {
    const { page, complaints } = await openLab(browser(), ENDLESS, { backend: 'cpu' });
    await page.getByTestId('step').click();
    await waitForPhase(page, 'paused');
    await waitForUpdate(page, 1);
    await page.getByTestId('step').click();
    await waitForUpdate(page, 2);
    await setNumber(page, 'batch.groups', '3');
    await page.getByTestId('restart').waitFor();
    expect(await page.getByTestId('status').getAttribute('data-update')).toBe('2');
    await page.getByTestId('keep').click();
    await page.getByTestId('restart').waitFor({ state: 'detached' });
    await page.getByTestId('run').click();
    await waitForPhase(page, 'running');
    await goTo(page, 'lab');
    await expect.poll(() => page.url()).toContain('#preset');
    const address = page.url();
    await page.evaluate(() => location.assign('#preset=gridworld&seeds=2'));
    expect(await page.getByTestId('leave-why').textContent()).toMatch(
      /link.*has trained for \d+ updates and can go on/,
    );
    expect(page.url()).toBe(address);
    await page.getByTestId('leave-stay').click();
    await page.getByTestId('reset').click();
    const closing = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await closing;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await page.getByTestId('leave-go').click();
    await waitForPhase(page, 'idle');
    // The way back: the run is in the list, and goes on.
    await goTo(page, 'runs');
    await page.getByTestId('show-run').click();
    await page.getByTestId('resume-kept').click();
    await waitForPhase(page, 'running');
    expect(complaints).toEqual([]);
  });

  test.each([
    ['an unknown preset', '#preset=nowhere', /nowhere/],
    ['an unknown key', '#preset=gridworld&arms.world-model.magic=1', /magic/],
    ['a number out of bounds', '#preset=gridworld&seeds=1000000', /seed/i],
    ['nonsense', '#%E0%A4%A', /link/i],
    ['a newer version', '#v=9&preset=gridworld', /version/i],
    ['a prototype key', '#preset=gridworld&__proto__.x=1', /__proto__/],
    ['a very long fragment', `#preset=gridworld&title=${'x'.repeat(200_000)}`, /at most/i],
  ])('answers %s with a message and a working lab', async (_, fragment, words) => {
    const { page, complaints } = await openLab(browser(), fragment);
    expect(await page.getByTestId('message').first().textContent()).toMatch(words);
    expect(await page.getByTestId('run-first').isEnabled()).toBe(true);
    expect(complaints).toEqual([]);
  });
});
