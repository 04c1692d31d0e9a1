/**
 * The classic failures of reinforcement learning with agents, one in each experiment: the first arm shows it, and in the
 * second a single setting cures it. Small enough for two processor cores; experiment/conclude/health.ts says what counts as
 * failing.
 */
import type { Arm, Experiment } from '../../experiment';
import { actionMask, baseExperiment, environmentOf, noMask, type Preset, smallPolicy, worldModelOf } from '../preset';

type Described = Pick<Preset, 'claim'>;
type Differences = Partial<Experiment> & Pick<Experiment, 'title' | 'updates' | 'environment' | 'arms'>;

/** Preset of one failure. `arms`: the one that fails, then the one that is cured. */
function failure(id: string, described: Described, differences: Differences): Preset {
  const experiment = { ...baseExperiment, preset: id, seeds: 2, policy: smallPolicy, ...differences };
  return { id, ...described, experiment };
}

/** The arm with other reward parts: paid or charged for something besides the outcome. */
const paying = (arm: Arm, reward: Partial<Arm['reward']>): Arm => ({ ...arm, reward: { ...arm.reward, ...reward } });

const named = (arm: Arm, id: string, name: string): Arm => ({ ...arm, id, name });

const maskLeak = failure(
  'failure-mask-leak',
  {
    claim: 'Without a mask the policy is also rewarded and punished for what the world said; the action mask ends it.',
  },
  {
    title: 'Failure: the forgotten mask',
    updates: 150,
    environment: environmentOf('gridworld'),
    arms: [noMask, actionMask],
  },
);

const asker: Arm = { ...actionMask, warmStart: 'actions', lengthTarget: 1 };

const rewardHacking = failure(
  'failure-reward-hacking',
  {
    claim:
      'An agent charged twice a success’s worth for a call of its tool earns more by guessing than by working; take the charge out and it works.',
  },
  {
    title: 'Failure: the grader is easier to please than the task',
    updates: 120,
    environment: environmentOf('calculator', { tool: 'works', turns: 2, heldOut: 0 }),
    warmStart: { ...baseExperiment.warmStart, updates: 100 },
    arms: [
      named(paying(asker, { length: 2 }), 'priced-calls', 'Priced calls'),
      named(asker, 'free-calls', 'Free calls'),
    ],
  },
);

const talker: Arm = { ...paying(actionMask, { length: -0.001 }), lengthTarget: 0, entropyCoefficient: 0.05 };

const lengthExplosion = failure(
  'failure-length',
  {
    claim:
      'A bonus of a thousandth for every action makes GRPO four times as long-winded, because failed groups are divided by a deviation that holds nothing else; undivided (Dr. GRPO) it does nothing.',
  },
  {
    title: 'Failure: longer and longer',
    updates: 120,
    environment: environmentOf('calculator', { tool: 'down', failure: 1, turns: 4, heldOut: 0 }),
    arms: [named(talker, 'divided', 'Divided'), named({ ...talker, advantageScale: 'none' }, 'undivided', 'Undivided')],
  },
);

const missingTools = failure(
  'failure-missing-tools',
  {
    claim:
      'Paid for the outcome alone, an agent in a shell goes on sending lines that are no commands; a tenth of a success for form ends it.',
  },
  {
    title: 'Failure: commands that do not exist',
    updates: 100,
    environment: environmentOf('terminal', { files: 2, lines: 1, content: 3, horizon: 5, output: 6 }),
    arms: [
      named(actionMask, 'outcome-only', 'Outcome only'),
      named(paying(actionMask, { format: 0.1 }), 'form-too', 'Form too'),
    ],
  },
);

const seer: Arm = {
  ...paying(worldModelOf(actionMask, 0.3), { shaping: 0.05 }),
  predictionReward: 1,
  entropyCoefficient: 0.05,
};

const loops = failure(
  'failure-loops',
  {
    claim:
      'Paid for foreseeing what comes next, an agent walks into a corner and pushes against the wall; a small charge for repeating itself gets it out.',
  },
  {
    title: 'Failure: the dark room',
    updates: 120,
    environment: environmentOf('gridworld', { size: 5, horizon: 16 }),
    arms: [
      named(seer, 'foresight', 'Foresight'),
      named(paying(seer, { repetition: 0.05 }), 'no-repeats', 'No repeats'),
    ],
  },
);

const noVariance = failure(
  'failure-no-variance',
  {
    claim:
      'Where no episode of a group succeeds there is nothing to compare and the gradient is silent; pay for progress and the group can be told apart.',
  },
  {
    title: 'Failure: groups with nothing to compare',
    updates: 120,
    environment: environmentOf('gridworld', { size: 8, horizon: 14, minimumDistance: 12 }),
    arms: [
      named(actionMask, 'outcome-only', 'Outcome only'),
      named(paying(actionMask, { shaping: 0.2 }), 'progress-too', 'Progress too'),
    ],
  },
);

const stepper: Arm = { ...actionMask, entropyCoefficient: 0 };

const entropyCollapse = failure(
  'failure-entropy-collapse',
  {
    claim: 'Steps ten times too long settle the policy on answers that are mostly wrong, and it never tries another.',
  },
  {
    title: 'Failure: settled too early',
    updates: 120,
    environment: environmentOf('calculator', { tool: 'none', operations: 'add', largest: 4, turns: 1, heldOut: 0 }),
    arms: [
      named({ ...stepper, learningRate: 1e-2 }, 'long-steps', 'Long steps'),
      named(stepper, 'short-steps', 'Short steps'),
    ],
  },
);

export const failures: readonly Preset[] = [
  maskLeak,
  rewardHacking,
  lengthExplosion,
  missingTools,
  loops,
  noVariance,
  entropyCollapse,
];
