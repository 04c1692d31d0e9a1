/** The doors of the package. */
import type { EnvironmentSettings } from '../environments/environment';
import type { Experiment } from '../experiment/experiment';
import { type Loss, lossOf } from './loss';
import { type Policy, policyOf } from './policy';
import { type Result, resultOf } from './result';
import { type Run, type TrainOptions, trained } from './train';
import { type World, worldOf } from './world';

export { LabError } from '../foundation/errors';

/**
 * Trains an experiment to its end. `what`: a preset’s name, a link of the lab, or an experiment. The same experiment gives the same
 * numbers as `unmask run`, bit for bit on the same backend.
 */
export function train(what: string | Experiment, options: TrainOptions = {}): Promise<Run> {
  return trained(what, options);
}

/** Reads a result: `result.json` of a run, or the file of all numbers that the page saves, as text or parsed. */
export function readResult(json: unknown): Promise<Result> {
  return resultOf(json);
}

/** Loads a policy out of an ONNX file of the lab: of a run’s `policy()`, of `unmask export`, or saved by the page. */
export function loadPolicy(file: Uint8Array | Blob): Promise<Policy> {
  return policyOf(file);
}

/** Compiles a loss that is written as a formula (docs/formulas.md). */
export function compileLoss(text: string): Loss {
  return lossOf(text);
}

/**
 * Makes a world that is played in words. `what`: the name of one of the lab’s worlds, the text of a world in one file (docs/worlds.md),
 * or a preset or link, whose world it then is.
 */
export function makeWorld(what: string, settings: EnvironmentSettings = {}): Promise<World> {
  return worldOf(what, settings);
}
