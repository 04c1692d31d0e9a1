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
} from './preset';

export const gridworld: Preset = {
  id: 'gridworld',
  claim:
    'With small initial weights and settings found by hand, predicting what the environment answers made learning from a ' +
    'rare reward start earlier in this gridworld.',
  expectation:
    'Cell names say nothing about where they lie, and a random walk finds the goal in about one episode in ten. In ' +
    'the recorded run of four seeds the area under the success curve was 0.63 (0.57 to 0.66) for the world model, ' +
    '0.24 (0.20 to 0.30) for the action mask and 0.22 (0.13 to 0.33) without a mask, where cross-entropy on ' +
    'observations rose from 3.95 to 89.7 nats. Seeds differ a lot: look at the bands, not at one pair of curves. ' +
    'Nothing was searched here; what is left of the gap when both arms are given the same search stands under “How ' +
    'sure”.',
  experiment: { ...baseExperiment, arms: [actionMask, worldModel, noMask] },
};

export const gridworldSmall: Preset = {
  id: 'gridworld-small',
  claim: 'The same comparison with a policy half as wide and three seeds, for devices without a GPU.',
  expectation:
    'About two minutes on two processor cores. Three seeds of this experiment gave an area under the success curve of ' +
    '0.61 (0.57 to 0.64) for the world model and 0.19 (0.15 to 0.22) for the action mask. The weights begin a little ' +
    'larger than in the whole experiment, as narrower layers need. What to conclude is the same, and no more.',
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
  claim: 'Too small to show any difference between the arms: this only shows the lab at work.',
  expectation:
    'A 4×4 grid, a policy of a few thousand parameters, two seeds and 20 updates of 8 episodes finish in moments on any ' +
    'device. Nothing about the arms can be concluded from it.',
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
  expectation:
    'A 5×5 grid told by coordinates; in half of the episodes, unannounced, every move goes the opposite way. One step ' +
    'tells which way the controls are: what has to be learned is to look. Nothing was searched, and nothing is ' +
    'recorded.',
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
  expectation:
    'A 5×5 grid told by coordinates; every episode has an order of the four moves of its own, unannounced. Over ' +
    'episodes one can learn what cells there are and which lie beside one another; which key goes where today has to ' +
    'be found out within ten moves. A null is expected, and nothing is recorded.',
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
  expectation:
    'Every cell is named together with two of sixteen symbols drawn by chance, which cost any model 1.85 nats a ' +
    'token: the floor, a thin line. A question, not a claim: the weights begin small here, and nothing was searched. ' +
    'Under Findings it is asked at this start and at an ordinary one.',
  finding: 'noisy-television',
  experiment: {
    ...baseExperiment,
    preset: 'noisy-tv',
    title: 'The noisy television',
    environment: environmentOf('gridworld', { noiseTokens: 2 }),
    arms: [actionMask, worldModelOf(actionMask, 0.2)],
  },
};
