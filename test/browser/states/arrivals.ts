/** By a link: one that cannot be read, one that asks for a policy's file, one that hides controls, one that tells of machines. */
import type { Journey } from './journey';
import { MESSAGES } from './journey';

/** Of a file that nobody has. */
const HASH = 'a1b2'.repeat(16);

const TINY = '#preset=gridworld-tiny';

export const arrivals: readonly Journey[] = [
  {
    name: 'a broken link',
    link: '#preset=nowhere',
    states: [
      {
        name: 'broken-link',
        about: MESSAGES,
        reach: (page) => page.locator('[data-testid=message][data-kind=broken-link]').waitFor(),
      },
    ],
  },
  {
    name: 'a link that asks for a file',
    link: `${TINY}&arms.action-mask.startPolicy=${HASH}`,
    states: [
      { name: 'policy-asked-for', reach: (page) => page.getByTestId('choose-policy').waitFor(), about: MESSAGES },
      {
        name: 'policy-not-the-one',
        reach: async (page) => {
          await page.getByTestId('choose-policy').click();
          await page.getByTestId('shipped-trained').click();
          await page.getByTestId('not-the-wanted').waitFor();
        },
        about: '[data-testid=place-policies]',
      },
    ],
  },
  {
    name: 'a link that hides controls',
    link: `${TINY}&hide=settings,arms,policies,why`,
    states: [{ name: 'controls-hidden', reach: (page) => page.getByTestId('hidden-note').waitFor() }],
  },
  {
    name: 'a link that tells of machines',
    link: `${TINY}&ran=0:webgpu;12:cpu`,
    states: [
      {
        name: 'machines-told',
        reach: (page) => page.getByTestId('linked-machines').waitFor(),
        about: '[aria-labelledby=timeline]',
      },
    ],
  },
];
