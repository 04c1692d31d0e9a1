/** A run under way and what may happen to it. While a state is looked at, the Workers say nothing, so that it stands still. */
import type { Page } from 'playwright-core';
import type { LabErrorCode } from '../../../src/foundation/errors';
import { METRICS } from '../../../src/rl/measure/metrics';
import { type Journey, MESSAGES } from './journey';
import {
  choose,
  enter,
  found,
  messaged,
  phase,
  press,
  runOn,
  type Step,
  said,
  seen,
  to,
  type Way,
  walk,
} from './steps';
import { crash, keepApart, keepQuiet, say, speakAgain } from './workers';

const prepare: Way = [keepApart, press('run-first'), phase('preparing')];

/** Running, as far as the page knows: it has been asked to pause, and has not yet. */
const stop: Way = [
  speakAgain,
  // Before, boards show an example, and nothing can be paused.
  phase('running'),
  found('.strip .chip'),
  keepQuiet,
  press('pause'),
];

/** The trainer refuses. */
const refuse =
  (code: LabErrorCode, message: string, advice: string): Step =>
  (page) =>
    say(page, { type: 'error', code, message, advice });

const pause: Way = [speakAgain, phase('paused')];

const change: Way = [enter('live-ce.observation', '0.5'), press('step'), seen('timeline', '0.5'), phase('paused')];

/** The numbers of a long run on a fast device, which are the widest that the page has to show. */
async function runFast(page: Page): Promise<void> {
  await walk(page, prepare);
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

const RECOVERED = 'The GPU device was lost; another was opened, and the run went on from update 3.';

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
  await phase('stranded')(page);
}

export const training: readonly Journey[] = [
  {
    name: 'training',
    link: '#preset=gridworld-tiny&updates=1000',
    states: [
      { name: 'link-arrived', reach: messaged('link'), about: MESSAGES },
      { name: 'preparing', reach: prepare },
      { name: 'running', reach: stop },
      { name: 'paused', reach: pause, about: '.header' },
      { name: 'changed-while-training', reach: change, about: '[aria-labelledby=timeline]' },
      { name: 'restart-asked', reach: [to('settings'), enter('setting-batch.groups', '3')], about: MESSAGES },
      { name: 'reset-asked', reach: press('keep', 'reset'), escape: true },
      {
        name: 'tokens-awaited',
        reach: [keepQuiet, to('why'), press('why-inspect'), found('.inspector-waiting')],
        escape: true,
      },
      {
        name: 'policy-awaited',
        reach: [to('policies'), press('export-policy'), seen('export-said', 'Waiting for the end')],
        about: '[data-testid=place-policies]',
      },
      {
        name: 'dreams-awaited',
        reach: [to('lab'), choose('dream', 'next'), said('dreaming after this update')],
        about: '.worlds',
      },
      {
        name: 'probes-awaited',
        reach: [to('why'), press('probes-watch'), said('The first probes come after')],
        about: '[data-testid=probes]',
      },
      {
        name: 'something-happened',
        about: MESSAGES,
        reach: [
          (page) => say(page, { type: 'notice', kind: 'recovered', update: 3, text: RECOVERED }),
          messaged('happened'),
        ],
      },
      {
        name: 'change-refused',
        about: MESSAGES,
        reach: [
          refuse('limits', 'This change would need more memory than the device has.', 'Use fewer seeds.'),
          messaged('refused'),
        ],
      },
      { name: 'diverged', reach: diverge, about: MESSAGES },
      { name: 'stranded', reach: loseDevice, about: MESSAGES },
      { name: 'failed', reach: [crash, phase('failed')], about: MESSAGES },
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
    states: [{ name: 'failed-at-once', reach: [prepare, crash, seen('no-episodes')] }],
  },
  {
    name: 'nothing to run on',
    link: '#preset=gridworld-tiny',
    states: [
      {
        name: 'no-backend',
        about: MESSAGES,
        reach: [
          runOn('webgpu'),
          keepQuiet,
          refuse('no-webgpu', 'This browser offers no WebGPU adapter.', 'Continue on the CPU.'),
          messaged('refused'),
        ],
      },
    ],
  },
];
