/**
 * The page with a long run in it: 3 arms × 8 seeds × 2,000 updates, their measurements invented, read from the browser's
 * storage and drawn, compared, judged and sent as any other.
 */
import { findPreset } from '../src/experiment/presets';
import { keepRun } from '../test/support/keptRun';
import { type Heap, measureHeap } from './perfHeap';
import type { Site } from './perfMeasures';
import { openObserved } from './perfPage';
import { type Task, traceTasks } from './perfTasks';

const UPDATES = 2000;
const SEEDS = 8;

export interface LongRun {
  readonly updates: number;
  readonly members: number;
  /** The longest tasks of the main thread in each part, by time on the processor. */
  readonly parts: readonly { readonly name: string; readonly longest: readonly Task[] }[];
  readonly heap: Heap;
}

export async function measureLongRun({ browser, server }: Site): Promise<LongRun> {
  const preset = findPreset('gridworld');
  if (preset === undefined) throw new Error('There is no preset gridworld.');
  const experiment = { ...preset.experiment, seeds: SEEDS, updates: UPDATES };
  const { context, page } = await openObserved(browser, server.url);
  await page.waitForLoadState('networkidle');
  await keepRun(page, experiment, UPDATES);
  await page.reload();
  await page.waitForLoadState('networkidle');
  const parts: { name: string; longest: Task[] }[] = [];
  const trace = async (name: string, during: () => Promise<unknown>): Promise<void> => {
    const tasks = await traceTasks(browser, page, async () => {
      await during();
    });
    parts.push({ name, longest: tasks.slice(0, 3) });
  };
  await trace('shown, drawn, compared and judged', async () => {
    await page.getByTestId('show-run').click();
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByTestId('chart-successRate').getByText('Each point is the mean of 5 updates.').waitFor();
    await page.getByTestId('compare-table').waitFor();
    await page.waitForTimeout(3000);
  });
  await trace('scrolled through', async () => {
    for (let step = 0; step < 8; step++) {
      await page.mouse.wheel(0, 600);
      await page.waitForTimeout(1000);
    }
  });
  await trace('over tokens', async () => {
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByTestId('progress-choice').first().selectOption('tokens');
    await page.waitForTimeout(3000);
  });
  const heap = await measureHeap(page);
  await page.getByTestId('share').click();
  await trace('sent as a link', async () => {
    await page.getByTestId('copy-result-link').click();
    await page.getByTestId('result-url').waitFor();
  });
  for (const kind of ['report', 'csv', 'json']) {
    await trace(`saved as ${kind}`, async () => {
      await Promise.all([page.waitForEvent('download'), page.getByTestId(`save-${kind}`).click()]);
    });
  }
  await context.close();
  return { updates: UPDATES, members: experiment.arms.length * SEEDS, parts, heap };
}
