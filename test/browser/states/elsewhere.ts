/** Beside the lab: the page of kernels, the measuring of speed, and parts of the lab in other pages' frames. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { goTo } from '../../support/page';
import type { Journey } from './journey';
import { press } from './journey';
import { keepQuiet, speakAgain } from './workers';

const TINY = '#preset=gridworld-tiny&updates=4';

async function judge(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByTestId('fixtures-file').setInputFiles({ name, mimeType: 'application/json', buffer });
}

/** One case as it is, and once more with an expectation that is wrong. */
async function judgeFixtures(page: Page): Promise<void> {
  const [first] = JSON.parse(await readFile('test/fixtures/kl.json', 'utf8'));
  const wrong = structuredClone(first);
  wrong.name = 'a wrong expectation';
  wrong.expected.kl.data[0] += 1;
  await judge(page, 'mine.json', Buffer.from(JSON.stringify([first, wrong])));
  await page.getByTestId('fixtures-failures').waitFor();
}

async function openKernel(page: Page): Promise<void> {
  await page.getByTestId('kernel-log_prob/scatter_rows').getByRole('link').first().click();
  await page.getByTestId('kernel-wgsl').waitFor();
}

async function check(page: Page): Promise<void> {
  await speakAgain(page);
  await page.getByTestId('kernel-result').waitFor();
  await page.locator('[data-testid=kernel-work][data-phase=idle]').waitFor();
  await page.locator('.kernel-details summary').click();
}

async function train(page: Page): Promise<void> {
  await page.getByTestId('run').click();
  await page.locator('[data-testid=status][data-phase=finished]').waitFor();
}

export const elsewhere: readonly Journey[] = [
  {
    name: 'findings',
    link: '#findings',
    states: [
      {
        name: 'finding',
        reach: async (page) => {
          await page.getByTestId('card-finding-best-against-best').click();
          await page.getByTestId('finding-numbers').waitFor();
          await page.locator('.finding-figure').nth(3).locator('.plot-line').first().waitFor();
        },
        about: '[data-testid=finding]',
      },
    ],
  },
  {
    name: 'batch',
    link: '#batch',
    states: [
      {
        name: 'audited',
        reach: async (page) => {
          await page.getByTestId('batch-leak').click();
          await page.getByTestId('batch-unseen').locator('summary').click();
          await page.getByTestId('batch-formula-open').click();
          await page.getByTestId('batch-compare').click();
          await page.getByTestId('batch-losses').waitFor();
        },
        about: '[data-testid=place-batch]',
      },
    ],
  },
  {
    name: 'methods',
    link: '#methods',
    states: [
      {
        name: 'methods-found',
        reach: async (page) => {
          await page.getByTestId('methods-search').fill('rejection fine-tuning');
          await page.getByTestId('method').first().getByText('RFT').first().waitFor();
        },
        about: '.methods',
      },
      {
        name: 'methods-not-here',
        reach: async (page) => {
          await page.getByTestId('methods-search').fill('openvla');
          await page.getByText('Not here.').waitFor();
        },
        about: '.methods',
      },
    ],
  },
  {
    name: 'kernels',
    link: '#kernels',
    states: [
      { name: 'kernels', reach: (page) => page.getByTestId('kernels-search').waitFor() },
      {
        name: 'kernel-not-found',
        reach: async (page) => {
          await page.getByTestId('kernels-search').fill('zzz');
          await page.getByText('No kernel has all of these words.').waitFor();
        },
        about: '.kernels-search',
      },
      {
        name: 'fixtures-refused',
        reach: async (page) => {
          await page.getByTestId('kernels-search').fill('rows');
          await judge(page, 'experiment.json', Buffer.from('{"version": 1}'));
          await page.getByTestId('fixtures-problem').waitFor();
        },
        about: '.fixtures',
      },
      { name: 'fixtures-judged', reach: judgeFixtures, about: '.fixtures' },
      { name: 'kernel', reach: openKernel },
      {
        name: 'kernel-under-check',
        reach: async (page) => {
          await keepQuiet(page);
          await page.getByTestId('kernel-check').click();
          await page.getByTestId('kernel-stop').waitFor();
        },
        about: '[data-testid=kernel-work]',
      },
      { name: 'kernel-checked', reach: check, about: '.kernel-halves' },
      { name: 'kernel-as-compiled', reach: press('kernel-code'), about: '[aria-labelledby=kernel-source]' },
      {
        name: 'kernel-timed',
        reach: async (page) => {
          await page.evaluate(() => location.assign('#kernels/optimiser/adamw'));
          await page.getByTestId('kernel-time').click();
          await page.getByTestId('kernel-timed').getByText('of the ceiling').waitFor();
        },
      },
      {
        name: 'kernel-unknown',
        reach: async (page) => {
          await page.evaluate(() => location.assign('#kernels/none'));
          await page.getByText('There is no kernel called none.').waitFor();
        },
      },
    ],
  },
  {
    name: 'speed',
    link: TINY,
    states: [
      {
        name: 'speed-being-measured',
        reach: async (page) => {
          await goTo(page, 'speed');
          await page.getByTestId('speed-quick').waitFor();
          await keepQuiet(page);
          await page.getByTestId('speed-quick').click();
          await page.getByTestId('speed-stop').waitFor();
        },
      },
      {
        name: 'speed-measured',
        reach: async (page) => {
          await speakAgain(page);
          await page.locator('[data-testid=speed-progress][data-phase=done]').waitFor();
        },
        about: 'main:not([hidden])',
      },
    ],
  },
  ...(['world-model', 'chart-observationCrossEntropy'] as const).map(
    (part): Journey => ({
      name: `embedded ${part}`,
      link: `?embed=${part}${TINY}`,
      states: [
        { name: `embedded-${part}-before-run`, reach: (page) => page.getByTestId('run').waitFor() },
        { name: `embedded-${part}`, reach: train },
      ],
    }),
  ),
  {
    name: 'embedded unknown',
    link: `?embed=nothing${TINY}`,
    states: [{ name: 'embedded-unknown', reach: (page) => page.getByTestId('embed-unknown').waitFor() }],
  },
];
