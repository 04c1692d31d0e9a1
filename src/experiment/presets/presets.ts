/**
 * Named experiments. Links carry only what differs from one of these, so a preset that has been published is never
 * changed: an improved one gets a new name. Each states what it claims and what to expect, in measured terms.
 */

import { actObs } from './losses/actObs';
import { templateCollapse } from './losses/collapse';
import { creditLong, creditShort, creditTree } from './losses/credit';
import { selfDistillation } from './losses/distillation';
import { failures } from './losses/failures';
import { hindsight } from './losses/hindsight';
import { informationGain } from './losses/information';
import { inverseDynamics } from './losses/inverse';
import { lambdaBySuccess } from './losses/lambda';
import { maskBugs } from './losses/maskBugs';
import { maskTexts } from './losses/maskTexts';
import { replay } from './losses/replay';
import { similarityReward } from './losses/similarity';
import { toolRewards } from './losses/toolRewards';
import { exploration, inTurn } from './losses/turns';
import type { Preset } from './preset';
import { calculatorSearched, gridworldSearched } from './searched';
import { fromShippedFiles } from './shipped';
import { calculatorWithoutTool } from './worlds/calculator';
import {
  gridworld,
  gridworldSmall,
  gridworldTiny,
  noisyTv,
  permutedControls,
  scrambledControls,
} from './worlds/gridworld';
import { listener } from './worlds/listener';
import { mixture } from './worlds/mixture';
import { ownWorlds } from './worlds/ownWorlds';
import { shop, shopFresh, shopPages } from './worlds/shop';
import { spokenCalculator } from './worlds/spoken';
import { terminal } from './worlds/terminal';
import { words } from './worlds/words';

export type { Preset } from './preset';

export interface PresetGroup {
  readonly title: string;
  readonly presets: readonly Preset[];
}

/** Presets in the groups and the order that the page offers. */
export const presetGroups: readonly PresetGroup[] = [
  {
    title: 'The question itself',
    presets: [calculatorSearched, gridworldSearched, gridworld, gridworldSmall, gridworldTiny],
  },
  { title: 'Worlds that can be learned', presets: [calculatorWithoutTool, shop, shopPages, terminal, mixture] },
  { title: 'A language model in the tab', presets: [listener, words, spokenCalculator] },
  { title: 'Worlds that are hard to foresee', presets: [shopFresh, scrambledControls, permutedControls, noisyTv] },
  { title: 'Worlds in one file', presets: ownWorlds },
  { title: 'How training fails, and what helps', presets: failures },
  { title: 'What behaviour tells of its task', presets: [templateCollapse] },
  { title: 'Masks that real trainers got wrong', presets: maskBugs },
  { title: 'Masks written as a loss', presets: maskTexts },
  { title: 'Rewards of tool use', presets: [...toolRewards, similarityReward] },
  { title: 'Credit over short and long episodes', presets: [creditShort, creditLong, creditTree, informationGain] },
  {
    title: 'What an update trains, and how actions are drawn',
    presets: [inTurn, lambdaBySuccess, inverseDynamics, exploration],
  },
  { title: 'What is learned before reinforcement', presets: [actObs] },
  { title: 'Other uses of failures, and of successes', presets: [hindsight, replay, selfDistillation] },
  { title: 'From policies that come with the lab', presets: fromShippedFiles },
];

/** Presets; the first is the default. */
export const presets: readonly Preset[] = presetGroups.flatMap((group) => group.presets);

export const defaultPreset: Preset = calculatorSearched;

/** Preset of links that change settings but name no preset: the default of the first release, and it stays that. */
export const firstPreset: Preset = gridworld;

export function findPreset(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}

/** Ids of the presets most like a mistaken one, by the pairs of letters they share; the likeliest first. */
export function presetsLike(id: string, most = 3): string[] {
  const pairsOf = (word: string): string[] => Array.from(word.slice(1), (letter, before) => `${word[before]}${letter}`);
  const pairsAsked = new Set(pairsOf(id));
  const likeness = (known: string): number => {
    const pairs = pairsOf(known);
    return pairs.filter((pair) => pairsAsked.has(pair)).length / (pairs.length + pairsAsked.size);
  };
  const alike = presets.map((preset) => ({ id: preset.id, likeness: likeness(preset.id) }));
  return alike
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, most)
    .map((preset) => preset.id);
}
