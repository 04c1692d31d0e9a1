/** Somebody who has never been here: the tour, the default experiment, every place, and all that can be opened before a run. */
import type { Page } from 'playwright-core';
import { PLACE_IDS, PLACES } from '../../../src/ui/model/place';
import { goTo, openGear } from '../../support/page';
import type { Journey } from './journey';
import { press } from './journey';

export const firstVisit: readonly Journey[] = [
  {
    name: 'first visit',
    link: '',
    states: [
      { name: 'first-visit', reach: (page) => page.getByTestId('recorded-run').waitFor() },
      {
        name: 'recorded-scrubbed',
        reach: (page) => page.getByTestId('recorded-update').fill('60'),
        about: '[data-testid=recorded-run]',
      },
      { name: 'tour-first', reach: press('take-tour'), escape: true },
      {
        name: 'expectations',
        reach: (page) => page.getByText('What to expect, and what not to conclude').click(),
        about: '.screen-worlds',
      },
      { name: 'gear', reach: openGear, escape: true },
      {
        name: 'help',
        reach: async (page) => {
          await openGear(page);
          await press('help')(page);
        },
        escape: true,
      },
      { name: 'share-before-run', reach: press('share'), escape: true },
      {
        name: 'caption',
        reach: (page) => page.getByRole('button', { name: 'More about Prediction error' }).click(),
        about: '[popover]:popover-open',
      },
      {
        name: 'chart-table-before-run',
        reach: press('table-successRate'),
        about: '[data-testid=chart-successRate]',
      },
      ...PLACE_IDS.filter((place) => place !== 'lab').map((place) => ({
        name: place,
        reach: async (page: Page) => {
          await goTo(page, place);
          await page.waitForFunction((title) => document.title === title, `${PLACES[place].title} · Unmask`);
        },
        about: 'main:not([hidden])',
      })),
      {
        name: 'library-found',
        reach: async (page) => {
          await page.getByTestId('choose-experiment').click();
          await page.getByTestId('library-search').fill('shop');
          await page.getByTestId('card-experiment-shop').waitFor();
        },
        about: 'main:not([hidden])',
      },
      {
        name: 'settings-found',
        reach: async (page) => {
          await goTo(page, 'settings');
          await page.getByTestId('settings-search').fill('clip');
          await page
            .getByRole('status')
            .getByText(/^\d+ of \d+ settings$/)
            .waitFor();
        },
        about: 'main:not([hidden])',
      },
    ],
  },
];
