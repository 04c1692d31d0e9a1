/** Verdict of a finished run in one sentence: only what its seeds can carry. */

import { isFixed } from '../../../experiment/arm/policyFiles';
import { askedPair } from '../../../experiment/conclude/pair';
import type { SharedResult } from '../../../experiment/conclude/result';
import {
  cutTo,
  FINAL_UPDATES,
  pairedDifference,
  summarise,
  tellingInterval,
} from '../../../experiment/conclude/statistics';
import type { Arm, Experiment } from '../../../experiment/experiment';
import { findPreset } from '../../../experiment/presets/presets';
import type { MetricHistory } from '../../../measured/history';
import { examinedShare, lastExamined, outcomeOf } from '../../../store/look/outcomes';
import { formatCount, formatDecimals, formatPercent, joinNames } from '../../kit/format';
import { changeWords } from '../changeWords';

type Judged = Pick<Arm, 'id' | 'name' | 'fixedPolicy'>;

/** Whose arms are judged: those that the preset asks about come first. */
export interface JudgedArms {
  readonly preset: string;
  readonly arms: readonly Judged[];
}

type Judging = Pick<Experiment, 'preset' | 'arms' | 'updates' | 'timeline'>;

interface Ended extends Judged {
  /** Success over the last updates. */
  readonly seeds: readonly number[];
  readonly mean: number;
}

/**
 * The two arms that the question asks about are compared, and the others that learned stand beside them. Fixed policies learned
 * nothing, and a copy that has not parted from its arm yet is no arm of its own. A run that stopped early says where it was,
 * and one whose settings were changed on the way says which.
 */
export function verdict(history: MetricHistory, experiment: Judging): string {
  const { arms, updates } = experiment;
  const when = history.count < updates ? `After ${formatCount(history.count)} of ${formatCount(updates)} updates ` : '';
  const words = arms.flatMap((arm, index) => {
    if (isFixed(arm)) return [`${arm.name}, a fixed policy, was at ${formatPercent(meanOf(history, index))} success.`];
    if (hasBrokenLoss(history, index))
      return [`${arm.name} is not compared: its loss gave no finite number, and taught it nothing.`];
    const original = originalOf(history, index);
    return original === null ? [] : [`${arm.name} is still the same as ${arms[original]?.name}, to the bit.`];
  });
  const all = when === '' ? 'all updates' : 'these updates';
  const over = history.count < FINAL_UPDATES ? all : `the last ${FINAL_UPDATES} updates`;
  const of = `success over ${over}`;
  return [
    ranking(learnedIn(history, experiment), { when, did: when === '' ? 'ended' : 'was', of }),
    ...words,
    changesIn(history, experiment),
  ]
    .filter((said) => said !== '')
    .join(' ');
}

/** Sentence on the same arms in tasks kept from training, at the last examination; empty where that was the first update's. */
export function newTasksWords(
  history: MetricHistory,
  experiment: Pick<Experiment, 'preset' | 'arms' | 'evaluation'>,
): string {
  const { pair } = pairOf(learnedIn(history, experiment));
  const { every, toolEvery } = experiment.evaluation;
  if (pair.length === 0) return '';
  const indices = pair.map(({ id }) => experiment.arms.findIndex((arm) => arm.id === id));
  const examinations = [
    ['newToolUp', toolEvery, ' with the tool'],
    ['newToolDown', toolEvery, ' without it'],
    ['heldOutSuccess', every, ''],
  ] as const;
  const told = examinations.flatMap(([metric, often, where]) => {
    const update = lastExamined(history.count, often) ?? 0;
    const shares = indices.map((arm) => examinedShare(history, often, arm, metric));
    if (shares.includes(null) || (update === 0 && history.count > 1)) return [];
    return [{ update, words: `${shares.map((share) => formatPercent(share ?? 0)).join(' against ')}${where}` }];
  });
  const [first] = told;
  if (first === undefined) return '';
  const late = first.update + 1 < history.count ? `, at update ${formatCount(first.update + 1)}` : '';
  // Where the tool was examined: with it and without it.
  const both = told.slice(0, 2).map(({ words }) => words);
  return `On new tasks it is ${both.join(', ')}${late}.`;
}

/** Changes that are told one by one. */
const TOLD = 2;

/** Sentence that names the settings changed in the updates trained so far; empty where none was. */
function changesIn({ count }: MetricHistory, experiment: Judging): string {
  const acted = experiment.timeline.filter(({ update }) => update < count);
  const told = acted.slice(0, TOLD).map((change) => {
    const { who, what, from, to } = changeWords(experiment, change);
    return `${what} of ${who}${from === null ? '' : ` from ${from}`} to ${to} at update ${formatCount(change.update)}`;
  });
  const more = acted.length > TOLD ? ` and ${formatCount(acted.length - TOLD)} more` : '';
  return acted.length === 0 ? '' : `Changed while it ran: ${told.join(', ')}${more}.`;
}

/** Points of success above the random policy's from which an arm counts as having learned something. */
const LEAST_LEARNED = 0.02;

/** Sentence for a run in which no arm learned more than a random policy has; empty where one did, or where that is unknown. */
export function floorWords(history: MetricHistory, experiment: JudgedArms, random: number | null): string {
  const { arms } = learnedIn(history, experiment);
  if (random === null || arms.length === 0 || arms.some(({ mean }) => mean > random + LEAST_LEARNED)) return '';
  const points = 100 * LEAST_LEARNED;
  return `No arm is more than ${points} points above the random policy, which succeeds in ${formatPercent(random)} of episodes: too little was learned to compare.`;
}

/** Result that the pair's seeds allow: 'ahead' has the id of the better arm, 'few' are too few seeds, 'alone' is no pair. */
export type PairStanding =
  | { readonly is: 'alone' | 'few' | 'undecided' }
  | { readonly is: 'ahead'; readonly arm: string };

export function standingOf(history: MetricHistory, experiment: JudgedArms): PairStanding {
  const [best, next] = pairOf(learnedIn(history, experiment)).pair;
  if (best === undefined || next === undefined) return { is: 'alone' };
  const difference = pairedDifference(next.seeds, best.seeds);
  const interval = tellingInterval(difference);
  if (interval === null) return { is: 'few' };
  return isLead(interval) ? { is: 'ahead', arm: best.id } : { is: 'undecided' };
}

const meanOf = (history: MetricHistory, arm: number): number => outcomeOf(history, arm).success.mean ?? 0;

interface Learned {
  readonly preset: string;
  readonly arms: readonly Ended[];
}

/** Arms that learned, each once. */
const learnedIn = (history: MetricHistory, { preset, arms }: JudgedArms): Learned => ({
  preset,
  arms: arms.flatMap((arm, index) => {
    if (isFixed(arm) || hasBrokenLoss(history, index) || originalOf(history, index) !== null) return [];
    const seeds = history.lastOfSeeds(index, 'successRate', FINAL_UPDATES);
    return [{ ...arm, seeds, mean: meanOf(history, index) }];
  }),
});

/** The asked pair, the better one first. */
function pairOf({ preset, arms }: Learned) {
  const { pair, isOfQuestion } = askedPair(arms, findPreset(preset)?.experiment.arms ?? []);
  return { pair: pair.toSorted((a, b) => b.mean - a.mean), isOfQuestion };
}

/** A formula of the arm's gave no finite number in the last update, of some seed: no step was taken. */
const hasBrokenLoss = (history: MetricHistory, arm: number): boolean =>
  history.lastOfSeeds(arm, 'formulaFault', 1).some((fault) => !Number.isNaN(fault));

/** Arm before this one with the same measurements to the bit, which it is a copy of; null if it is an arm of its own. */
function originalOf(history: MetricHistory, arm: number): number | null {
  for (let before = 0; before < arm; before++) if (history.areSame(before, arm)) return before;
  return null;
}

/** Verdict on a result that was sent, which holds one number a seed: the mean success of the whole run. */
export function sentVerdict({ arms }: Pick<SharedResult, 'arms'>, sent: JudgedArms): string {
  const trained = arms
    .map(({ id, name, area }, index) => ({
      ...{ id, name, fixedPolicy: sent.arms[index]?.fixedPolicy ?? '' },
      seeds: area.map((value) => value ?? Number.NaN),
      mean: summarise(area).mean ?? 0,
    }))
    .filter((arm) => !isFixed(arm));
  return ranking(
    { preset: sent.preset, arms: trained },
    { when: 'Over the whole run ', did: 'was', of: 'mean success' },
  );
}

interface Told {
  /** Words before the sentence, with the space after them; empty for the end. */
  readonly when: string;
  readonly did: 'ended' | 'was';
  /** Number a seed that arms are ranked by. */
  readonly of: string;
}

/** The asked pair, the better one first, paired by seed; of three arms and more, why these two, and where the others are. */
function ranking(learned: Learned, { when, did, of }: Told): string {
  const { pair, isOfQuestion } = pairOf(learned);
  const [best, next] = pair;
  if (best === undefined) return '';
  if (next === undefined) return `${when}${best.name} ${did} at ${formatPercent(best.mean)} ${of}.`;
  const others = learned.arms
    .filter((arm) => !pair.includes(arm))
    .map((arm) => `${arm.name} at ${formatPercent(arm.mean)}`);
  const why = isOfQuestion ? '' : ' The first two arms are compared.';
  const beside = others.length === 0 ? '' : `${why} For comparison: ${joinNames(others)}.`;
  const difference = pairedDifference(next.seeds, best.seeds);
  const { mean, seeds } = difference;
  if (mean !== null && Math.abs(100 * mean) < LEAST_LEAD) {
    const both = `${best.name} and ${next.name} ${did === 'ended' ? 'ended' : 'were'}`;
    const nearly = mean === 0 ? '' : ' to a tenth of a point';
    return `${when}${both} at the same ${of}${nearly}, ${formatPercent(best.mean)}.${beside}`;
  }
  if (mean === null || difference.interval === null) {
    return `${when}${best.name} ${did} above ${next.name}, but there are not enough seeds to tell: one seed has no interval.${beside}`;
  }
  const interval = tellingInterval(difference);
  const inTable = Number(points(best.mean, 0)) - Number(points(next.mean, 0));
  const isFine = !isWhole(mean, inTable, interval);
  const decimals = isFine ? 1 : 0;
  const size = isFine ? points(mean, 1) : String(inTable);
  const shares = isFine ? `, ${points(best.mean, 1)}% against ${points(next.mean, 1)}%` : '';
  const lead = `${size} ${size === '1' ? 'point' : 'points'} of ${of}${shares}`;
  if (interval === null) {
    return `${when}${best.name} ${did} above ${next.name} by ${lead}, but ${seeds} seeds are not enough to tell.${beside}`;
  }
  const [low, high] = cutTo(interval, [-1, 1]).map((value) => points(value, decimals));
  const range = `${lead} (95% interval ${low} to ${high}, ${seeds} paired seeds)`;
  return isLead(interval)
    ? `${when}${best.name} ${did} ahead of ${next.name} by ${range}.${beside}`
    : `${when}${best.name} and ${next.name} cannot be told apart: ${best.name} ${did} above by ${range}.${beside}`;
}

/** Lead, in points, that tenths add nothing to: the last digit of a share in the table may differ from its own. */
const LARGE = 10;

/**
 * True where whole points tell a lead: it is the difference of the shares in the table, differs from 0, and lies in its
 * interval, whose ends differ.
 */
function isWhole(mean: number, inTable: number, interval: readonly [low: number, high: number] | null): boolean {
  const lead = 100 * mean;
  const isTable = lead >= LARGE ? Math.abs(lead - inTable) <= 1 : points(mean, 0) === String(inTable);
  if (!isTable || inTable === 0 || interval === null) return isTable && inTable !== 0;
  const [low = 0, high = 0] = interval.map((value) => Math.round(100 * value));
  return low < high && low <= inTable && inTable <= high && (interval[0] <= 0 || low > 0);
}

/** A share or a difference of two, in points. */
const points = (share: number, decimals: number): string => formatDecimals(100 * share, decimals);

/** Smallest lead that is told, in points: half of the last decimal written. */
const LEAST_LEAD = 0.05;

const isLead = ([low]: readonly [low: number, high: number]): boolean => 100 * low >= LEAST_LEAD;
