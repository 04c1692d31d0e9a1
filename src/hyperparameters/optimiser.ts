/** Settings of sampling and of the optimiser. */
import { both, integer, isAbove, onHost, real } from './setting';

/** Updates over which sampling anneals, N: a value in update u is first + min(u/N, 1) · (last − first). */
const annealing = onHost(
  integer({
    label: 'Annealing',
    help: 'Updates over which temperature and ε go in equal steps to their final values; 0 keeps them.',
    default: 0,
    min: 0,
    max: 100_000,
    soft: [0, 500],
  }),
);

/** ε: words are drawn from (1 − ε) · policy + ε · uniform over the legal words. */
const uniformShare = real({
  label: 'Uniform share ε',
  help: 'Draws from the policy with probability 1 − ε, else evenly from the legal words, so that none is ever out of reach. Decoding records the mixture’s probability; “Ratio to” and “Correction for decoding” put it to use.',
  default: 0,
  min: 0,
  max: 1,
  soft: [0, 0.5],
  step: 0.01,
});

export const OPTIMISER = {
  learningRate: real({
    label: 'Learning rate',
    help: 'The size of an optimisation step; 0 freezes the arm.',
    default: 1e-3,
    min: 0,
    max: 1,
    soft: [1e-5, 1e-1],
    scale: 'log',
    step: 1.1,
  }),
  learningRateWarmUp: onHost(
    integer({
      label: 'Warm-up',
      help: 'Updates over which the learning rate rises to its value in equal steps; 0 begins with the whole of it.',
      default: 0,
      min: 0,
      max: 100_000,
      soft: [0, 100],
    }),
  ),
  temperature: real({
    label: 'Temperature',
    help: 'Divides the logits when actions are sampled: higher explores more.',
    default: 1,
    min: 0.05,
    max: 10,
    soft: [0.2, 2],
    step: 0.05,
  }),
  innerEpochs: onHost(
    integer({
      label: 'Inner epochs',
      help: 'Passes over each collected batch, with an optimisation step each, or one on each minibatch.',
      default: 2,
      min: 1,
      max: 16,
      soft: [1, 8],
    }),
  ),
  weightDecay: real({
    label: 'Weight decay',
    help: 'Shrinks the weights a little at every step (AdamW).',
    default: 0.01,
    min: 0,
    max: 10,
    soft: [0, 0.2],
    step: 0.005,
  }),
  beta1: real({
    label: 'Adam β₁',
    help: 'Memory of the gradient’s running mean.',
    default: 0.9,
    min: 0,
    max: 0.99999,
    soft: [0, 0.99],
    step: 0.01,
  }),
  beta2: real({
    label: 'Adam β₂',
    help: 'Memory of the gradient’s running square.',
    default: 0.95,
    min: 0,
    max: 0.99999,
    soft: [0.8, 0.999],
    step: 0.001,
  }),
  epsilon: real({
    label: 'Adam ε',
    help: 'Keeps the optimiser from dividing by nearly nothing.',
    default: 1e-8,
    min: 1e-12,
    max: 1,
    soft: [1e-10, 1e-4],
    scale: 'log',
    step: 10,
  }),
  maxGradNorm: real({
    label: 'Gradient clip',
    help: 'Longer gradients are shortened to this norm.',
    default: 1,
    min: 1e-6,
    max: 1e6,
    soft: [0.01, 10],
    scale: 'log',
    step: 1.1,
  }),
  /**
   * Parts of a batch with an optimiser step each (src/rl/learn/minibatches.ts); the loss of one is M times its share of the
   * batch's.
   */
  minibatches: onHost(
    integer({
      label: 'Minibatches',
      help: 'Parts into which each inner epoch cuts the batch, with an optimiser step on each. Advantages stay the whole batch’s.',
      default: 1,
      min: 1,
      max: 64,
      soft: [1, 8],
    }),
  ),
  /** Nucleus sampling (arXiv 1904.09751): the fewest likeliest legal words with at least this probability together; 0 and 1: all. */
  topP: real({
    label: 'Top-p',
    help: 'Draws only from the likeliest words that together have this probability (nucleus sampling, arXiv 1904.09751); 1 draws from all. Training does not know of it, but decoding records the probability it really drew with.',
    default: 1,
    min: 0.01,
    max: 1,
    soft: [0.5, 1],
    step: 0.05,
  }),
  uniformShare,
  annealing,
  finalTemperature: onHost(
    real({
      label: 'Final temperature',
      help: 'The temperature once annealing is through, as low as 0.05: nearly the likeliest word alone.',
      default: 1,
      min: 0.05,
      max: 10,
      soft: [0.2, 2],
      step: 0.05,
      when: isAbove(annealing),
    }),
  ),
  finalUniformShare: onHost(
    real({
      label: 'Final ε',
      help: 'The uniform share once annealing is through: 0 explores no more.',
      default: 0,
      min: 0,
      max: 1,
      soft: [0, 0.5],
      step: 0.01,
      when: both(isAbove(annealing), isAbove(uniformShare)),
    }),
  ),
} as const;
