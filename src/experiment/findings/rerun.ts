/** Rerun of a claim on the page: both conditions of one comparison as arms of one experiment, with seeds of its own. */
import type { Arm, Experiment } from '../experiment';
import { decodeLink, encodeLink } from '../link/link';
import { type Claim, MEASURES } from './claim';
import type { ClaimCondition, Finding } from './finding';

/** Number that the seeds of a rerun are drawn from; no claim's own are. */
export const RERUN_SEED = 9000;

/** Title of an experiment at most. */
const LONGEST = 120;

/**
 * Experiment that repeats two conditions; null where they differ in more than an arm's settings, or are judged by no
 * curve of a run.
 */
export function rerunExperiment(
  { question, measure, comparisons, rerun }: Claim,
  { conditions }: Finding,
): Experiment | null {
  if (MEASURES[measure].metric === null) return null;
  const compared = comparisons.find(({ id }) => id === rerun.comparison);
  const [first, second] = [compared?.first ?? '', compared?.second ?? ''].map((id) => partOf(id, conditions[id]));
  if (first == null || second == null || withoutArm(first.experiment) !== withoutArm(second.experiment)) return null;
  return {
    ...first.experiment,
    title: question.length > LONGEST ? `${question.slice(0, LONGEST - 1)}…` : question,
    seed: RERUN_SEED,
    seeds: rerun.seeds,
    arms: [first.arm, second.arm],
  };
}

/** Experiment of a condition, and its arm under the condition's name. */
function partOf(id: string, condition: ClaimCondition | undefined): { experiment: Experiment; arm: Arm } | null {
  if (condition === undefined) return null;
  const experiment = decodeLink(condition.link);
  const arm = experiment.arms.find((one) => condition.arm === null || one.id === condition.arm);
  return arm === undefined ? null : { experiment, arm: { ...arm, id, name: condition.name } };
}

const withoutArm = (experiment: Experiment): string =>
  JSON.stringify({ ...experiment, arms: [], preset: '', title: '', seed: 0, seeds: 0 });

/** True for a run of the rerun's experiment, with any seeds but those that were recorded. */
export function isRerun(run: Experiment, rerun: Experiment, recorded: number): boolean {
  const plain = ({ title, seed, seeds }: Experiment): string => encodeLink({ ...run, title, seed, seeds });
  return run.seed !== recorded && plain(rerun) === encodeLink(rerun);
}
