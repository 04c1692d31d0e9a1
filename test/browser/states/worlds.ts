/** The worlds other than the gridworld, watched and dreamed; and a policy that plays beside the arms and learns nothing. */
import type { Page } from 'playwright-core';
import type { Journey } from './journey';
import { run } from './journey';

async function watchAndDream(page: Page): Promise<void> {
  await run(page);
  await page.getByTestId('dream').selectOption('next');
  await page.locator('[data-testid^=dream-agreement]').first().waitFor();
}

const journeyTo = (world: string): Journey => ({
  name: world,
  link: `#preset=gridworld-tiny&environment=${world}&updates=2&seeds=1&arms=action-mask,world-model`,
  states: [
    {
      name: `${world}-before-run`,
      reach: (page) => page.locator('.worlds .world').first().waitFor(),
      about: '.screen-worlds',
    },
    { name: world, reach: watchAndDream, about: '.worlds' },
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
        reach: async (page) => {
          await page.getByTestId('add-arm').click();
          await page.getByTestId('add-fixed-trained').click();
          await run(page);
          await page.getByText(/runs on onnxruntime/).waitFor();
        },
        about: '.screen',
      },
      {
        name: 'tokens-of-a-fixed-policy',
        reach: async (page) => {
          await page.locator('[data-testid^=inspect-]').last().click();
          await page.getByTestId('token-learning').waitFor();
        },
        escape: true,
      },
    ],
  },
];
