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
  claim: 'PLACEHOLDER.',
  expectation: 'PLACEHOLDER.',
  experiment: fromFiles('gridworld', gridworldSmall, { title: 'From the same imitator: the gridworld' }),
};

const calculatorFromFiles: Preset = {
  id: 'calculator-from-files',
  claim: 'PLACEHOLDER.',
  expectation: 'PLACEHOLDER.',
  experiment: fromFiles('calculator', calculatorWithoutTool, { title: 'From the same imitator: the calculator' }),
};

const shopFromFiles: Preset = {
  id: 'shop-from-files',
  claim: 'PLACEHOLDER.',
  expectation: 'PLACEHOLDER.',
  experiment: fromFiles('shop', shop, { title: 'From the same imitator: the shop' }),
};

const terminalFromFiles: Preset = {
  id: 'terminal-from-files',
  claim: 'PLACEHOLDER.',
  expectation: 'PLACEHOLDER.',
  experiment: fromFiles('terminal', terminal, { title: 'From the same imitator: the terminal' }),
};

export const fromShippedFiles: readonly Preset[] = [
  gridworldFromFiles,
  calculatorFromFiles,
  shopFromFiles,
  terminalFromFiles,
];
