/**
 * Every setting of an experiment, defined once: label, help, default, hard limits, slider, and whether it can change
 * while training. The schema (experiment.ts), the controls and the link keys (link.ts) all derive from these tables.
 * Hard limits cap whatever costs memory or time, since a link may come from anyone.
 */
import type { NumberSetting } from './setting';

const POPULATION = 'The population is laid out in memory for this number, so training starts again.';
const WEIGHTS = 'The policies have another shape or another start, so training starts again.';
const SAMPLES = 'Every number drawn so far would have been another, so training starts again.';
const METRICS_LAYOUT = 'The metrics already recorded were taken at the old interval, so training starts again.';

function integer(setting: Omit<NumberSetting, 'type' | 'scale' | 'step'> & Partial<NumberSetting>) {
  return { scale: 'linear', step: 1, ...setting, type: 'integer' } as const satisfies NumberSetting;
}

function real(setting: Omit<NumberSetting, 'type' | 'scale' | 'restart'> & { scale?: 'linear' | 'log' }) {
  return { scale: 'linear', ...setting, type: 'number', restart: null } as const satisfies NumberSetting;
}

/** Limits that span several settings. */
export const LIMITS = {
  arms: 8,
  members: 64,
  trajectories: 1024,
  changes: 200,
  headSize: 64,
  /** Scalars in all members' parameters together. */
  parameters: 2 ** 26,
  /** Members × trajectories × context × width × layers. */
  activations: 2 ** 29,
} as const;

export const EXPERIMENT_TABLE = {
  seed: integer({
    label: 'Experiment seed',
    help: 'The number all randomness of the experiment is drawn from.',
    default: 0,
    min: 0,
    max: 0xffffffff,
    soft: [0, 99],
    restart: SAMPLES,
  }),
  seeds: integer({
    label: 'Seeds',
    help: 'How often each arm is repeated with other initial weights and tasks: the bands on the charts come from these.',
    default: 4,
    min: 1,
    max: 32,
    soft: [1, 16],
    restart: POPULATION,
  }),
  updates: integer({
    label: 'Updates',
    help: 'How many times a batch is collected and learned from.',
    default: 300,
    min: 1,
    max: 100_000,
    soft: [20, 1000],
    step: 10,
    restart: null,
  }),
  diagnosticsEvery: integer({
    label: 'Diagnostics every',
    help: 'Updates between two measurements of the policy and world-model gradient norms apart; 0 never measures them.',
    default: 10,
    min: 0,
    max: 100_000,
    soft: [0, 50],
    restart: METRICS_LAYOUT,
  }),
  policy: {
    layers: integer({
      label: 'Layers',
      help: 'Transformer blocks, each an attention and a two-layer network.',
      default: 2,
      min: 1,
      max: 8,
      soft: [1, 4],
      restart: WEIGHTS,
    }),
    width: integer({
      label: 'Width',
      help: 'Numbers that represent one token inside the policy; a multiple of 16.',
      default: 64,
      min: 16,
      max: 512,
      soft: [16, 128],
      step: 16,
      restart: WEIGHTS,
    }),
    heads: integer({
      label: 'Heads',
      help: 'Attention heads; each has width ÷ heads numbers, a multiple of 4 and at most 64.',
      default: 4,
      min: 1,
      max: 16,
      soft: [1, 8],
      restart: WEIGHTS,
    }),
    positions: {
      type: 'choice',
      label: 'Positions',
      help: 'How the policy knows where a token stands: a learned vector for each position, or rotated queries and keys.',
      default: 'learned',
      choices: ['learned', 'rotary'],
      restart: WEIGHTS,
    },
    activation: {
      type: 'choice',
      label: 'Activation',
      help: 'The nonlinearity between the two layers of each block’s network.',
      default: 'relu',
      choices: ['relu', 'gelu'],
      restart: WEIGHTS,
    },
    initialScale: {
      type: 'number',
      label: 'Initial scale',
      help: 'Standard deviation of the weights before training; larger ones help the action mask more than the world model.',
      default: 0.05,
      min: 0.001,
      max: 1,
      soft: [0.01, 0.2],
      scale: 'log',
      step: 1.1,
      restart: WEIGHTS,
    },
  },
  batch: {
    groups: integer({
      label: 'Groups',
      help: 'Tasks drawn for every update.',
      default: 16,
      min: 1,
      max: 1024,
      soft: [1, 64],
      restart: POPULATION,
    }),
    groupSize: integer({
      label: 'Group size',
      help: 'Trajectories sampled for the same task; advantages compare them with one another.',
      default: 8,
      min: 2,
      max: 1024,
      soft: [2, 32],
      restart: POPULATION,
    }),
  },
} as const;

function weight(loss: string, role: string, help: string, initial: number) {
  return real({ label: `${loss} on ${role}`, help, default: initial, min: 0, max: 10, soft: [0, 1], step: 0.01 });
}

const POLICY_GRADIENT = 'Policy gradient';
const CROSS_ENTROPY = 'Cross-entropy';

export const ARM_TABLE = {
  pg: {
    prompt: weight(
      POLICY_GRADIENT,
      'prompt',
      'Rewards the policy for a prompt it did not write: a mistake to study.',
      0,
    ),
    action: weight(
      POLICY_GRADIENT,
      'actions',
      'Makes actions of better trajectories likelier: reinforcement itself.',
      1,
    ),
    observation: weight(
      POLICY_GRADIENT,
      'observations',
      'Rewards the policy for what the environment said: the forgotten mask.',
      0,
    ),
    warning: weight(
      POLICY_GRADIENT,
      'warnings',
      'Rewards the policy for complaints about its malformed actions: also a forgotten mask.',
      0,
    ),
  },
  ce: {
    prompt: weight(CROSS_ENTROPY, 'prompt', 'Trains the policy to predict the prompt.', 0),
    action: weight(CROSS_ENTROPY, 'actions', 'Trains the policy to repeat its own actions, whatever they earned.', 0),
    observation: {
      ...weight(
        CROSS_ENTROPY,
        'observations',
        'Cross-entropy on observations: trains the policy to predict what the environment answers.',
        0,
      ),
      label: 'World-model weight λ',
    },
    warning: weight(CROSS_ENTROPY, 'warnings', 'Trains the policy to predict complaints about malformed actions.', 0),
  },
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
  clipLow: real({
    label: 'Clip below',
    help: 'How far an action’s probability ratio may fall under 1 before its gradient stops.',
    default: 0.2,
    min: 0,
    max: 1,
    soft: [0, 0.5],
    step: 0.01,
  }),
  clipHigh: real({
    label: 'Clip above',
    help: 'How far an action’s probability ratio may rise over 1 before its gradient stops.',
    default: 0.2,
    min: 0,
    max: 100,
    soft: [0, 1],
    step: 0.01,
  }),
  entropyCoefficient: real({
    label: 'Entropy bonus',
    help: 'Reward for staying undecided among the legal actions.',
    default: 0.01,
    min: 0,
    max: 10,
    soft: [0, 0.1],
    step: 0.001,
  }),
  klCoefficient: real({
    label: 'KL penalty',
    help: 'Pull back towards the reference policy, by the k3 estimate of the divergence on actions.',
    default: 0,
    min: 0,
    max: 10,
    soft: [0, 0.2],
    step: 0.002,
  }),
  temperature: real({
    label: 'Temperature',
    help: 'Divides the logits when actions are sampled: higher explores more.',
    default: 1,
    min: 0.05,
    max: 10,
    soft: [0.2, 2],
    step: 0.05,
  }),
  innerEpochs: integer({
    label: 'Inner epochs',
    help: 'Optimisation steps on each collected batch.',
    default: 2,
    min: 1,
    max: 16,
    soft: [1, 8],
    restart: null,
  }),
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
  advantageEpsilon: real({
    label: 'Advantage ε',
    help: 'Added to a group’s standard deviation before rewards are divided by it.',
    default: 1e-4,
    min: 1e-8,
    max: 10,
    soft: [1e-6, 1],
    scale: 'log',
    step: 10,
  }),
} as const;
