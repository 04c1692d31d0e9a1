/** The settings of the whole experiment, which all arms share. */
import { integer } from '../../hyperparameters/setting';
import { EVALUATION } from './evaluation';
import { WARM_START } from './warmStart';

const POPULATION = 'The population is laid out in memory for this number, so training starts again.';
const WEIGHTS = 'The policies have another shape or another start, so training starts again.';
const SAMPLES = 'Every number drawn so far would have been another, so training starts again.';
const METRICS_LAYOUT = 'The metrics already recorded were taken at the old interval, so training starts again.';

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
    help: 'How often each arm is repeated with other initial weights and tasks: the bands on the charts come from these. They are numbered from 0.',
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
  }),
  diagnosticsEvery: integer({
    label: 'Diagnostics every',
    help: 'Updates between two measurements of the gradient’s parts, and of the KL to the reference where no arm is held to it; 0: never.',
    default: 10,
    min: 0,
    max: 100_000,
    soft: [0, 50],
    restart: METRICS_LAYOUT,
  }),
  informationEpisodes: integer({
    label: 'Episodes for task information',
    help: 'Episodes of each task scored under every other task’s prompt, whenever diagnostics are due: can one tell the task from the actions? 0: never.',
    default: 0,
    min: 0,
    max: 64,
    soft: [0, 8],
    restart: METRICS_LAYOUT,
  }),
  warmStart: WARM_START,
  evaluation: EVALUATION,
  policy: {
    model: {
      type: 'choice',
      label: 'Begins from',
      help: 'Weights that all policies begin from: noise, drawn as the initialisation says, or a pretrained language model, which fixes the policies’ shape.',
      // Experiments from before there was a choice mean this.
      default: 'noise',
      choices: ['noise', 'stories260k'],
      names: { noise: 'noise', stories260k: 'stories260K' },
      restart: WEIGHTS,
    },
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
      names: { relu: 'ReLU', gelu: 'GELU' },
      restart: WEIGHTS,
    },
    initialisation: {
      type: 'choice',
      label: 'Initialisation',
      help: 'How the first weights are drawn.',
      // Experiments from before there was a choice mean this.
      default: 'normal',
      choices: ['normal', 'fan-in', 'gpt-2'],
      names: {
        normal: 'normal: one scale',
        'fan-in': 'fan-in: 1/√inputs',
        'gpt-2': 'GPT-2: 0.02, residuals smaller',
      },
      restart: WEIGHTS,
    },
    initialScale: {
      type: 'number',
      label: 'Initial scale',
      help: 'Standard deviation of the weights before training, where the initialisation is normal.',
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
