/**
 * Worlds that the field's papers and lessons begin with, each one file in `worlds/`. Their texts are questions: what is known
 * of the answers is said where it was measured.
 */
import type { Arm, Experiment } from '../../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy, worldModelOf } from '../preset';

type Question = Pick<Preset, 'claim' | 'finding'> & Pick<Experiment, 'title'> & Partial<Experiment>;

const mask: Arm = { ...actionMask, entropyCoefficient: 0.01 };

/** Experiment that a world in one file begins with: action mask and world model, a small policy, four seeds. */
export const forOneFile: Experiment = {
  ...baseExperiment,
  policy: smallPolicy,
  updates: 150,
  arms: [mask, worldModelOf(mask, 0.1)],
};

/** Preset of a world of that name. */
function asks(name: string, { claim, finding, ...differences }: Question): Preset {
  const id = `world-${name}`;
  const environment = { id: 'own', settings: { world: `@${name}` } };
  const experiment = { ...forOneFile, preset: id, environment, ...differences };
  return { id, claim, ...(finding !== undefined && { finding }), experiment };
}

const imitator: Arm = { ...mask, warmStart: 'actions' };
/** Arm without an entropy bonus, under which a form is unlearned where nobody in a group succeeds. */
const plain: Arm = { ...imitator, entropyCoefficient: 0 };
const examined = { every: 50, tasks: 64, toolEvery: 0 };

export const ownWorlds: readonly Preset[] = [
  asks('key-door', {
    title: 'Key, door and unseen maps',
    claim: 'Does predicting what one will see help on maps that were never trained on?',
    evaluation: examined,
    updates: 200,
  }),
  asks('bandit', {
    title: 'A bandit has no world to model',
    claim: 'Has a world-model loss anything to say where rewards are all there is?',
    updates: 100,
  }),
  asks('frozen-lake', {
    title: 'Frozen lake: how low can prediction come?',
    claim: 'Does learning where one may slip help to walk around the holes?',
  }),
  asks('sokoban', {
    title: 'Sokoban: mistakes that cannot be undone',
    claim: 'Does foreseeing where the box will be help not to push it into a corner?',
    evaluation: examined,
  }),
  asks('mastermind', {
    title: 'Mastermind: prediction as inference',
    claim: 'Can a policy learn to foresee answers that follow only from all answers before?',
    arms: [imitator, worldModelOf(imitator, 0.1)],
  }),
  asks('wordle', {
    title: 'Wordle with two dozen words',
    claim: 'Does predicting the marks on a guess lead to better guesses?',
    finding: 'prediction-as-inference',
  }),
  asks('countdown', {
    title: 'Countdown: sums that have to be well-formed',
    claim: 'Does predicting what is left after an operation help to reach the target?',
    arms: [imitator, worldModelOf(imitator, 0.1)],
    evaluation: examined,
  }),
  asks('calculator', {
    title: 'A calculator that has to be told what to work out',
    claim: 'Does predicting what a tool answers help to call it rightly?',
    arms: [plain, worldModelOf(plain, 0.1)],
    evaluation: examined,
  }),
  asks('sum', {
    title: 'Sums in the head: which loss should thoughts carry?',
    claim: 'Does it help to learn one’s thoughts from the reward, where thinking makes the answer easier?',
    arms: [
      imitator,
      {
        ...imitator,
        id: 'thoughts-masked',
        name: 'Thoughts masked',
        pg: { ...imitator.pg, thought: 0 },
        entropy: { ...imitator.entropy, thought: 0 },
      },
      worldModelOf(imitator, 0.1),
    ],
    evaluation: examined,
  }),
  asks('program', {
    title: 'Programs: is a test passed worth something?',
    claim: 'Does pay for each example that a program gets right help to write one that gets all of them right?',
    arms: [
      plain,
      {
        ...plain,
        id: 'partial-credit',
        name: 'Partial credit',
        reward: { ...plain.reward, subgoals: 0.5 },
        subgoalCount: 3,
      },
      worldModelOf(plain, 0.1),
    ],
    evaluation: examined,
  }),
  asks('search', {
    title: 'Search, with one hop and two',
    claim: 'Should what a search tool answers be learned, or masked?',
    evaluation: examined,
  }),
  asks('customer', {
    title: 'A customer who changes its mind',
    claim: 'Does foreseeing a customer make for better offers?',
  }),
  asks('blackjack', {
    title: 'Blackjack: what nobody can foresee',
    claim: 'What does a world-model loss do where most of what is said is chance?',
    updates: 100,
  }),
];
