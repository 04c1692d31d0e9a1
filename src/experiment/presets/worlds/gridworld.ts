/** Gridworlds: the default experiment, smaller ones, and some whose worlds are hard to foresee. */
import {
  actionMask,
  baseExperiment,
  environmentOf,
  noMask,
  type Preset,
  smallPolicy,
  worldModel,
  worldModelOf,
} from '../preset';

export const gridworld: Preset = {
  id: 'gridworld',
  claim:
    'With small initial weights and settings found by hand, predicting what the environment answers made learning from a ' +
    'rare reward start earlier in this gridworld.',
  experiment: { ...baseExperiment, arms: [actionMask, worldModel, noMask] },
};

export const gridworldSmall: Preset = {
  id: 'gridworld-small',
  claim: 'The same comparison with a policy half as wide and three seeds, for devices without a GPU.',
  finding: 'dynamics-or-regularisation',
  experiment: {
    ...gridworld.experiment,
    preset: 'gridworld-small',
    title: 'Which tokens should learn? Half as wide',
    seeds: 3,
    policy: smallPolicy,
  },
};

export const gridworldTiny: Preset = {
  id: 'gridworld-tiny',
  claim: 'Too small to show any difference in success between the arms: this only shows the lab at work.',
  experiment: {
    ...gridworld.experiment,
    preset: 'gridworld-tiny',
    title: 'A first look, too small to conclude from',
    seeds: 2,
    updates: 20,
    environment: environmentOf('gridworld', { size: 4, horizon: 8, minimumDistance: 2 }),
    policy: {
      ...gridworld.experiment.policy,
      layers: 1,
      width: 16,
      heads: 2,
      positions: 'learned',
      activation: 'relu',
      initialisation: 'normal',
      initialScale: 0.05,
    },
    batch: { groups: 2, groupSize: 4 },
  },
};

export const scrambledControls: Preset = {
  id: 'scrambled-controls',
  claim:
    'Where moves are turned round in every other episode, does predicting observations help to notice which it is?',
  experiment: {
    ...baseExperiment,
    preset: 'scrambled-controls',
    title: 'Which way is north today?',
    environment: environmentOf('gridworld', {
      size: 5,
      observation: 'coordinates',
      horizon: 10,
      controls: 'inverted',
    }),
  },
};

export const permutedControls: Preset = {
  id: 'permuted-controls',
  claim: 'With all 24 orders of the four moves: does either arm find out within an episode which one it is in?',
  experiment: {
    ...scrambledControls.experiment,
    preset: 'permuted-controls',
    title: 'One of 24 keyboards',
    environment: environmentOf('gridworld', {
      size: 5,
      observation: 'coordinates',
      horizon: 10,
      controls: 'permuted',
    }),
  },
};

export const noisyTv: Preset = {
  id: 'noisy-tv',
  claim: 'Two thirds of what is observed are chance: does predicting the rest still pay?',
  finding: 'noisy-television',
  experiment: {
    ...baseExperiment,
    preset: 'noisy-tv',
    title: 'The noisy television',
    environment: environmentOf('gridworld', { noiseTokens: 2 }),
    arms: [actionMask, worldModelOf(actionMask, 0.2)],
  },
};
