/** Beside the lab: the page of kernels, the measuring of speed, and parts of the lab in other pages' frames. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { type Journey, PLACE } from './journey';
import { click, fill, found, press, said, seen, to, unfold, type Way } from './steps';
import { keepQuiet, speakAgain } from './workers';

const TINY = '#preset=gridworld-tiny&updates=4';

async function judge(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByTestId('fixtures-file').setInputFiles({ name, mimeType: 'application/json', buffer });
}

/** One case as it is, and once more with an expectation that is wrong. */
async function judgeFixtures(page: Page): Promise<void> {
  const [first] = JSON.parse(await readFile('test/fixtures/kl.json', 'utf8'));
  const wrong = structuredClone(first);
  wrong.name = 'a wrong expectation';
  wrong.expected.kl.data[0] += 1;
  await judge(page, 'mine.json', Buffer.from(JSON.stringify([first, wrong])));
  await page.getByTestId('fixtures-failures').waitFor();
}

const checked: Way = [
  speakAgain,
  seen('kernel-result'),
  found('[data-testid=kernel-work][data-phase=idle]'),
  click('.kernel-details summary'),
];

export const elsewhere: readonly Journey[] = [
  {
    name: 'findings',
    link: '#findings',
    states: [
      {
        name: 'finding',
        reach: [
          press('card-finding-best-against-best'),
          seen('finding-numbers'),
          found('.finding-figure >> nth=3 >> .plot-line'),
        ],
        about: '[data-testid=finding]',
      },
    ],
  },
  {
    name: 'batch',
    link: '#batch',
    states: [
      {
        name: 'audited',
        reach: [
          press('batch-leak'),
          unfold('batch-unseen'),
          press('batch-formula-open', 'batch-compare'),
          seen('batch-losses'),
        ],
        about: '[data-testid=place-batch]',
      },
    ],
  },
  {
    name: 'methods',
    link: '#methods',
    states: [
      {
        name: 'methods-found',
        reach: [fill('methods-search', 'rejection fine-tuning'), seen('method', 'RFT')],
        about: '.methods',
      },
      { name: 'methods-not-here', reach: [fill('methods-search', 'openvla'), said('Not here.')], about: '.methods' },
    ],
  },
  {
    name: 'kernels',
    link: '#kernels',
    states: [
      { name: 'kernels', reach: seen('kernels-search') },
      {
        name: 'kernel-not-found',
        reach: [fill('kernels-search', 'zzz'), said('No kernel has all of these words.')],
        about: '.kernels-search',
      },
      {
        name: 'fixtures-refused',
        reach: [
          fill('kernels-search', 'rows'),
          (page) => judge(page, 'experiment.json', Buffer.from('{"version": 1}')),
          seen('fixtures-problem'),
        ],
        about: '.fixtures',
      },
      { name: 'fixtures-judged', reach: judgeFixtures, about: '.fixtures' },
      { name: 'kernel', reach: [click('[data-testid="kernel-log_prob/scatter_rows"] a'), seen('kernel-wgsl')] },
      {
        name: 'kernel-under-check',
        reach: [keepQuiet, press('kernel-check'), seen('kernel-stop')],
        about: '[data-testid=kernel-work]',
      },
      { name: 'kernel-checked', reach: checked, about: '.kernel-halves' },
      { name: 'kernel-as-compiled', reach: press('kernel-code'), about: '[aria-labelledby=kernel-source]' },
      {
        name: 'kernel-timed',
        reach: [to('kernels/optimiser/adamw'), press('kernel-time'), seen('kernel-timed', 'of the ceiling')],
      },
      { name: 'kernel-unknown', reach: [to('kernels/none'), said('There is no kernel called none.')] },
    ],
  },
  {
    name: 'speed',
    link: TINY,
    states: [
      {
        name: 'speed-being-measured',
        reach: [to('speed'), seen('speed-quick'), keepQuiet, press('speed-quick'), seen('speed-stop')],
      },
      {
        name: 'speed-measured',
        reach: [speakAgain, found('[data-testid=speed-progress][data-phase=done]')],
        about: PLACE,
      },
    ],
  },
  ...(['world-model', 'chart-observationCrossEntropy'] as const).map(
    (part): Journey => ({
      name: `embedded ${part}`,
      link: `?embed=${part}${TINY}`,
      states: [
        { name: `embedded-${part}-before-run`, reach: seen('run') },
        { name: `embedded-${part}`, reach: [press('run'), found('[data-testid=status][data-phase=finished]')] },
      ],
    }),
  ),
  {
    name: 'embedded unknown',
    link: `?embed=nothing${TINY}`,
    states: [{ name: 'embedded-unknown', reach: seen('embed-unknown') }],
  },
];
