/**
 * Named experiments. Links carry only what differs from one of these, so a preset that has been published is never
 * changed: an improved one gets a new name. Each states what it claims and what to expect, in measured terms.
 */
import { defaultSettings } from '../environments/registry';
import { type Arm, defaultArm, type Experiment } from './experiment';
import { defaultsOf } from './setting';
import { EXPERIMENT_TABLE } from './settings';

export interface Preset {
  readonly id: string;
  /** What the experiment shows, in one sentence. */
  readonly claim: string;
  /** What to expect while it runs, and what not to conclude. */
  readonly expectation: string;
  readonly experiment: Experiment;
}

/** Policy gradient on actions only: what every arm here begins with. */
const actionMask: Arm = defaultArm('action-mask', 'Action mask');
const worldModel: Arm = {
  ...defaultArm('world-model', 'World model'),
  objective: 'world-model',
  ce: { ...actionMask.ce, observation: 0.1 },
};
const noMask: Arm = {
  ...defaultArm('no-mask', 'No mask'),
  objective: 'no-mask',
  pg: { ...actionMask.pg, observation: 1 },
};

const gridworld: Preset = {
  id: 'gridworld',
  claim: 'Predicting what the environment answers makes learning from a rare reward start earlier.',
  expectation:
    'Cell names say nothing about where they lie, and a random walk finds the goal in about one episode in ten. ' +
    'In three runs of four seeds, whose kernels round differently: the world-model arm passed half of the tasks after 88 to ' +
    '163 of 300 updates and ended at 94% to 97%; the action-mask arm passed half after 162 to 274 updates or, seven times ' +
    'in twelve, not at all, and ended between 27% and 94%. Without a mask, ' +
    'observation cross-entropy explodes and learning is late, if it comes. Seeds differ a lot: look at the bands, not at ' +
    'one pair of curves.',
  experiment: {
    version: 1,
    preset: 'gridworld',
    title: 'Which tokens should learn?',
    seed: 0,
    seeds: 4,
    updates: 300,
    environment: { id: 'gridworld', settings: defaultSettings('gridworld') },
    policy: { layers: 2, width: 64, heads: 4, positions: 'learned', activation: 'relu', initialScale: 0.05 },
    batch: { groups: 16, groupSize: 8 },
    diagnosticsEvery: 10,
    warmStart: defaultsOf(EXPERIMENT_TABLE.warmStart),
    evaluation: defaultsOf(EXPERIMENT_TABLE.evaluation),
    arms: [actionMask, worldModel, noMask],
    timeline: [],
  },
};

const gridworldSmall: Preset = {
  id: 'gridworld-small',
  claim: 'The same comparison with a policy half as wide and three seeds, for devices without a GPU.',
  expectation:
    'About two minutes on two processor cores. Three seeds of this experiment gave an area under the success curve of ' +
    '0.58 (0.54 to 0.66) for the world model and 0.20 (0.16 to 0.25) for the action mask. The weights begin a little ' +
    'larger than in the whole experiment, as narrower layers need. What to conclude is the same, and no more.',
  experiment: {
    ...gridworld.experiment,
    preset: 'gridworld-small',
    title: 'Which tokens should learn? Half as wide',
    seeds: 3,
    policy: { ...gridworld.experiment.policy, width: 32, heads: 2, initialScale: 0.08 },
  },
};

const gridworldTiny: Preset = {
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
    environment: {
      id: 'gridworld',
      settings: { ...defaultSettings('gridworld'), size: 4, horizon: 8, minimumDistance: 2 },
    },
    policy: { layers: 1, width: 16, heads: 2, positions: 'learned', activation: 'relu', initialScale: 0.05 },
    batch: { groups: 2, groupSize: 4 },
  },
};

const warmMask: Arm = {
  ...actionMask,
  warmStart: 'actions',
  innerEpochs: 1,
  entropyCoefficient: 0.05,
};

const calculatorWithoutTool: Preset = {
  id: 'calculator-without-tool',
  claim: 'Predicting what the tool answers leaves the policy able to answer when the tool is taken away.',
  expectation:
    'Both arms begin by imitating an agent that asks the tool, copies its result, and guesses when it is down, which it is ' +
    'in half of the episodes. Four seeds of 400 updates: without the tool, both answered 5% to 7% of the questions right at ' +
    'the beginning; the world-model arm answered 66% to 76% after 280 updates and 88% to 95% at the end, the action-mask ' +
    'arm 21% to 32%, then 30% to 45%. The gain starts late, after about 100 updates. The questions are few and all of them ' +
    'are trained on. Nothing is claimed of agents that do not begin as imitators.',
  experiment: {
    ...gridworld.experiment,
    preset: 'calculator-without-tool',
    title: 'What is left when the tool is gone?',
    updates: 400,
    environment: {
      id: 'calculator',
      settings: {
        ...defaultSettings('calculator'),
        tool: 'down',
        failure: 0.5,
        turns: 2,
        demonstrator: 'relies-on-tool',
        heldOut: 0,
      },
    },
    batch: { groups: 32, groupSize: 8 },
    evaluation: { every: 40, tasks: 64 },
    arms: [
      warmMask,
      {
        ...warmMask,
        id: worldModel.id,
        name: worldModel.name,
        objective: 'world-model',
        ce: { ...worldModel.ce, observation: 0.2 },
      },
    ],
  },
};

/** In the order they are offered; the first is the default. */
export const presets: readonly Preset[] = [gridworld, gridworldSmall, gridworldTiny, calculatorWithoutTool];

/** Offered where there is no GPU. */
export const smallPreset: Preset = gridworldSmall;

export const defaultPreset: Preset = gridworld;

export function findPreset(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}
