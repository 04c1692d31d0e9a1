/** Examinations on the page: the table has the same numbers as the experiment trained in Node, and the chart draws them. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { decodeLink } from '../../src/experiment/link/link';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import { chromiumHere } from '../support/chromiumHere';
import { curve, openLab, waitForPhase } from '../support/labPage';
import { goTo } from '../support/page';

const SMALL = 'seeds=2&updates=11&evaluation.every=5&evaluation.tasks=8';

const browser = chromiumHere();

/** Numbers of a run in Node, in the form of `curve`: "arm update" → the seeds' numbers. */
async function trainedHere(fragment: string, metrics: readonly MetricName[]): Promise<Record<string, string>[]> {
  const experiment = decodeLink(fragment);
  const trainer = new Trainer(await createCpuBackend(), experiment);
  await trainer.prepare();
  const curves: Record<string, string>[] = metrics.map(() => ({}));
  for (let update = 0; update < experiment.updates; update++) {
    const values = Float32Array.from(await (await trainer.runUpdate()).metrics);
    for (const { id } of experiment.arms) {
      metrics.forEach((metric, index) => {
        const seeds = trainer.members.flatMap(({ arm }, member) =>
          arm === id ? [values[member * METRICS.length + METRIC[metric]] as number] : [],
        );
        (curves[index] as Record<string, string>)[`${id} ${update}`] = seeds.join(' ');
      });
    }
  }
  trainer.dispose();
  return curves;
}

/** Values of the points of each arm's line on a chart of shares. */
function drawnShares(page: Page, metric: string): Promise<number[][]> {
  return page.getByTestId(`chart-${metric}`).evaluate((chart) => {
    // The grid's lowest and highest lines are 0 and 100%.
    const grid = [...chart.querySelectorAll('.plot-grid line')];
    const heights = grid.map((line) => Number(line.getAttribute('y1')));
    const [none, all] = [Math.max(...heights), Math.min(...heights)];
    return [...chart.querySelectorAll<SVGPathElement>('.plot-mean path')].map((line) =>
      [...(line.getAttribute('d') ?? '').matchAll(/[ML]?(-?[\d.]+),(-?[\d.]+)/g)].map(
        ([, , y]) => (Number(y) - none) / (all - none),
      ),
    );
  });
}

const mean = (seeds = ''): number => {
  const values = seeds.split(' ').map(Number);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
};

test.each([
  {
    name: 'held-out tasks',
    fragment: `#preset=gridworld-tiny&${SMALL}`,
    metrics: ['heldOutSuccess', 'heldOutGreedySuccess', 'heldOutCrossEntropy'],
    absent: ['toolOffSuccess'],
  },
  {
    name: 'the calculator without its tool',
    fragment:
      `#preset=calculator-without-tool&${SMALL}&warmStart.updates=20&warmStart.learningRate=0.01` +
      '&policy.layers=1&policy.width=16&policy.heads=2&batch.groups=4&batch.groupSize=4' +
      '&environment.heldOut=0.2&evaluation.toolEvery=5',
    metrics: ['toolOffSuccess', 'heldOutSuccess', 'practisedToolUp', 'newToolUp', 'practisedToolDown', 'newToolDown'],
    absent: [],
  },
] as const)('$name: charts and tables show what examinations measured', async ({ fragment, metrics, absent }) => {
  const { page, complaints } = await openLab(browser(), fragment, { backend: 'cpu' });
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  const expected = await trainedHere(fragment, metrics);
  const [success] = metrics;
  const examined = Object.entries(expected[0] ?? {}).filter(([, seeds]) => !seeds.includes('NaN'));
  expect(new Set(examined.map(([key]) => key.split(' ')[1]))).toEqual(new Set(['0', '4', '9']));
  // The bars beside the arms are those of the last examination: practised and new, the tool up and down.
  const bars = expected.slice((metrics as readonly string[]).indexOf('practisedToolUp'));
  const shown = decodeLink(fragment).arms.flatMap(({ id }) => bars.map((of) => expect.closeTo(mean(of[`${id} 9`]), 5)));
  const shares = page
    .locator('.tool-bar')
    .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('data-share'))));
  expect(await shares).toEqual(bars.length === 4 ? shown : []);
  // All of the table is in its place, with each arm's name on one line.
  const table = page.locator('section:has(> .tool-bars)');
  const cut = table.evaluateAll((all) => all.map((place) => place.scrollWidth - place.clientWidth));
  expect(await cut).toEqual(bars.length === 4 ? [0] : []);
  const names = page.locator('.tool-bars tbody th');
  const breaks = names.evaluateAll((all) => all.map((name) => getComputedStyle(name).whiteSpace));
  expect(new Set(await breaks)).toEqual(new Set(bars.length === 4 ? ['nowrap'] : []));

  await goTo(page, 'training');
  await page.getByTestId(`chart-${success}`).scrollIntoViewIfNeeded();
  const means = decodeLink(fragment).arms.map(({ id }) =>
    examined.filter(([key]) => key.startsWith(`${id} `)).map(([, seeds]) => expect.closeTo(mean(seeds), 2)),
  );
  await expect.poll(() => drawnShares(page, success)).toEqual(means);
  for (const [index, metric] of metrics.entries()) expect(await curve(page, metric), metric).toEqual(expected[index]);
  for (const metric of absent) expect(await page.getByTestId(`chart-${metric}`).count()).toBe(0);
  expect(complaints).toEqual([]);
});
