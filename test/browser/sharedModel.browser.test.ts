/** Adapters on an isolated page: the Workers of the CPU hold the frozen model once, as the page says, and train as Node does. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { decodeLink } from '../../src/experiment/link/link';
import { readPolicies } from '../../src/train/policies/files';
import { weightsOf } from '../../src/train/population/training';
import { chromiumHere } from '../support/chromiumHere';
import { isolatedSite } from '../support/isolated';
import { curve, waitForPhase } from '../support/labPage';
import { chooseBackend } from '../support/page';
import { cpuTrainer, curveOf, metricsOf } from '../support/trained';

const FRAGMENT =
  '#preset=listener&arms=action-mask,world-model&seeds=1&updates=2&evaluation.every=0&batch.groups=2&batch.groupSize=4&policy.adapterRank=4';

const browser = chromiumHere();

/** Beginning of a Worker's script: says of each memory that it makes whether threads share it. */
const TELLS = `{
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(limits) {
      super(limits);
      console.debug('memory', location.pathname.includes('pageWorker') ? 'of a part' : 'of all', limits.shared === true);
    }
  };
}\n`;

// On one core there is one Worker, which shares with nobody.
test.skipIf(availableParallelism() < 2)('two Workers hold one model, and their numbers are those of Node', async () => {
  const site = await isolatedSite();
  const page = await (await browser().newContext({ viewport: { width: 1440, height: 860 } })).newPage();
  const memories: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('memory')) memories.push(message.text());
  });
  await page.route(/\/(worker|pageWorker)-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: TELLS + (await response.text()) });
  });
  await page.goto(site.url + FRAGMENT);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await chooseBackend(page, 'cpu');
  await page.getByTestId('memory-told').getByText('which 2 Workers share').waitFor({ state: 'attached' });
  memories.length = 0;
  await page.locator('[data-testid=run-first]:enabled').click();
  await waitForPhase(page, 'finished');
  expect(memories).toEqual(['memory of all true']);

  const experiment = decodeLink(FRAGMENT);
  const file = new Blob([new Uint8Array(readFileSync('public/models/stories260k/model.safetensors'))]);
  const weights = weightsOf(await readPolicies([file], experiment));
  const rows = await metricsOf(await cpuTrainer(experiment, { weights }), experiment.updates);
  const told = await curve(page, 'observationCrossEntropy');
  const here = experiment.arms.flatMap(({ id }, member) =>
    curveOf(rows, member, 'observationCrossEntropy').map((value, update) => [
      `${id} ${update}`,
      String(Math.fround(value)),
    ]),
  );
  expect(told).toEqual(Object.fromEntries(here));
  site.close();
});
