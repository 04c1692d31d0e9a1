/** The tour through an experiment: what each step speaks of, and what it says. Two minutes, read aloud. */
import type { Hideable } from '../../../experiment/hidden';

export interface Step {
  readonly title: string;
  readonly text: string;
  /** Selectors of what it speaks of, the best first: the first that is there and leaves room for the card is taken. */
  readonly about: readonly string[];
  /** Left out where a link hides this. */
  readonly part?: Hideable;
  /** Its button runs the experiment, if nothing has run yet. */
  readonly runs?: true;
}

export const STEPS: readonly Step[] = [
  {
    title: 'What the loss can see',
    text: 'Each row is an arm: the same policy, trained with another loss. A solid token learns, a hatched one is masked; press a cell to change that.',
    about: ['.arm-table', '.arm-table tbody tr'],
  },
  {
    title: 'Run them side by side',
    text: 'All arms begin alike and meet the same tasks, here in this tab. You can pause at any time.',
    about: ['[data-testid="run-first"]', '[data-testid="run"]', '[data-testid="pause"]'],
    runs: true,
  },
  {
    title: 'The same task in every arm',
    text: 'One episode of each arm, turn by turn. Below it stand its tokens, solid or veiled as the loss saw them.',
    about: ['.worlds-arms', '.world', '.first-world'],
  },
  {
    title: 'Saw it coming',
    text: 'The bars say how probable the policy held each answer of the world. Only an arm that learns from observations comes to expect them. They fill once the first update is done.',
    about: ['[aria-label="World model"] .foresight', '.foresight', '.worlds-arms', '.first-world'],
  },
  {
    title: 'The two curves that decide',
    text: 'Lines are means over seeds, bands their 95% intervals (of two or three seeds: from the lowest to the highest). Success is what is asked for; cross-entropy is how much the world surprises the policy.',
    about: ['.screen-charts', '[data-testid="chart-successRate"]'],
  },
  {
    title: 'The verdict',
    text: 'When a run has ended, one sentence here says which arm is ahead, by how much, and whether the seeds are enough to say so.',
    about: ['.verdict', '.screen-worlds'],
  },
  {
    title: 'Change λ while it trains',
    text: 'This is the weight of the world-model loss. Move it: it acts from the next update, and a hollow mark on every chart shows when.',
    about: ['.control:has([data-testid="live-ce.observation"])', '[data-testid="live-open"]'],
  },
  {
    title: 'Inspect a token',
    text: 'Press any token of an episode for its numbers: log-probs, ratio, advantage, its weight in the loss, all put into the formula.',
    about: ['.world .strip', '.worlds-arms', '.first-world'],
  },
  {
    title: 'Pass it on',
    text: 'The link holds the settings, the seeds and every change you made while it trained, so that others can run the same. This tour is under Help.',
    about: ['[data-testid="share"]'],
  },
];
