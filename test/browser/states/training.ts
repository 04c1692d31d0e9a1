/** A run under way and what may happen to it. While a state is looked at, the Workers say nothing, so that it stands still. */
import type { Page } from 'playwright-core';
import { METRICS } from '../../../src/rl/measure/metrics';
import { chooseBackend, goTo } from '../../support/page';
import type { Journey } from './journey';
import { MESSAGES, press, untilPhase, write } from './journey';
import { crash, keepApart, keepQuiet, say, speakAgain } from './workers';

async function prepare(page: Page): Promise<void> {
  await keepApart(page);
  await page.getByTestId('run-first').click();
  await untilPhase(page, 'preparing');
}

/** Running, as far as the page knows: it has been asked to pause, and has not yet. */
async function stop(page: Page): Promise<void> {
  await speakAgain(page);
  // Before, boards show an example, and nothing can be paused.
  await untilPhase(page, 'running');
  await page.locator('.strip .chip').first().waitFor();
  await keepQuiet(page);
  await page.getByTestId('pause').click();
}

async function pause(page: Page): Promise<void> {
  await speakAgain(page);
  await untilPhase(page, 'paused');
}

async function change(page: Page): Promise<void> {
  await write(page, 'live-ce.observation', '0.5');
  await page.getByTestId('step').click();
  await page.getByTestId('timeline').getByText('0.5').first().waitFor();
  await untilPhase(page, 'paused');
}

async function waitForTokens(page: Page): Promise<void> {
  await keepQuiet(page);
  await goTo(page, 'why');
  await page.getByTestId('why-inspect').click();
  await page.locator('.inspector-waiting').waitFor();
}

async function waitForPolicy(page: Page): Promise<void> {
  await goTo(page, 'policies');
  await page.getByTestId('export-policy').click();
  await page.getByTestId('export-said').getByText('Waiting for the end').waitFor();
}

/** The numbers of a long run on a fast device, which are the widest that the page has to show. */
async function runFast(page: Page): Promise<void> {
  await prepare(page);
  const last = { update: 9_999, count: 1, members: 6 };
  await say(page, { type: 'phase', phase: 'running', update: 0, updates: 10_000, detail: '' });
  await say(page, {
    ...last,
    type: 'metrics',
    values: new Float32Array(last.members * METRICS.length).fill(0.987),
    seconds: Float32Array.of(0.01),
    throughput: { updatesPerSecond: 1234.5, tokensPerSecond: 12_345_678 },
  });
  await page.getByText('1,230 updates/s · 12,300,000 tokens/s').waitFor();
}

async function diverge(page: Page): Promise<void> {
  const cause = 'gradient norm passed 1000 at update 2; learning rate 1 with weight decay 10';
  const members = [0, 1, 2, 3].map((seed) => ({ arm: 'world-model', seed, update: 3, cause }));
  const changes = [{ update: 2, arm: 'world-model', setting: 'learningRate', value: 0.01 }];
  await say(page, { type: 'diverged', members, isAll: false, to: 2, changes });
  await page.getByTestId('go-back').waitFor();
}

async function loseDevice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Leave it' }).click();
  const update = Number(await page.getByTestId('status').getAttribute('data-update'));
  const text = 'The GPU device was lost, and the browser gives no other.';
  await say(page, { type: 'stranded', update, text, advice: 'Continue on the CPU, or try the GPU again later.' });
  await say(page, { type: 'phase', phase: 'stranded', update, updates: 1000, detail: '' });
  await page.getByTestId('continue-cpu').waitFor();
  await untilPhase(page, 'stranded');
}

export const training: readonly Journey[] = [
  {
    name: 'training',
    link: '#preset=gridworld-tiny&updates=1000',
    states: [
      {
        name: 'link-arrived',
        reach: (page) => page.locator('[data-testid=message][data-kind=link]').waitFor(),
        about: MESSAGES,
      },
      { name: 'preparing', reach: prepare },
      { name: 'running', reach: stop },
      { name: 'paused', reach: pause, about: '.header' },
      { name: 'changed-while-training', reach: change, about: '[aria-labelledby=timeline]' },
      {
        name: 'restart-asked',
        reach: async (page) => {
          await goTo(page, 'settings');
          await write(page, 'setting-batch.groups', '3');
        },
        about: MESSAGES,
      },
      {
        name: 'reset-asked',
        reach: async (page) => {
          await page.getByTestId('keep').click();
          await page.getByTestId('reset').click();
        },
        escape: true,
      },
      { name: 'tokens-awaited', reach: waitForTokens, escape: true },
      { name: 'policy-awaited', reach: waitForPolicy, about: '[data-testid=place-policies]' },
      {
        name: 'dreams-awaited',
        reach: async (page) => {
          await goTo(page, 'lab');
          await page.getByTestId('dream').selectOption('next');
          await page.getByText('dreaming after this update').first().waitFor();
        },
        about: '.worlds',
      },
      {
        name: 'probes-awaited',
        reach: async (page) => {
          await goTo(page, 'why');
          await page.getByTestId('probes-watch').click();
          await page.getByText('The first probes come after').waitFor();
        },
        about: '[data-testid=probes]',
      },
      {
        name: 'something-happened',
        about: MESSAGES,
        reach: async (page) => {
          const text = 'The GPU device was lost; another was opened, and the run went on from update 3.';
          await say(page, { type: 'notice', kind: 'recovered', update: 3, text });
          await page.locator('[data-testid=message][data-kind=happened]').waitFor();
        },
      },
      {
        name: 'change-refused',
        about: MESSAGES,
        reach: async (page) => {
          const message = 'This change would need more memory than the device has.';
          await say(page, { type: 'error', code: 'limits', message, advice: 'Use fewer seeds.' });
          await page.locator('[data-testid=message][data-kind=refused]').waitFor();
        },
      },
      { name: 'diverged', reach: diverge, about: MESSAGES },
      { name: 'stranded', reach: loseDevice, about: MESSAGES },
      {
        name: 'failed',
        reach: async (page) => {
          await crash(page);
          await untilPhase(page, 'failed');
        },
        about: MESSAGES,
      },
    ],
  },
  {
    name: 'training fast and long',
    link: '#preset=gridworld-tiny&updates=10000',
    states: [
      { name: 'running-fast', reach: runFast },
      { name: 'run-about-to-end', reach: press('reset'), escape: true },
    ],
  },
  {
    name: 'failing at once',
    link: '#preset=gridworld-tiny',
    states: [
      {
        name: 'failed-at-once',
        reach: async (page) => {
          await prepare(page);
          await crash(page);
          await page.getByTestId('no-episodes').waitFor();
        },
      },
    ],
  },
  {
    name: 'nothing to run on',
    link: '#preset=gridworld-tiny',
    states: [
      {
        name: 'no-backend',
        about: MESSAGES,
        reach: async (page) => {
          await chooseBackend(page, 'webgpu');
          await keepQuiet(page);
          const message = 'This browser offers no WebGPU adapter.';
          await say(page, { type: 'error', code: 'no-webgpu', message, advice: 'Continue on the CPU.' });
          await page.locator('[data-testid=message][data-kind=refused]').waitFor();
        },
      },
    ],
  },
];
