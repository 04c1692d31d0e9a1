/**
 * Experiments on policies that come with the lab (public/policies). Both arms begin from the same policy, which has only
 * imitated: they differ only in what they learn from. The trained agent plays beside them as a fixed policy, for
 * comparison. Numbers in the texts are those that `npm run policies` recorded.
 */
import { type Arm, defaultArm, type Experiment } from '../experiment';
import { findShipped, SHIPPED, type ShippedPolicy } from '../shippedPolicies';
import { calculatorWithoutTool } from './calculator';
import { gridworldSmall } from './gridworld';
import { mixture } from './mixture';
import { type Preset, smallPolicy } from './preset';
import { shop } from './shop';
import { terminal } from './terminal';

const UPDATES = 160;

interface Words {
  /** Preset whose first two arms, world and batch are taken. */
  readonly of: Preset;
  readonly title: string;
  readonly claim: string;
  /** Predicate for an agent that succeeds: “finds the goal”. */
  readonly success: string;
  /** Further sentence for the expectation. */
  readonly note?: string;
}

/** By the id of the world. */
const WORLDS: Readonly<Record<string, Words>> = {
  gridworld: {
    of: gridworldSmall,
    title: 'From the same imitator: the gridworld',
    claim: 'From an agent that only imitated, both arms learn the gridworld; what there is to reach plays beside them.',
    success: 'finds the goal',
  },
  calculator: {
    of: calculatorWithoutTool,
    title: 'From the same imitator: the calculator',
    claim:
      'From an imitator that asks the tool, both arms learn the calculator whose tool is down in half of the episodes.',
    success: 'gives the right answer',
    note: 'What the arms can do without the tool shows in the examinations, and late.',
  },
  shop: {
    of: shop,
    title: 'From the same imitator: the shop',
    claim: 'From an agent that only imitated, both arms learn the shop; the trained agent shows what can be reached.',
    success: 'buys the right thing',
  },
  terminal: {
    of: terminal,
    title: 'From the same imitator: the terminal',
    claim:
      'From an agent that only imitated, both arms learn the terminal; the trained agent shows what can be reached.',
    success: 'leaves the disk as the task asks',
  },
  mixture: {
    of: mixture,
    title: 'From the same imitator: three worlds',
    claim: 'From an agent that only imitated, both arms learn three worlds at once, beside one that was trained there.',
    success: 'does what its task asks',
    note: 'The charts of each world show how unequal they are.',
  },
};

/** The experiment of a world from two files: its preset's first two arms start from one, the other plays beside them. */
export function experimentFromFiles(world: string, warmStart: ShippedPolicy, trained: ShippedPolicy): Experiment {
  const { of, title } = WORLDS[world] as Words;
  const learning = of.experiment.arms
    .slice(0, 2)
    .map((arm): Arm => ({ ...arm, warmStart: 'none', startPolicy: warmStart.sha256 }));
  const agent: Arm = { ...defaultArm('trained-agent', 'Trained agent'), fixedPolicy: trained.sha256 };
  return {
    ...of.experiment,
    preset: `${world}-from-files`,
    title,
    seeds: 3,
    updates: UPDATES,
    policy: smallPolicy,
    arms: [...learning, agent],
  };
}

function presetFromFiles(world: string): Preset[] {
  const [warmStart, trained] = [findShipped(world, 'warm-start'), findShipped(world, 'trained')];
  if (warmStart === undefined || trained === undefined) return [];
  const experiment = experimentFromFiles(world, warmStart, trained);
  const { claim } = WORLDS[world] as Words;
  return [{ id: experiment.preset, claim, expectation: expectationOf(world, warmStart, trained), experiment }];
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;
const nats = (value: number | null | undefined): string => value?.toFixed(1) ?? 'unknown';

function expectationOf(world: string, { results: before }: ShippedPolicy, { results: after }: ShippedPolicy): string {
  const { success, note = '' } = WORLDS[world] as Words;
  const sentences = [
    `The imitator ${success} in ${percent(before.playedSuccess)} of its episodes, the trained agent, which never changes here, in ${percent(after.playedSuccess)}.`,
    measuredWords(world, nats(before.playedObservationCrossEntropy)),
    `In the trained agent it is ${nats(after.playedObservationCrossEntropy)}.`,
    note,
    'All seeds begin as the same policy: they differ by tasks and dice.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function measuredWords(world: string, begun: string): string {
  const run = SHIPPED.fromFiles[world];
  const [mask, model] = [run?.arms['action-mask'], run?.arms['world-model']];
  if (run === undefined || mask === undefined || model === undefined) return '';
  return (
    `One seed on a processor core: over the last 20 of ${run.updates} updates the action mask succeeded in ` +
    `${percent(mask.successRate)} and the world model in ${percent(model.successRate)}, and one seed settles no ` +
    `difference between them. The cross-entropy of what is observed, ${begun} nats at the beginning, was ` +
    `${nats(mask.observationCrossEntropy)} under the mask and ${nats(model.observationCrossEntropy)} in the world model.`
  );
}

export const fromShippedFiles: readonly Preset[] = Object.keys(WORLDS).flatMap(presetFromFiles);
