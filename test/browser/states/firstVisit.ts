/** Somebody who has never been here: the tour, the default experiment, every place, and all that can be opened before a run. */
import type { Page } from 'playwright-core';
import { PLACE_IDS, PLACES } from '../../../src/ui/model/place';
import { openGear } from '../../support/page';
import { type Journey, PLACE } from './journey';
import { click, fill, found, press, seen, to } from './steps';

export const firstVisit: readonly Journey[] = [
  {
    name: 'first visit',
    link: '',
    states: [
      { name: 'first-visit', reach: seen('recorded-run') },
      { name: 'recorded-scrubbed', reach: fill('recorded-update', '60'), about: '[data-testid=recorded-run]' },
      { name: 'tour-first', reach: press('take-tour'), escape: true },
      { name: 'expectations', reach: click('text=What to expect, and what not to conclude'), about: '.screen-worlds' },
      { name: 'gear', reach: openGear, escape: true },
      { name: 'help', reach: [openGear, press('help')], escape: true },
      { name: 'share-before-run', reach: press('share'), escape: true },
      {
        name: 'caption',
        reach: click('role=button[name="More about Prediction error"]'),
        about: '[popover]:popover-open',
      },
      { name: 'chart-table-before-run', reach: press('table-successRate'), about: '[data-testid=chart-successRate]' },
      ...PLACE_IDS.filter((place) => place !== 'lab').map((place) => ({
        name: place,
        reach: [
          to(place),
          (page: Page) => page.waitForFunction((title) => document.title === title, `${PLACES[place].title} · Unmask`),
        ],
        about: PLACE,
      })),
      {
        name: 'library-found',
        reach: [press('choose-experiment'), fill('library-search', 'shop'), seen('card-experiment-shop')],
        about: PLACE,
      },
      {
        name: 'settings-found',
        reach: [
          to('settings'),
          fill('settings-search', 'clip'),
          found('role=status >> text=/^\\d+ of \\d+ settings$/'),
        ],
        about: PLACE,
      },
    ],
  },
];
