/** A finished run, and everything that can be looked at, opened and taken away then; in the end somebody else gets it. */
import type { Page } from 'playwright-core';
import { openGear } from '../../support/page';
import { type Journey, PLACE } from './journey';
import {
  arrive,
  choose,
  chooseBy,
  click,
  dream,
  fill,
  found,
  key,
  phase,
  press,
  run,
  runOn,
  said,
  seen,
  to,
  unfold,
  type Way,
} from './steps';

async function walkAlong(page: Page): Promise<void> {
  await page.locator('[data-testid=chart-successRate] .plot svg[tabindex]').first().focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
  await page.locator('.crosshair').first().waitFor();
}

const inspect: Way = [to('lab'), choose('dream', 'none'), press('inspect-world-model'), found('.token-chosen:focus')];

const lookInside: Way = [
  chooseBy('Beside it', 'no-mask'),
  chooseBy('Lens', 'attention'),
  (page) => page.getByLabel('Head', { exact: true }).waitFor(),
  (page) => page.locator('.token-chosen').focus(),
  key('End'),
  seen('attention-table'),
];

const unfoldShare: Way = [
  press('share', 'files', 'hide', 'embed', 'scale'),
  seen('scale-text'),
  press('copy-result-link'),
  seen('result-url'),
];

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
      { name: 'finished', reach: [run, seen('verdict')] },
      { name: 'chart-menu', reach: press('save-chart-successRate'), escape: true },
      { name: 'crosshair', reach: walkAlong, about: '[data-testid=chart-successRate]' },
      { name: 'chart-table', reach: press('table-successRate'), about: '[data-testid=chart-successRate]' },
      {
        name: 'more-charts',
        reach: [to('training'), click('.detail-charts > summary'), found('.detail-charts .chart')],
        about: PLACE,
      },
      { name: 'why-finished', reach: [to('why'), seen('diagnosis')], about: PLACE },
      {
        name: 'light',
        reach: [
          (page) => page.getByTestId('light-length').first().focus(),
          key('Tab'),
          found('[role=tooltip]:has-text("Missing tools")'),
        ],
        escape: true,
      },
      { name: 'token', reach: [to('lab'), click('.strip-token >> nth=3')], about: '.worlds' },
      { name: 'dreams', reach: dream('next'), about: '.worlds' },
      {
        name: 'whole-dreams',
        reach: [dream('whole-sampled'), said('one dream, told nothing'), click('.dream-table > summary')],
        about: '.worlds',
      },
      { name: 'dreams-over-updates', reach: [to('why'), unfold('dream-curves')], about: '[data-testid=dream-curves]' },
      { name: 'probes', reach: [press('probes-watch'), seen('probe-table')], about: '[data-testid=probes]' },
      {
        name: 'diagnostics-of-a-seed',
        reach: [choose('diagnosis-seed', '1'), fill('diagnosis-batch', '0')],
        about: '[data-testid=diagnostics]',
      },
      { name: 'arms-left-out', reach: [to('sure'), unfold('contenders')], about: PLACE },
      { name: 'tokens', reach: inspect },
      { name: 'attention', reach: lookInside, escape: true },
      { name: 'share-with-result', reach: unfoldShare, escape: true },
      {
        name: 'policy-saved',
        reach: [
          to('policies'),
          click('text=How to use the file in Python'),
          press('export-policy'),
          seen('export-said', 'bytes'),
        ],
        about: '[data-testid=place-policies]',
      },
      { name: 'tour-middle', reach: [openGear, press('help', 'tour-open'), goToStep(5)] },
      { name: 'tour-last', reach: goToStep(9), escape: true },
      { name: 'result-arrived', reach: receive, about: '.screen' },
      { name: 'reproduced', reach: [runOn('cpu'), press('reproduce'), seen('reproduced')], about: '.verdict' },
    ],
  },
  {
    name: 'probing',
    link: '#preset=gridworld-tiny&updates=100000&seeds=1&arms=world-model',
    states: [
      {
        name: 'probes-over-updates',
        reach: [
          press('run-first'),
          to('why'),
          press('probes-watch'),
          chooseBy('Every', '5'),
          click('.probe-data > summary'),
          press('pause'),
          phase('paused'),
        ],
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
        reach: [
          click('[data-testid=arm-world-model] .arm-name'),
          press('sweep-world-model'),
          fill('sweep-values', '0 .1 .3 1 3'),
          press('sweep-run'),
          phase('finished'),
          to('sure'),
          seen('sweep-finding'),
        ],
        about: 'section[data-testid=sweep]',
      },
      { name: 'arms-chosen', reach: [to('lab'), press('show-world-sweep-3')], about: '.worlds' },
      {
        name: 'sweep-of-populations',
        reach: [
          to('sure'),
          press('grid-new'),
          choose('sweep-setting', 'batch.groupSize'),
          fill('sweep-values', '2 4'),
          press('sweep-run'),
          seen('grid-progress', '2 of 2 done.'),
        ],
        about: 'section[data-testid=grid]',
      },
    ],
  },
];
