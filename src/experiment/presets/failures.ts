/**
 * The classic failures of reinforcement learning with agents, one in each experiment: the first arm shows it, and in the
 * second a single setting cures it. Small enough for two processor cores; experiment/conclude/health.ts says what counts as
 * failing.
 */
import type { Arm, Experiment } from '../experiment';
import { actionMask, baseExperiment, environmentOf, noMask, type Preset, smallPolicy, worldModelOf } from './preset';

type Described = Pick<Preset, 'claim' | 'expectation'>;
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
    expectation:
      'Four seeds of 150 updates: without a mask observation cross-entropy passes three times that of guessing (3 ln V) after about 100 ' +
      'updates and ends at 4.8 to 5.2 times, because what the world truly said in a bad episode is made less likely, without end; with the mask it stays at 1.0. ' +
      'Success says little so early: 10% to 14% against 14% to 52%. The curve of the observations gives the mistake away long before.',
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
    expectation:
      'Both arms begin by imitating an agent that asks its tool, and solve 34% to 52% of the questions. Four seeds of 120 updates: ' +
      'where every action beyond the first costs 2, the agent stops asking within ten updates, since a guess pays more than an answer ' +
      'at that price; return rises by 0.9 to 1.2 and success falls to 6% to 11%. Where calls are free success reaches 94% to 96%. ' +
      'From its return alone the first arm looks as if it were learning.',
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
    expectation:
      'The tool is out of order, so a call gains nothing, and both arms are paid the same bonus. Four seeds of 120 updates: divided, ' +
      'turns grow from 1.05 to 4, which is all there are, an episode has 1.9 to 2.0 times its tokens, and success stays at 5% to 6%; undivided, turns ' +
      'stay at 1.05 and success reaches 9% to 10%. In a group that all fails only lengths differ, and dividing by so small a deviation ' +
      'makes a thousandth as large as a success.',
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
    expectation:
      'A line without the form of a command is answered by a warning and costs a turn. Four seeds of 100 updates: an untrained policy ' +
      'sends 64% to 67% of such lines; paid for the outcome alone it still sends 29% to 51%, with a tenth of a success for form 1%. ' +
      'Success is 57% to 59% and 58% to 61%: with turns to spare, lines that do nothing cost little, and so little tells against them. ' +
      'Both arms begin with the light on.',
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
    expectation:
      'Four seeds of 120 updates: where foreseeing is paid, 52% to 59% of the turns repeat what was done after the same observation, and success falls ' +
      'from 20% to between 10% and 15%, since nothing is as sure as the wall; with a charge of 0.05 for each repetition 6% to 7% repeat and ' +
      'success is 36% to 45%. The light goes on after 100 to 120 updates, once the policy predicts well enough to prefer what it can predict. Trained on, the first arm ' +
      'also loses its entropy: in a corner nothing is left to decide.',
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
    expectation:
      'The goal is at least 12 steps away and there are 14 turns. Four seeds of 120 updates: paid for the outcome alone, 99% of the ' +
      'groups and more are silent to the end and hardly one episode in 2,500 arrives; with a fifth of a success for the whole way, 1% to 3% of the unsolved ' +
      'groups are silent and 67% to 72% of the episodes succeed. Progress tells failures apart; predicting observations would not, since the gradient of the reward stays 0.',
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
    expectation:
      'Sums of numbers up to 4, without a tool. Four seeds of 120 updates: with long steps entropy falls to between 0% and 11% of ' +
      'what it began with (one seed in four ends just short of the criterion) and success, after a peak of 33% to 58%, ends at 26% to 44%; ' +
      'with steps a tenth as long entropy keeps 28% to 39% and success ends at 71% to 84%, still rising. What is no longer sampled is never rewarded.',
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
