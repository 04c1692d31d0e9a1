/** A finished run, and everything that can be looked at, opened and taken away then; in the end somebody else gets it. */
import type { Page } from 'playwright-core';
import { chooseBackend, goTo, openGear } from '../../support/page';
import type { Journey } from './journey';
import { arrive, press, run, untilPhase } from './journey';

async function walkAlong(page: Page): Promise<void> {
  await page.locator('[data-testid=chart-successRate] .plot svg[tabindex]').first().focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
  await page.locator('.crosshair').first().waitFor();
}

async function dream(page: Page, choice: string): Promise<void> {
  await page.getByTestId('dream').selectOption(choice);
  await page.locator('[data-testid^=dream-agreement]').first().waitFor();
}

async function inspect(page: Page): Promise<void> {
  await goTo(page, 'lab');
  await page.getByTestId('dream').selectOption('none');
  await page.getByTestId('inspect-world-model').click();
  await page.locator('.token-chosen:focus').waitFor();
}

async function lookInside(page: Page): Promise<void> {
  await page.getByLabel('Beside it', { exact: true }).selectOption('no-mask');
  await page.getByLabel('Lens', { exact: true }).selectOption('attention');
  await page.getByLabel('Head', { exact: true }).waitFor();
  await page.locator('.token-chosen').focus();
  await page.keyboard.press('End');
  await page.getByTestId('attention-table').waitFor();
}

async function unfoldShare(page: Page): Promise<void> {
  await page.getByTestId('share').click();
  for (const fold of ['files', 'hide', 'embed', 'scale']) await page.getByTestId(fold).click();
  await page.getByTestId('scale-text').waitFor();
  await page.getByTestId('copy-result-link').click();
  await page.getByTestId('result-url').waitFor();
}

async function takeTour(page: Page): Promise<void> {
  await openGear(page);
  await page.getByTestId('help').click();
  await page.getByTestId('tour-open').click();
  await goToStep(5)(page);
}

const goToStep = (step: number) => async (page: Page) => {
  const tour = page.getByTestId('tour');
  await tour.waitFor();
  while ((await tour.getAttribute('data-step')) !== String(step)) await page.getByTestId('tour-next').click();
  await page.locator('.tour-ring').waitFor();
};

/** The same browser opens the link with the result. */
async function receive(page: Page): Promise<void> {
  await page.getByTestId('share').click();
  await page.getByTestId('copy-result-link').click();
  const link = await page.getByTestId('result-url').inputValue();
  await arrive(page, link);
  // Its title comes with a part of the page, which may be later than the charts.
  await page.locator('#sent-title').waitFor();
  await page.locator('.plot-behind path').first().waitFor();
}

export const finished: readonly Journey[] = [
  {
    name: 'finished',
    link: '#preset=gridworld-tiny&updates=8&seeds=2&evaluation.every=4&evaluation.tasks=8&diagnosticsEvery=4',
    states: [
      {
        name: 'finished',
        reach: async (page) => {
          await run(page);
          await page.getByTestId('verdict').waitFor();
        },
      },
      { name: 'chart-menu', reach: press('save-chart-successRate'), escape: true },
      { name: 'crosshair', reach: walkAlong, about: '[data-testid=chart-successRate]' },
      { name: 'chart-table', reach: press('table-successRate'), about: '[data-testid=chart-successRate]' },
      {
        name: 'more-charts',
        reach: async (page) => {
          await goTo(page, 'training');
          await page.locator('.detail-charts > summary').click();
          await page.locator('.detail-charts .chart').first().waitFor();
        },
        about: 'main:not([hidden])',
      },
      {
        name: 'why-finished',
        reach: async (page) => {
          await goTo(page, 'why');
          await page.getByTestId('diagnosis').waitFor();
        },
        about: 'main:not([hidden])',
      },
      {
        name: 'light',
        reach: async (page) => {
          await page.getByTestId('light-length').first().focus();
          await page.keyboard.press('Tab');
          await page.getByRole('tooltip').filter({ hasText: 'Missing tools' }).waitFor();
        },
        escape: true,
      },
      {
        name: 'token',
        reach: async (page) => {
          await goTo(page, 'lab');
          await page.locator('.strip-token').nth(3).click();
        },
        about: '.worlds',
      },
      { name: 'dreams', reach: (page) => dream(page, 'next'), about: '.worlds' },
      {
        name: 'whole-dreams',
        reach: async (page) => {
          await dream(page, 'whole-sampled');
          await page.getByText('one dream, told nothing').first().waitFor();
          await page.locator('.dream-table > summary').first().click();
        },
        about: '.worlds',
      },
      {
        name: 'dreams-over-updates',
        reach: async (page) => {
          await goTo(page, 'why');
          await page.getByTestId('dream-curves').locator('summary').click();
        },
        about: '[data-testid=dream-curves]',
      },
      {
        name: 'probes',
        reach: async (page) => {
          await page.getByTestId('probes-watch').click();
          await page.getByTestId('probe-table').waitFor();
        },
        about: '[data-testid=probes]',
      },
      {
        name: 'diagnostics-of-a-seed',
        reach: async (page) => {
          await page.getByTestId('diagnosis-seed').selectOption('1');
          await page.getByTestId('diagnosis-batch').fill('0');
        },
        about: '[data-testid=diagnostics]',
      },
      {
        name: 'arms-left-out',
        reach: async (page) => {
          await goTo(page, 'sure');
          await page.getByTestId('contenders').locator('summary').click();
        },
        about: 'main:not([hidden])',
      },
      { name: 'tokens', reach: inspect },
      { name: 'attention', reach: lookInside, escape: true },
      { name: 'share-with-result', reach: unfoldShare, escape: true },
      {
        name: 'policy-saved',
        reach: async (page) => {
          await goTo(page, 'policies');
          await page.getByText('How to use the file in Python').click();
          await page.getByTestId('export-policy').click();
          await page.getByTestId('export-said').getByText('bytes').waitFor();
        },
        about: '[data-testid=place-policies]',
      },
      { name: 'tour-middle', reach: takeTour },
      { name: 'tour-last', reach: goToStep(9), escape: true },
      { name: 'result-arrived', reach: receive, about: '.screen' },
      {
        name: 'reproduced',
        reach: async (page) => {
          await chooseBackend(page, 'cpu');
          await page.getByTestId('reproduce').click();
          await page.getByTestId('reproduced').waitFor();
        },
        about: '.verdict',
      },
    ],
  },
  {
    name: 'probing',
    link: '#preset=gridworld-tiny&updates=4000&seeds=1&arms=world-model',
    states: [
      {
        name: 'probes-over-updates',
        reach: async (page) => {
          await page.getByTestId('run-first').click();
          await goTo(page, 'why');
          await page.getByTestId('probes-watch').click();
          await page.getByLabel('Every', { exact: true }).selectOption('5');
          await page.locator('.probe-data > summary').click();
          await page.getByTestId('pause').click();
          await untilPhase(page, 'paused');
        },
        about: '[data-testid=probes]',
      },
    ],
  },
  {
    name: 'a sweep',
    link: '#preset=gridworld-tiny&updates=3',
    states: [
      {
        name: 'sweep',
        reach: async (page) => {
          await page.getByTestId('arm-world-model').locator('.arm-name').click();
          await page.getByTestId('sweep-world-model').click();
          await page.getByTestId('sweep-values').fill('0 .1 .3 1 3');
          await page.getByTestId('sweep-run').click();
          await untilPhase(page, 'finished');
          await goTo(page, 'sure');
          await page.getByTestId('sweep-finding').waitFor();
        },
        about: 'section[data-testid=sweep]',
      },
      {
        name: 'arms-chosen',
        reach: async (page) => {
          await goTo(page, 'lab');
          await page.getByTestId('show-world-sweep-3').click();
        },
        about: '.worlds',
      },
      {
        name: 'sweep-of-populations',
        reach: async (page) => {
          await goTo(page, 'sure');
          await page.getByTestId('grid-new').click();
          await page.getByTestId('sweep-setting').selectOption('batch.groupSize');
          await page.getByTestId('sweep-values').fill('2 4');
          await page.getByTestId('sweep-run').click();
          await page.getByTestId('grid-progress').getByText('2 of 2 done.').waitFor();
        },
        about: 'section[data-testid=grid]',
      },
    ],
  },
];
