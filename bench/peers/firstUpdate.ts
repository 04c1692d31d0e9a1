/** First update, from the same parameters on the same batch: both sides must learn the same from it. */
import { LabError } from '../../src/foundation/errors';

export interface Batch {
  /** [trajectories, context]; 0 after the end of each. */
  readonly tokens: Uint32Array;
  readonly lengths: Uint32Array;
  /** 1 where the goal was reached. */
  readonly succeeded: Uint32Array;
}

/** What an update learned. */
export interface Lesson {
  /** Cross-entropy of the observations and entropy of the actions before the first step, nats. */
  readonly predicted: number;
  readonly entropy: number;
  /** Norm of the first step's gradient, before clipping. */
  readonly gradient: number;
  /** All parameters after the last step; numbers beyond those of the other side, the critic's, are not compared. */
  readonly parameters: Float32Array;
}

/**
 * Largest difference, relative to the number itself; of the parameters, to the length of the way that they went. A language model
 * has many gradients near 0, which Adam makes steps of: there five times as much.
 */
const MOST = { predicted: 1e-5, entropy: 1e-5, gradient: 2e-5, parameters: 2e-4 } as const;

const NAMES: Readonly<Record<keyof Lesson, string>> = {
  predicted: 'cross-entropy of observations',
  entropy: 'entropy of actions',
  gradient: 'norm of the gradient',
  parameters: 'change of the parameters',
};

const KEYS = Object.keys(MOST) as (keyof Lesson)[];

/** Differences of two lessons from the same `initial` parameters, relative. */
function apart(ours: Lesson, theirs: Lesson, initial: Float32Array): Record<keyof Lesson, number> {
  const relative = (key: 'predicted' | 'entropy' | 'gradient'): number =>
    Math.abs(ours[key] - theirs[key]) / Math.abs(theirs[key]);
  const distance = (from: Float32Array): number =>
    Math.sqrt(theirs.parameters.reduce((sum, value, i) => sum + (value - (from[i] as number)) ** 2, 0));
  return {
    predicted: relative('predicted'),
    entropy: relative('entropy'),
    gradient: relative('gradient'),
    parameters: distance(ours.parameters) / distance(initial),
  };
}

/** Differences in words. Throws LabError 'internal' where one is too large: the two sides do not compute the same update. */
export function sameLesson(ours: Lesson, theirs: Lesson, initial: Float32Array, isLanguage = false): string {
  const most = { ...MOST, parameters: (isLanguage ? 5 : 1) * MOST.parameters };
  const differences = apart(ours, theirs, initial);
  const said = KEYS.map((key) => `${NAMES[key]} ${differences[key].toExponential(1)}`).join(', ');
  const isWrong = KEYS.filter((key) => !(differences[key] <= most[key]));
  if (isWrong.length === 0) return said;
  const wrong = isWrong.map((key) => `${NAMES[key]} by ${differences[key].toExponential(1)} (at most ${most[key]})`);
  throw new LabError(
    'internal',
    `From the same batch the two sides learn what differs in ${wrong.join(', ')}.`,
    'They must compute the same; correct the one that does not.',
  );
}
