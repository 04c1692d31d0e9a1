/** Judgement of a claim by its recorded runs, for findings/NAME/result.json. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { meanOf } from '../../experiment/conclude/statistics';
import { type ClaimComparison, MEASURES, type MeasureId, rerunOf, rerunSeeds } from '../../experiment/findings/claim';
import {
  type Again,
  type ClaimCondition,
  type ComparedConditions,
  type Finding,
  OUTSIDE,
  type OverSearches,
  type Rerun,
  reproduced,
  sideOf,
} from '../../experiment/findings/finding';
import { type Ledger, linkOf, type RunOutcome, type WantedRuns } from './ledger';
import { type ClaimPlan, FOLDER, measureOf, rerunFolderOf, runsWantedBy } from './plan';
import { deviation, gapSeen, holm, pairedDifference, permutationTest, quantileOf, welch } from './statistics';

export async function judge(plan: ClaimPlan, ledger: Ledger): Promise<Finding> {
  const runs = await runsWantedBy(plan, ledger);
  if (runs === null) return unsearchedFinding(plan);
  const conditions: Record<string, ClaimCondition> = {};
  for (const [id, runsOfIt] of runs) conditions[id] = await conditionOf(plan, id, runsOfIt, ledger);
  const planned = [...runs.values()].reduce((sum, { seeds }) => sum + seeds.length, 0);
  const done = Object.values(conditions).reduce((sum, { seeds }) => sum + seeds.length, 0);
  const whole = done === planned;
  const [judged] = rerunOf(plan.claim);
  return {
    runs: { done, planned },
    conditions,
    comparisons: whole ? compare(plan, conditions) : null,
    ...(whole && plan.claim.unit === 'search' && { over: overSearches(plan, conditions) }),
    again: whole && judged !== undefined ? againOf(judged, conditions) : null,
    reruns: whole ? await rerunsOf(plan, conditions, ledger) : [],
  };
}

/** A finding whose searches are not finished: nothing of it has run. */
function unsearchedFinding({ claim, conditions }: ClaimPlan): Finding {
  const planned = claim.seeds * Object.keys(conditions.conditions).length;
  return { runs: { done: 0, planned }, conditions: {}, comparisons: null, again: null, reruns: [] };
}

async function conditionOf(plan: ClaimPlan, id: string, runs: WantedRuns, ledger: Ledger): Promise<ClaimCondition> {
  const measure = measureOf(plan, id);
  const { device, commits = [], seeds: outcomesBySeed } = await ledger.read(runs);
  const seeds = runs.seeds.filter((seed) => outcomesBySeed[seed] !== undefined);
  const outcomes = seeds.map((seed) => outcomesBySeed[seed] as RunOutcome);
  return {
    name: plan.conditions.conditions[id]?.name ?? id,
    link: linkOf(runs.fields),
    arm: runs.arm ?? null,
    device,
    commits,
    seconds: Math.round(outcomes.reduce((sum, { seconds }) => sum + seconds, 0)),
    seeds,
    measure,
    values: outcomes.map((outcome) => readingOf(outcome, measure)),
    curves: outcomes.map((outcome) => curveOf(outcome, measure)),
  };
}

/** Curve that is drawn beside the measure; a level for what was true before the run. */
function curveOf(outcome: RunOutcome, measure: MeasureId): readonly (number | null)[] {
  const { drawn, window } = MEASURES[measure];
  const { success, watched } = outcome;
  if (window === 'first') return success.map(() => readingOf(outcome, measure));
  return drawn === 'successRate' ? success : (watched?.[drawn]?.curve ?? []);
}

/** The measure of a run. Throws where it was not recorded: a claim about nothing is a mistake in the claim. */
function readingOf(outcome: RunOutcome, measure: MeasureId): number {
  const { metric, window } = MEASURES[measure];
  const steered = outcome.steered?.find(({ blocks, strength }) => blocks === 1 && strength === 1);
  const values: Readonly<Record<string, number | null>> = {
    area: outcome.area,
    end: outcome.final,
    heldOut: outcome.heldOut,
    toolOff: outcome.toolOff,
    toolUp: toolUp(outcome),
    rankAtFirst: rankAt(outcome, 1),
    rankAt90: rankAt(outcome, 90),
    steered: steered?.follows ?? null,
    steeredAtRandom: steered?.randomFollows ?? null,
    steeredElsewhere: steered?.elsewhereFollows ?? null,
  };
  const value = values[measure] ?? (metric === null ? null : (outcome.watched?.[metric]?.[window] ?? null));
  if (value === null) throw new RangeError(`A run has no ${metric ?? measure}: does its experiment measure it?`);
  return value;
}

/** Success with a working tool, where the tool works in half of the examined episodes; null where none was taken away. */
const toolUp = ({ heldOut, toolOff }: RunOutcome): number | null =>
  heldOut === null || toolOff === null ? null : 2 * heldOut - toolOff;

/** Effective rank of the last layer after the world's answer, as probed at an update. */
const rankAt = ({ probes }: RunOutcome, update: number): number | null =>
  probes?.find((probe) => probe.update === update)?.rank.at(-1) ?? null;

/** Measures that are a share of successes: what was learned is their rise over the success of a run's first twentieth. */
const OF_SUCCESS: readonly MeasureId[] = [
  'area',
  'end',
  'heldOut',
  'toolOff',
  'toolUp',
  'practisedToolUp',
  'practisedToolDown',
  'newToolUp',
  'newToolDown',
  'passAt16',
  'paid',
  'heldOutTakenUp',
  'otherListenerTakenUp',
];

/** Gain of a condition by its measure, as a mean over seeds; null for a measure that is no success. */
function updateLearned({ measure, values, curves }: ClaimCondition): number | null {
  if (!OF_SUCCESS.includes(measure)) return null;
  return (meanOf(values) as number) - (meanOf(curves.map(([first]) => first ?? null)) ?? 0);
}

function compare({ claim }: ClaimPlan, conditions: Readonly<Record<string, ClaimCondition>>): ComparedConditions[] {
  const of = (id: string): readonly number[] => conditions[id]?.values ?? [];
  const ps = claim.comparisons.map(({ first, second }) => permutationTest(of(first), of(second)));
  const corrected = holm(ps);
  return claim.comparisons.map((comparison, i) => {
    const [first, second] = [of(comparison.first), of(comparison.second)];
    const unpaired = welch(first, second);
    const learned = [comparison.first, comparison.second].map((id) => updateLearned(conditions[id] as ClaimCondition));
    return {
      ...comparison,
      unpaired,
      paired: pairedDifference(first, second),
      p: Number((ps[i] as number).toPrecision(3)),
      corrected: corrected[i] as number,
      side: sideOf(unpaired, { corrected: corrected[i] as number, least: claim.least, learned: mostOf(learned) }),
      learned: mostOf(learned),
      seen: short(gapSeen(first, second)),
    };
  });
}

function overSearches({ claim }: ClaimPlan, conditions: Readonly<Record<string, ClaimCondition>>): OverSearches {
  const [first, second] = (['first', 'second'] as const).map((side) =>
    claim.comparisons.map((one) => short(meanOf(conditions[one[side]]?.values ?? []) as number)),
  ) as [number[], number[]];
  const p = Number(permutationTest(first, second).toPrecision(3));
  return { first, second, unpaired: welch(first, second), paired: pairedDifference(first, second), p };
}

const short = (value: number): number => Number(value.toFixed(4));

/** Largest learned amount of all conditions; null where one has no such number. */
const mostOf = (learned: readonly (number | null)[]): number | null =>
  learned.includes(null) ? null : short(Math.max(...(learned as number[])));

/** Measure by which a rerun of a comparison is judged. */
function againOf({ first, second, id }: ClaimComparison, conditions: Readonly<Record<string, ClaimCondition>>): Again {
  const [from = [], to = []] = [first, second].map((one) => conditions[one]?.values);
  const differences = to.map((value, seed) => value - (from[seed] as number));
  return {
    comparison: id,
    mean: short(meanOf(differences) as number),
    deviation: short(deviation([differences])),
    seeds: differences.length,
    quantile: short(quantileOf(differences.length - 1, OUTSIDE)),
  };
}

/** Verdicts on all reruns that are whole, a comparison each, in the order of their seeds. */
async function rerunsOf(
  plan: ClaimPlan,
  conditions: Readonly<Record<string, ClaimCondition>>,
  ledger: Ledger,
): Promise<Rerun[]> {
  const { claim } = plan;
  const names = await readdir(join(FOLDER, rerunFolderOf(plan))).catch(() => []);
  const seeds = names.flatMap((one) => /^again-(\d+)$/.exec(one)?.[1] ?? []).map(Number);
  const reruns: Rerun[] = [];
  for (const seed of seeds.sort((a, b) => a - b)) {
    const runs = await runsWantedBy(plan, ledger, seed);
    for (const compared of rerunOf(claim)) {
      const [first = [], second = []] = await Promise.all(
        [compared.first, compared.second].map(
          async (id) => (await conditionOf(plan, id, runs?.get(id) as WantedRuns, ledger)).values,
        ),
      );
      if (Math.min(first.length, second.length) < rerunSeeds(claim, seed)) continue;
      const verdict = reproduced(againOf(compared, conditions), first, second);
      if (verdict === null) continue;
      const [difference, low, high] = [verdict.difference, verdict.low, verdict.high].map(short);
      const comparison = { comparison: compared.id, unpaired: welch(first, second) };
      reruns.push({ ...verdict, seed, ...comparison, difference, low, high } as Rerun);
    }
  }
  return reruns;
}
