/**
 * Experiments on policies that come with the lab (public/policies): both arms begin from one that only imitated, so that
 * only what they learn from differs, and the trained agent plays beside them as it is, as what there is to reach.
 */
import { type Arm, defaultArm, type Experiment } from '../experiment';
import { calculatorWithoutTool } from './calculator';
import { gridworldSmall } from './gridworld';
import { type Preset, smallPolicy } from './preset';
import { shop } from './shop';
import { terminal } from './terminal';

/** By the SHA-256 of the files. */
export const SHIPPED = {
  gridworld: {
    warmStart: '4c3c69a24c67b45f9b661a570632be5e2855b658ece0d97f4ae90ffbe419e734',
    trained: 'c5e555732dd5aa46a5d478d8b098bdf7baa433ab8605b05dc23265f25d148028',
  },
  calculator: {
    warmStart: 'a7179fba2d2251f727083c2eb32590ac4257b55ce33632d0333278009a428fa0',
    trained: 'db854fa14919c7f5a3936415d6ba67d99f33a90f3364a69edc8e78eb00e9239c',
  },
  shop: {
    warmStart: 'd49a9488fe941df773b75909687a755bc0d602bf2c49b3a31200acdcab5dc272',
    trained: '31867f3f93eb3ba6d83ef49735e5a8026558916ed946ec8fc2162d4c3ef68ef3',
  },
  terminal: {
    warmStart: '2ac71c3b3f82c0a72b064bc1087f5befc9d6622c4452c1e779b7f087cafb176d',
    trained: 'f7c7c07702c91c9c7f4f3ab9ac9f58f418b35ee98dddd94db8f2c815ba7efe4c',
  },
} as const;

type World = keyof typeof SHIPPED;

/** The experiment of another preset, from these files: its first two arms, the policies of the files' own shape. */
function fromFiles(world: World, { experiment }: Preset, changes: Partial<Experiment>): Experiment {
  const { warmStart, trained } = SHIPPED[world];
  const learning = experiment.arms
    .slice(0, 2)
    .map((arm): Arm => ({ ...arm, warmStart: 'none', startPolicy: warmStart }));
  const agent: Arm = { ...defaultArm('trained-agent', 'Trained agent'), fixedPolicy: trained };
  return {
    ...experiment,
    preset: `${world}-from-files`,
    seeds: 3,
    updates: 160,
    policy: smallPolicy,
    arms: [...learning, agent],
    ...changes,
  };
}

const gridworldFromFiles: Preset = {
  id: 'gridworld-from-files',
  claim: 'From an agent that only imitated, both arms learn the gridworld; what there is to reach plays beside them.',
  expectation:
    'The imitator finds the goal in 16% of its episodes, the trained agent, which never changes here, in 95%. One seed on two ' +
    'processor cores: the action mask ended at 90% and the world model at 94%, means of the last 20 of 160 updates, so near one ' +
    'another as one seed can tell nothing apart; the cross-entropy of what is observed rose from 3.1 to 3.9 nats under the mask ' +
    'and fell to 0.8 in the world model, where the trained agent is. All seeds begin as the same policy: they differ by tasks ' +
    'and dice.',
  experiment: fromFiles('gridworld', gridworldSmall, { title: 'From the same imitator: the gridworld' }),
};

const calculatorFromFiles: Preset = {
  id: 'calculator-from-files',
  claim:
    'From an imitator that asks the tool, both arms learn the calculator whose tool is down in half of the episodes.',
  expectation:
    'The imitator answers 14% of the questions right, the trained agent, which never changes here, 58%. One seed: the action ' +
    'mask ended at 47% and the world model at 46%, means of the last 20 of 160 updates; the cross-entropy of what is observed ' +
    'rose from 1.8 to 2.2 nats under the mask and fell to 1.5 in the world model. What the arms can do without the tool shows ' +
    'in the examinations, and late. All seeds begin as the same policy: they differ by tasks and dice.',
  experiment: fromFiles('calculator', calculatorWithoutTool, { title: 'From the same imitator: the calculator' }),
};

const shopFromFiles: Preset = {
  id: 'shop-from-files',
  claim: 'From an agent that only imitated, both arms learn the shop; the trained agent shows what can be reached.',
  expectation:
    'The imitator buys the right thing in about one episode in ten, the trained agent, which never changes here, in 82%. One ' +
    'seed: the action mask ended at 71% and the world model at 78%, means of the last 20 of 160 updates, a difference that one ' +
    'seed does not settle; the cross-entropy of what is observed rose from 3.1 to 4.6 nats under the mask and fell to 0.1 in ' +
    'the world model, where the trained agent is. All seeds begin as the same policy: they differ by tasks and dice.',
  experiment: fromFiles('shop', shop, { title: 'From the same imitator: the shop' }),
};

const terminalFromFiles: Preset = {
  id: 'terminal-from-files',
  claim: 'From an agent that only imitated, both arms learn the terminal; the trained agent shows what can be reached.',
  expectation:
    'The imitator cleans the disk in one episode in eight, the trained agent, which never changes here, in two of three. One ' +
    'seed of 86 of the 160 updates: the action mask was at 31% and the world model at 45%, means of the last 20; one seed ' +
    'settles no difference of this size. The cross-entropy of what is observed rose from 3.4 to 3.7 nats under the mask and ' +
    'fell to 1.1 in the world model; the trained agent is at 0.9. All seeds begin as the same policy: they differ by tasks ' +
    'and dice.',
  experiment: fromFiles('terminal', terminal, { title: 'From the same imitator: the terminal' }),
};

export const fromShippedFiles: readonly Preset[] = [
  gridworldFromFiles,
  calculatorFromFiles,
  shopFromFiles,
  terminalFromFiles,
];
