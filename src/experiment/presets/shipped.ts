/**
 * Experiments on policies that come with the lab (public/policies). Both arms begin from the same policy, which has only
 * imitated: they differ only in what they learn from. The trained agent plays beside them as a fixed policy, for
 * comparison.
 */
import { type Arm, defaultArm, type Experiment } from '../experiment';
import { findShipped, type ShippedPolicy } from '../shippedPolicies';
import { type Preset, smallPolicy } from './preset';
import { calculatorWithoutTool } from './worlds/calculator';
import { gridworldSmall } from './worlds/gridworld';
import { mixture } from './worlds/mixture';
import { shop } from './worlds/shop';
import { terminal } from './worlds/terminal';

const UPDATES = 160;

interface Words {
  /** Preset whose first two arms, world and batch are taken. */
  readonly of: Preset;
  readonly title: string;
  readonly claim: string;
}

/** Words by the id of the world. */
const WORLDS: Readonly<Record<string, Words>> = {
  gridworld: {
    of: gridworldSmall,
    title: 'From the same imitator: the gridworld',
    claim: 'From an agent that only imitated, both arms learn the gridworld; what there is to reach plays beside them.',
  },
  calculator: {
    of: calculatorWithoutTool,
    title: 'From the same imitator: the calculator',
    claim:
      'From an imitator that asks the tool, both arms learn the calculator whose tool is down in half of the episodes.',
  },
  shop: {
    of: shop,
    title: 'From the same imitator: the shop',
    claim: 'From an agent that only imitated, both arms learn the shop; the trained agent shows what can be reached.',
  },
  terminal: {
    of: terminal,
    title: 'From the same imitator: the terminal',
    claim:
      'From an agent that only imitated, both arms learn the terminal; the trained agent shows what can be reached.',
  },
  mixture: {
    of: mixture,
    title: 'From the same imitator: three worlds',
    claim: 'From an agent that only imitated, both arms learn three worlds at once, beside one that was trained there.',
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
  return [{ id: experiment.preset, claim, experiment }];
}

export const fromShippedFiles: readonly Preset[] = Object.keys(WORLDS).flatMap(presetFromFiles);
