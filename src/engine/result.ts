/** The door of results. */
import { isFixed } from '../experiment/arm/policyFiles';
import type { Experiment } from '../experiment/experiment';
import { splitMachines } from '../experiment/machines';
import { openWorldsOf } from '../experiment/ownWorld';
import { parseExperiment } from '../experiment/parse';
import { LabError } from '../foundation/errors';
import { readCurvesJson } from '../train/result/read';
import { type ArmSummary, type Curve, summaryOf } from '../train/result/result';

/** Result of a run: its experiment, and the curves of every arm and seed. */
export interface Result {
  readonly experiment: Experiment;
  readonly arms: readonly ArmOfResult[];
}

export interface ArmOfResult {
  readonly id: string;
  readonly name: string;
  readonly seeds: readonly { readonly seed: number; readonly curve: Partial<Curve> }[];
  /** Success over the seeds. */
  readonly summary: ArmSummary;
}

export async function resultOf(json: unknown): Promise<Result> {
  const { experiment: given, arms } = read(json);
  const { rest } = splitMachines(given);
  await openWorldsOf(rest);
  const experiment = parseExperiment(rest);
  return {
    experiment,
    arms: arms.map(({ id, seeds }) => {
      const arm = experiment.arms.find((one) => one.id === id);
      if (arm === undefined) throw unreadable(`its experiment has no arm “${id}”`);
      const success = seeds.map(({ curve }) => curve.successRate ?? []);
      return { id, name: arm.name, seeds: seeds as ArmOfResult['seeds'], summary: summaryOf(success, isFixed(arm)) };
    }),
  };
}

function read(json: unknown) {
  try {
    return readCurvesJson(typeof json === 'string' ? JSON.parse(json) : json);
  } catch (cause) {
    throw unreadable('it is no JSON of that form', cause);
  }
}

const unreadable = (why: string, cause?: unknown): LabError =>
  new LabError('invalid-experiment', `This cannot be read as a result: ${why}.`, 'Give the result.json of a run.', {
    cause,
  });
