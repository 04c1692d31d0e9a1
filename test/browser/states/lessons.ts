/** The lessons: the list of them, one before and after its run with the answer, and one alone in a frame. */
import type { Page } from 'playwright-core';
import { chooseBackend, goTo } from '../../support/page';
import type { Journey } from './journey';

async function answer(page: Page): Promise<void> {
  await chooseBackend(page, 'cpu');
  await page.getByTestId('choice-world-model').check();
  await page.getByTestId('run').click();
  await page.locator('[data-testid=lesson-answer][data-finding]').waitFor();
  await page.getByTestId('for-teachers').click();
}

export const lessons: readonly Journey[] = [
  {
    name: 'lessons',
    link: '#lessons',
    states: [
      { name: 'lessons', reach: (page) => page.getByTestId('lesson-mask').waitFor() },
      {
        name: 'lesson',
        reach: async (page) => {
          await goTo(page, 'lessons/groups');
          await page.getByTestId('lesson').getByTestId('setting-batch.groupSize').waitFor();
        },
        about: '[data-testid=lesson]',
      },
      {
        name: 'lesson-masks',
        reach: async (page) => {
          await goTo(page, 'lessons/bug');
          await page.getByTestId('batch-rows').getByText('milk').click();
          await page.getByTestId('choice-leak').check();
          await page.getByTestId('lesson-check').click();
        },
        about: '[data-testid=lesson]',
      },
      {
        name: 'lesson-answered',
        reach: async (page) => {
          await goTo(page, 'lessons/mask');
          await page.getByTestId('choice-world-model').waitFor();
          await answer(page);
        },
        about: '[data-testid=lesson]',
      },
    ],
  },
];
