/**
 * Settings of the warm start. For each arm: which tokens of demonstrations it learns from, and policies from files. For
 * the whole experiment: what the demonstrations are and how long they are learned from.
 */
import { choice, file, integer, real } from '../../hyperparameters/setting';

const START = 'The policies have another start, so training starts again.';

export const WARM_START_ARM = {
  warmStart: {
    ...choice(
      'Warm start',
      'Which tokens of demonstrations the arm is trained on before the first update (ActObs: both, arXiv 2609.20715; its control: one after the other).',
      {
        none: 'None',
        actions: 'Actions',
        'actions-and-observations': 'Actions and observations',
        observations: 'Observations',
        'observations-then-actions': 'Observations, then actions',
      },
    ),
    restart: START,
  },
  startPolicy: file(
    'Starting weights',
    'A policy’s file that every seed of the arm begins from instead of weights drawn at random.',
    START,
  ),
  referencePolicy: file(
    'Reference of the KL',
    'A policy’s file that the KL is measured against instead of the policy the arm begins as.',
    START,
  ),
  fixedPolicy: file(
    'Fixed policy',
    'A policy’s file that plays in every seed of the arm as it is, on onnxruntime-web, and learns nothing: a baseline.',
    'Another policy plays in the arm, so training starts again.',
  ),
} as const;

export const WARM_START = {
  updates: integer({
    label: 'Warm-start updates',
    help: 'Supervised steps before the first update, in the arms that have a warm start.',
    default: 150,
    min: 0,
    max: 100_000,
    soft: [0, 500],
    step: 10,
    restart: START,
  }),
  learningRate: {
    ...real({
      label: 'Warm-start learning rate',
      help: 'The size of a supervised step; the optimiser starts again after the warm start.',
      default: 1e-3,
      min: 0,
      max: 1,
      soft: [1e-5, 1e-1],
      scale: 'log',
      step: 1.1,
    }),
    restart: START,
  },
  measureEvery: integer({
    label: 'Measured every',
    help: 'After every so many warm-start steps success, entropy, KL to the start and the gradients of actions and observations are measured, which takes about as long as two updates; 0 measures nothing. It changes no number of the training.',
    default: 0,
    min: 0,
    max: 100_000,
    soft: [0, 100],
    step: 5,
    restart: 'What is measured on the way to the first update is measured again, so training starts again.',
  }),
  batch: integer({
    label: 'Demonstrations in a step',
    help: 'How many demonstrations a supervised step learns from; 0 takes as many as an update has trajectories.',
    default: 0,
    min: 0,
    max: 1024,
    soft: [0, 128],
    restart: START,
  }),
  demonstrations: integer({
    label: 'Demonstrations',
    help: 'How many there are, gone through again and again; 0 writes new ones for every step.',
    default: 0,
    min: 0,
    max: 1_000_000,
    soft: [0, 2000],
    restart: START,
  }),
  source: {
    ...choice('Demonstrator', 'Who acts in the demonstrations.', {
      expert: 'Scripted expert',
      random: 'Random policy',
    }),
    restart: START,
  },
  noisy: {
    ...real({
      label: 'Noisy demonstrations',
      help: 'Share of the expert’s demonstrations that are spoilt by random actions; many of them fail.',
      default: 0,
      min: 0,
      max: 1,
      soft: [0, 1],
      step: 0.05,
    }),
    restart: START,
  },
  noise: {
    ...real({
      label: 'Random actions in them',
      help: 'In a noisy demonstration, the chance of each action to be a random one.',
      default: 0.3,
      min: 0,
      max: 1,
      soft: [0, 1],
      step: 0.05,
    }),
    restart: START,
  },
  observationShare: {
    ...real({
      label: 'Steps on observations first',
      help: 'Where a warm start learns observations, then actions: the share of its steps before it turns to actions.',
      default: 0.5,
      min: 0,
      max: 1,
      soft: [0, 1],
      step: 0.05,
    }),
    restart: START,
  },
  observationWeight: {
    ...real({
      label: 'Weight of observations',
      help: 'Where a warm start learns from both: what an observation token counts against an action token’s 1.',
      default: 1,
      min: 0,
      max: 10,
      soft: [0, 2],
      step: 0.05,
    }),
    restart: START,
  },
} as const;
