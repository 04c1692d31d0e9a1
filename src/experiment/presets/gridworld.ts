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
    'Cell names say nothing about where they lie, and a random walk finds the goal in about one episode in ten. ' +
    'In three runs of four seeds, whose kernels round differently: the world-model arm passed half of the tasks after 88 to ' +
    '163 of 300 updates and ended at 94% to 97%; the action-mask arm passed half after 162 to 274 updates or, seven times ' +
    'in twelve, not at all, and ended between 27% and 94%. Without a mask, ' +
    'observation cross-entropy exploded and learning was late, if it came. Seeds differ a lot: look at the bands, not at ' +
    'one pair of curves. Nothing was searched here; what is left of the gap when both arms are given the same search stands under “How sure”.',
  experiment: { ...baseExperiment, arms: [actionMask, worldModel, noMask] },
};

export const gridworldSmall: Preset = {
  id: 'gridworld-small',
  claim: 'The same comparison with a policy half as wide and three seeds, for devices without a GPU.',
  expectation:
    'About two minutes on two processor cores. Three seeds of this experiment gave an area under the success curve of ' +
    '0.61 (0.57 to 0.64) for the world model and 0.19 (0.15 to 0.22) for the action mask. The weights begin a little ' +
    'larger than in the whole experiment, as narrower layers need. What to conclude is the same, and no more.',
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
    'A 5×5 grid told by coordinates; in half of the episodes, unannounced, every move goes the opposite way. Four seeds of ' +
    '300 updates: area under the success curve 0.46 (0.36 to 0.53) for the world model and 0.23 (0.17 to 0.27) for the ' +
    'action mask; the world model passed half of the tasks after 136 to 189 updates and ended at 54% to 92%, the action ' +
    'mask once, after 281, and ended at 23% to 47%. One step tells which way the controls are: what has to be learned is ' +
    'to look.',
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
  claim: 'With all 24 orders of the four moves, neither arm found out within an episode which one it was in: a null.',
  expectation:
    'Four seeds of 300 updates: both arms stayed where chance is, at 11% to 13%, areas under the curve 0.11 and 0.12. The world ' +
    'model’s cross-entropy stopped at 0.81 to 0.86 nats: it learned what cells there are and which lie beside one another, and ' +
    'not which key goes where today. That would have to be found out within an episode of ten moves, and 300 updates did ' +
    'not teach it.',
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
  claim:
    'Two thirds of what is observed are chance: the cross-entropy ended near its entropy. Does predicting the rest still pay?',
  expectation:
    'Every cell is named together with two of sixteen symbols drawn by chance, which cost any model 1.85 nats a token: the ' +
    'floor, a thin line. Four seeds of 300 updates: the world model’s cross-entropy ended at 1.89 to 1.92 and its success at 93% ' +
    'to 96%, half of the tasks passed after 124 to 194 updates; the action mask ended at 19% to 26% and passed half in none. ' +
    'Both arms were later here; on the map, at fan-in, the world model was not. An earlier study of this world, with other kernels and fewer seeds, found no reliable gain: ' +
    'do not expect every such curve to look like this one. All of it from small initial weights, and nothing was searched.',
  experiment: {
    ...baseExperiment,
    preset: 'noisy-tv',
    title: 'The noisy television',
    environment: environmentOf('gridworld', { noiseTokens: 2 }),
    arms: [actionMask, worldModelOf(actionMask, 0.2)],
  },
};
