/** Everything that is set, before anything runs: the table, the settings, plans, sweeps, and what is said of mistakes. */
import type { Page } from 'playwright-core';
import { type Journey, MESSAGES } from './journey';
import { choose, click, enter, fill, found, key, press, type Step, seen, to, unfold, walk } from './steps';

async function openAllSettings(page: Page): Promise<void> {
  await page.getByTestId('scope-world-model').check();
  await page.getByTestId('all-settings').check();
  for (const section of await page.locator('details.panel-section > summary').all()) await section.click();
}

async function openPlan(page: Page): Promise<void> {
  // Keys that led out of it have closed it.
  if ((await page.getByTestId('plan-update').count()) === 0) await page.getByTestId('plan-change').click();
}

const plan =
  (update: string, setting: string, value: string): Step =>
  (page) =>
    walk(page, [
      openPlan,
      fill('plan-update', update),
      choose('plan-setting', setting),
      choose('plan-value', value),
      press('plan-add'),
    ]);

const openArm = click('[data-testid=arm-world-model] .arm-name');

export const editing: readonly Journey[] = [
  {
    name: 'editing',
    link: '#preset=gridworld-tiny',
    states: [
      { name: 'arm', reach: openArm, escape: true },
      { name: 'sweep-planned', reach: [openArm, press('sweep-world-model'), seen('sweep-plan')] },
      {
        name: 'populations-planned',
        reach: [
          choose('sweep-setting', 'batch.groupSize'),
          choose('sweep-second', 'policy.width'),
          seen('sweep-plan', 'one after the other'),
        ],
      },
      {
        name: 'sweep-refused',
        reach: [choose('sweep-setting', 'ce.observation'), fill('sweep-values', '0, .1, x')],
        escape: true,
      },
      { name: 'loss', reach: press('cell-world-model-observation'), escape: true },
      { name: 'fixed-policies', reach: [press('add-arm'), seen('add-fixed-trained')], escape: true },
      {
        name: 'fixed-policy',
        reach: [press('add-arm', 'add-fixed-trained'), found('[data-testid^=fixed-]')],
        about: '.arms',
      },
      { name: 'objectives', reach: [to('settings'), press('objective-of-world-model')], escape: true },
      { name: 'objective-not-found', reach: fill('objective-of-world-model', 'zzz'), escape: true },
      {
        name: 'objective-changed',
        reach: [enter('setting-learningRate', '0.01'), unfold('section-policy'), choose('setting-surrogate', 'cispo')],
        about: '[aria-labelledby=objectives]',
      },
      {
        name: 'number-refused',
        reach: fill('setting-learningRate', 'much'),
        about: '.control:has([data-testid="setting-learningRate"])',
      },
      { name: 'all-settings', reach: openAllSettings, about: '[aria-labelledby=hyperparameters]' },
      { name: 'title-refused', reach: fill('setting-title', ' '), about: '[aria-labelledby=experiment-settings]' },
      { name: 'change-being-planned', reach: [to('lab'), press('plan-change')], about: '[aria-labelledby=timeline]' },
      {
        name: 'changes-planned',
        reach: [plan('8', 'imitation', 'actions'), plan('12', 'surrogate', 'vespo'), key('Escape')],
        about: '[aria-labelledby=timeline]',
      },
      {
        name: 'change-opened',
        reach: [click('role=button[name=/from update 12/]'), seen('mark-remove')],
        escape: true,
      },
      { name: 'branch', reach: press('branch'), escape: true },
      { name: 'cannot-run', reach: [to('settings'), enter('setting-policy.width', '20')], about: MESSAGES },
    ],
  },
];
