/** Everything that is set, before anything runs: the table, the settings, plans, sweeps, and what is said of mistakes. */
import type { Page } from 'playwright-core';
import { goTo } from '../../support/page';
import type { Journey } from './journey';
import { MESSAGES, press, write } from './journey';

async function openAllSettings(page: Page): Promise<void> {
  await page.getByTestId('scope-world-model').check();
  await page.getByTestId('all-settings').check();
  for (const section of await page.locator('details.panel-section > summary').all()) await section.click();
}

async function plan(page: Page, update: string, setting: string, value: string): Promise<void> {
  // Keys that led out of it have closed it.
  if ((await page.getByTestId('plan-update').count()) === 0) await page.getByTestId('plan-change').click();
  await page.getByTestId('plan-update').fill(update);
  await page.getByTestId('plan-setting').selectOption(setting);
  await page.getByTestId('plan-value').selectOption(value);
  await page.getByTestId('plan-add').click();
}

export const editing: readonly Journey[] = [
  {
    name: 'editing',
    link: '#preset=gridworld-tiny',
    states: [
      { name: 'arm', reach: (page) => page.getByTestId('arm-world-model').locator('.arm-name').click(), escape: true },
      {
        name: 'sweep-planned',
        reach: async (page) => {
          await page.getByTestId('arm-world-model').locator('.arm-name').click();
          await page.getByTestId('sweep-world-model').click();
          await page.getByTestId('sweep-plan').waitFor();
        },
      },
      {
        name: 'populations-planned',
        reach: async (page) => {
          await page.getByTestId('sweep-setting').selectOption('batch.groupSize');
          await page.getByTestId('sweep-second').selectOption('policy.width');
          await page.getByTestId('sweep-plan').getByText('one after the other').waitFor();
        },
      },
      {
        name: 'sweep-refused',
        reach: async (page) => {
          await page.getByTestId('sweep-setting').selectOption('ce.observation');
          await page.getByTestId('sweep-values').fill('0, .1, x');
        },
        escape: true,
      },
      { name: 'loss', reach: press('cell-world-model-observation'), escape: true },
      {
        name: 'fixed-policies',
        reach: async (page) => {
          await page.getByTestId('add-arm').click();
          await page.getByTestId('add-fixed-trained').waitFor();
        },
        escape: true,
      },
      {
        name: 'fixed-policy',
        reach: async (page) => {
          await page.getByTestId('add-arm').click();
          await page.getByTestId('add-fixed-trained').click();
          await page.locator('[data-testid^=fixed-]').waitFor();
        },
        about: '.arms',
      },
      {
        name: 'objectives',
        reach: async (page) => {
          await goTo(page, 'settings');
          await page.getByTestId('objective-of-world-model').click();
        },
        escape: true,
      },
      {
        name: 'objective-not-found',
        reach: (page) => page.getByTestId('objective-of-world-model').fill('zzz'),
        escape: true,
      },
      {
        name: 'objective-changed',
        reach: async (page) => {
          await write(page, 'setting-learningRate', '0.01');
          await page.getByTestId('section-policy').locator('summary').click();
          await page.getByTestId('setting-surrogate').selectOption('cispo');
        },
        about: '[aria-labelledby=objectives]',
      },
      {
        name: 'number-refused',
        reach: (page) => page.getByTestId('setting-learningRate').fill('much'),
        about: '.control:has([data-testid="setting-learningRate"])',
      },
      { name: 'all-settings', reach: openAllSettings, about: '[aria-labelledby=hyperparameters]' },
      {
        name: 'title-refused',
        reach: (page) => page.getByTestId('setting-title').fill(' '),
        about: '[aria-labelledby=experiment-settings]',
      },
      {
        name: 'change-being-planned',
        reach: async (page) => {
          await goTo(page, 'lab');
          await page.getByTestId('plan-change').click();
        },
        about: '[aria-labelledby=timeline]',
      },
      {
        name: 'changes-planned',
        reach: async (page) => {
          await plan(page, '8', 'imitation', 'actions');
          await plan(page, '12', 'surrogate', 'vespo');
          await page.keyboard.press('Escape');
        },
        about: '[aria-labelledby=timeline]',
      },
      {
        name: 'change-opened',
        reach: async (page) => {
          await page.getByRole('button', { name: /from update 12/ }).click();
          await page.getByTestId('mark-remove').waitFor();
        },
        escape: true,
      },
      { name: 'branch', reach: press('branch'), escape: true },
      {
        name: 'cannot-run',
        reach: async (page) => {
          await goTo(page, 'settings');
          await write(page, 'setting-policy.width', '20');
        },
        about: MESSAGES,
      },
    ],
  },
];
