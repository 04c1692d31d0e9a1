/** The tour through an experiment: the subject of each step, and its words. Two minutes, read aloud. */
import type { Hideable } from '../../../experiment/link/hidden';

export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** Selectors of the subject, the best first: the first that is there and leaves room for the card is taken. */
  readonly about: readonly string[];
  /** Part without which the step is left out, where a link hides it. */
  readonly part?: Hideable;
  /** True if the step's button runs the experiment, where nothing has run yet. */
  readonly runs?: true;
}

export const STEPS: readonly TourStep[] = [
  {
    title: 'What the loss can see',
    text: 'Each row is an arm: the same agent, trained in another way. Each column is a kind of token. Cells that say “policy” learn from reward, “prediction” learn what the world answers, hatched ones learn nothing. Press a cell to change it.',
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
    text: 'An episode of each arm, turn by turn; before a run, one as a script plays it. Below it stand its tokens: solid if they taught something, hatched if not.',
    about: ['.worlds-arms', '.world', '.first-world'],
  },
  {
    title: 'Answers predicted',
    text: 'The bars say how likely the agent thought each answer of the world before it came. Only an arm with prediction comes to expect them. They fill after the first update.',
    about: ['[aria-label="World model"] .foresight', '.foresight', '.worlds-arms', '.first-world'],
  },
  {
    title: 'The two curves that decide',
    text: 'Success is what is asked for. Prediction error (cross-entropy) is how much the world’s answers surprise the agent: lower is better. A line is the mean over seeds, repeats with other random numbers; its band says how far they lie apart.',
    about: ['.screen-charts', '[data-testid="chart-successRate"]'],
  },
  {
    title: 'The verdict',
    text: 'When a run has ended, one sentence here says which arm is ahead, by how much, and whether the seeds are enough to say so.',
    about: ['.verdict', '.screen-worlds'],
  },
  {
    title: 'Change λ while it trains',
    text: 'λ is the weight of prediction. Move it: it applies at the next update, and a hollow mark on every chart shows when.',
    about: ['.control:has([data-testid="live-ce.observation"])', '[data-testid="live-open"]'],
  },
  {
    title: 'Inspect a token',
    text: 'Press any token to see how likely it was, what it was worth, and the formula it is learned by, with these numbers put in.',
    about: ['.world .strip', '.worlds-arms', '.first-world'],
  },
  {
    title: 'Pass it on',
    text: 'Share gives a link with the settings, the seeds and every change you made, so that others can run the same. Behind the gear are all settings, the machine, and Help, which has this tour.',
    about: ['[data-testid="share"]', '[data-testid="gear"]'],
  },
];
