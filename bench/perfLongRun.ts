/**
 * Performance of the page with long runs of 3 arms × 8 seeds × 2,000 updates. Their measurements are invented; they are
 * read from the browser's storage and drawn, compared, judged and sent like any others.
 */
import { findPreset } from '../src/experiment/presets/presets';
import { keepRun } from '../test/support/keptRun';
import { chooseOver, goTo } from '../test/support/page';
import { type Heap, measureHeap } from './perfHeap';
import type { Site } from './perfMeasures';
import { openObserved } from './perfPage';
import { type Part, Parts } from './perfParts';

const UPDATES = 2000;
const SEEDS = 8;
/** Milliseconds after which everything has certainly been drawn. */
const SETTLED = 3000;

export interface LongRun {
  readonly updates: number;
  readonly members: number;
  readonly parts: readonly Part[];
  readonly heap: Heap;
}

export async function measureLongRun(site: Site): Promise<LongRun> {
  const preset = findPreset('gridworld');
  if (preset === undefined) throw new Error('There is no preset gridworld.');
  const experiment = { ...preset.experiment, seeds: SEEDS, updates: UPDATES };
  const { context, page } = await openObserved(site.browser, site.server.url);
  await page.waitForLoadState('networkidle');
  for (const name of ['the first', 'the second']) await keepRun(page, experiment, UPDATES, name);
  await page.reload();
  await page.waitForLoadState('networkidle');
  const parts = new Parts(site, page);
  await parts.trace('kept run shown, drawn and judged', async () => {
    await goTo(page, 'runs');
    await page.getByTestId('show-run').first().click();
    await goTo(page, 'sure');
    await page.getByTestId('compare-table').waitFor();
    await goTo(page, 'lab');
    await page.waitForTimeout(SETTLED);
  });
  await parts.trace('kept run looked at from every place', async () => {
    for (const place of ['why', 'sure', 'training', 'lab']) {
      await goTo(page, place);
      await page.waitForTimeout(2000);
    }
  });
  await parts.trace('kept run over another axis', async () => {
    await chooseOver(page, 'tokens');
    await page.waitForTimeout(SETTLED);
  });
  await parts.trace('kept run zoomed in and out', async () => {
    await chooseOver(page, 'updates');
    const handle = page.getByRole('slider', { name: /Success rate.*shown to/ }).first();
    for (let step = 0; step < 8; step++) await handle.press('PageDown');
    await page.waitForTimeout(SETTLED);
    await handle.press('Escape');
    await page.waitForTimeout(SETTLED);
  });
  await goTo(page, 'runs');
  await parts.trace('kept run compared with another', async () => {
    await page.getByTestId('compare-run-1').click();
    await goTo(page, 'sure');
    await page.getByTestId('compare-1-no-mask').waitFor();
    await page.waitForTimeout(SETTLED);
  });
  await page.getByTestId('contenders').locator('summary').click();
  await parts.trace('kept run without some of its arms', async () => {
    await page.getByTestId('contender-1-no-mask').uncheck();
    await page.getByTestId('compare-1-no-mask').waitFor({ state: 'detached' });
    await page.waitForTimeout(SETTLED);
  });
  await goTo(page, 'lab');
  await parts.trace('kept run as a table', async () => {
    await page.getByTestId('table-successRate').click();
    await page.waitForTimeout(SETTLED);
  });
  const heap = await measureHeap(page);
  await page.getByTestId('share').click();
  await parts.trace('kept run sent as a link', async () => {
    await page.getByTestId('copy-result-link').click();
    await page.getByTestId('result-url').waitFor();
  });
  for (const kind of ['report', 'csv', 'json']) {
    await parts.trace(`kept run saved as ${kind}`, async () => {
      await Promise.all([page.waitForEvent('download'), page.getByTestId(`save-${kind}`).click()]);
    });
  }
  await context.close();
  return { updates: UPDATES, members: experiment.arms.length * SEEDS, parts: parts.found, heap };
}
