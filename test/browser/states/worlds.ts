/** The worlds other than the gridworld, watched and dreamed; and a policy that plays beside the arms and learns nothing. */
import type { Journey } from './journey';
import { click, dream, found, press, run, said, seen } from './steps';

const journeyTo = (world: string): Journey => ({
  name: world,
  link: `#preset=gridworld-tiny&environment=${world}&updates=2&seeds=1&arms=action-mask,world-model`,
  states: [
    { name: `${world}-before-run`, reach: found('.worlds .world'), about: '.screen-worlds' },
    { name: world, reach: [run, dream('next')], about: '.worlds' },
  ],
});

export const worlds: readonly Journey[] = [
  ...['calculator', 'shop', 'terminal', 'mixture'].map(journeyTo),
  {
    name: 'a fixed policy',
    link: '#preset=gridworld-small&updates=2&seeds=1&arms=world-model&batch.groups=2&batch.groupSize=4',
    states: [
      {
        name: 'fixed-policy-plays',
        reach: [press('add-arm', 'add-fixed-trained'), run, said(/runs on onnxruntime/)],
        about: '.screen',
      },
      {
        name: 'tokens-of-a-fixed-policy',
        reach: [click('[data-testid^=inspect-] >> nth=-1'), seen('token-learning')],
        escape: true,
      },
    ],
  },
];
