/** By a link: one that cannot be read, one that asks for a policy's file, one that hides controls, one that tells of machines. */

import { type Journey, MESSAGES } from './journey';
import { messaged, press, seen } from './steps';

/** Of a file that nobody has. */
const HASH = 'a1b2'.repeat(16);

const TINY = '#preset=gridworld-tiny';

export const arrivals: readonly Journey[] = [
  {
    name: 'a broken link',
    link: '#preset=nowhere',
    states: [{ name: 'broken-link', about: MESSAGES, reach: messaged('broken-link') }],
  },
  {
    name: 'a link that asks for a file',
    link: `${TINY}&arms.action-mask.startPolicy=${HASH}`,
    states: [
      { name: 'policy-asked-for', reach: seen('choose-policy'), about: MESSAGES },
      {
        name: 'policy-not-the-one',
        reach: [press('choose-policy', 'shipped-trained'), seen('not-the-wanted')],
        about: '[data-testid=place-policies]',
      },
    ],
  },
  {
    name: 'a link that hides controls',
    link: `${TINY}&hide=settings,arms,policies,why`,
    states: [{ name: 'controls-hidden', reach: seen('hidden-note') }],
  },
  {
    name: 'a link that tells of machines',
    link: `${TINY}&ran=0:webgpu;12:cpu`,
    states: [{ name: 'machines-told', reach: seen('linked-machines'), about: '[aria-labelledby=timeline]' }],
  },
];
