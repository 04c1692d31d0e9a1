/** Runs of another day: the last one shown again, the list with its notes and pins, and a browser that keeps nothing. */
import type { Page } from 'playwright-core';
import { defaultPreset } from '../../../src/experiment/presets/presets';
import { keepRun } from '../../support/keptRun';
import { goTo } from '../../support/page';
import type { Journey } from './journey';
import { phase, run, seen, to } from './steps';

const RUNS = 10;

async function comeBack(page: Page): Promise<void> {
  await page.getByTestId('run-first').waitFor();
  for (let i = 0; i < RUNS; i++) await keepRun(page, defaultPreset.experiment, 12 + i, `learning rate ${i + 1}e-3`);
  const { origin, pathname } = new URL(page.url());
  await page.goto('about:blank');
  await page.goto(origin + pathname);
  await phase('restored')(page);
}

/** As another page of the same origin might. */
function keepNonsense(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('unmask');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const writing = opening.result.transaction('runs', 'readwrite');
      writing.objectStore('runs').put({ id: 1000, name: {} });
      writing.oncomplete = () => resolve();
    };
  });
}

async function annotate(page: Page): Promise<void> {
  await page.evaluate(keepNonsense);
  await goTo(page, 'runs');
  await page.getByTestId('kept-run').nth(2).getByTestId('run-details').click();
  await page.getByTestId('delete-run').click();
  await page.getByTestId('runs-deleted').waitFor();
  await page.getByTestId('kept-run').nth(1).getByTestId('run-details').click();
  await page.getByLabel('Note').fill('the one that learned');
  await page.getByTestId('star-run').click();
  await page.getByTestId('pin-run').click();
  await page.getByRole('button', { name: 'Unpin' }).waitFor();
  await page.getByTestId('runs-damaged').waitFor();
  await page.locator('[data-testid^=compare-run]').first().check();
  await page.locator('.run-curves-plot').scrollIntoViewIfNeeded();
  await page.locator('.run-curves-plot .plot-mean path').first().waitFor();
}

async function compare(page: Page): Promise<void> {
  await page.locator('[data-testid^=compare-run]').nth(2).check();
  await goTo(page, 'sure');
  await page.getByTestId('contenders').locator('summary').click();
  // Every arm of the run on screen, of the pinned one and of this one.
  const rows = 3 * defaultPreset.experiment.arms.length;
  await page
    .locator('tr[data-testid^=compare-]')
    .nth(rows - 1)
    .waitFor();
}

/** A run that another tab has begun, and that waits there. */
async function watchAnother(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByTestId('step').click();
  await phase('paused')(other);
  await goTo(page, 'runs');
  await page.getByTestId('show-run').click();
  await page.locator('[data-testid=message][data-kind=elsewhere]').waitFor();
}

function keepNothing(): void {
  IDBFactory.prototype.open = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
}

export const keptRuns: readonly Journey[] = [
  {
    name: 'kept runs',
    link: '',
    states: [
      { name: 'restored', reach: comeBack },
      { name: 'runs-annotated', reach: annotate, about: '[data-testid=runs]' },
      { name: 'runs-compared', reach: compare, about: '[data-testid=compare]' },
    ],
  },
  {
    name: 'two tabs',
    link: '#preset=gridworld-tiny&updates=500&seeds=1',
    states: [{ name: 'trains-elsewhere', reach: watchAnother }],
  },
  {
    name: 'a browser that keeps nothing',
    link: '#preset=gridworld-tiny&updates=2&seeds=1',
    before: keepNothing,
    states: [{ name: 'nothing-kept', reach: [run, to('runs'), seen('runs-problem')], about: '[data-testid=runs]' }],
  },
];
