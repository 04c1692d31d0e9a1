/** The lessons: the list of them, one before and after its run with the answer, and one alone in a frame. */
import type { Journey } from './journey';
import { check, click, found, press, runOn, seen, to, type Way } from './steps';

const answer: Way = [
  runOn('cpu'),
  check('choice-world-model'),
  press('run'),
  found('[data-testid=lesson-answer][data-finding]'),
  press('for-teachers'),
];

export const lessons: readonly Journey[] = [
  {
    name: 'lessons',
    link: '#lessons',
    states: [
      { name: 'lessons', reach: seen('lesson-mask') },
      {
        name: 'lesson',
        reach: [to('lessons/groups'), found('[data-testid=lesson] [data-testid="setting-batch.groupSize"]')],
        about: '[data-testid=lesson]',
      },
      {
        name: 'lesson-masks',
        reach: [
          to('lessons/bug'),
          click('[data-testid=batch-rows] >> text=milk'),
          check('choice-leak'),
          press('lesson-check'),
        ],
        about: '[data-testid=lesson]',
      },
      {
        name: 'lesson-answered',
        reach: [to('lessons/mask'), seen('choice-world-model'), answer],
        about: '[data-testid=lesson]',
      },
    ],
  },
];
