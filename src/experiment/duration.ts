/**
 * Estimated duration of a run: the flops of its matrix products, at a rate measured on two processor cores. Right within
 * a factor of two, which is enough before one presses a button.
 */
import type { Environment } from '../environments/environment';
import { composeVocabulary } from '../environments/vocabulary';
import { isFixed } from './arm/policyFiles';
import { takesReference } from './arm/relevance';
import type { Arm, Experiment } from './experiment';
import { findModel } from './models';

/** Flops a second of the CPU backend on two cores of an AMD EPYC while it trains. */
const TWO_CORES = 33e9;
/** Costs in forward passes: of decoding, of another policy's log-probs, of an inner step (a backward pass is two). */
const DECODING = 1;
const REFERENCE = 1;
const STEP = 3;

/** Seconds on two processor cores if every episode is as long as it can be. */
export function estimateSeconds(experiment: Experiment, environment: Environment): number {
  return secondsFor(experiment, composeVocabulary([environment.words]).size, longestEpisode(environment));
}

/** estimateSeconds() for a world of which two numbers are known: words of its vocabulary, and tokens of its longest episode. */
export function secondsFor({ seeds, policy, arms, ...experiment }: Experiment, words: number, longest: number): number {
  const { blocks, width } = shapeOf(policy);
  const pass = 2 * (blocks + words * width) * longest * seeds;
  const passes = arms.reduce((total, arm) => total + (isFixed(arm) ? 0 : armPasses(experiment, arm)), 0);
  return (pass * passes) / TWO_CORES;
}

/** Share of a run's time that its warm start takes, from 0 to 1. */
export function warmStartShare(experiment: Experiment): number {
  const passes = (updates: number): number =>
    experiment.arms.reduce((sum, arm) => sum + (isFixed(arm) ? 0 : armPasses({ ...experiment, updates }, arm)), 0);
  const whole = passes(experiment.updates);
  return whole === 0 ? 0 : passes(0) / whole;
}

/** Weights of all blocks, and the width: of a language model its own. */
function shapeOf({ model: id, layers, width }: Experiment['policy']): { blocks: number; width: number } {
  const model = findModel(id);
  if (model === undefined) return { blocks: 12 * layers * width ** 2, width };
  const { keyValueHeads, headWidth, hidden } = model.llama;
  const attention = (2 * model.heads + 2 * keyValueHeads) * headWidth;
  return { blocks: model.layers * model.width * (attention + 3 * hidden), width: model.width };
}

/** Forward passes over a trajectory that one seed of an arm needs in the whole run; a backward pass counts as two. */
export function armPasses(
  { updates, batch, warmStart }: Pick<Experiment, 'updates' | 'batch' | 'warmStart'>,
  arm: Arm,
): number {
  const trajectories = batch.groups * batch.groupSize;
  if (isFixed(arm)) return updates * trajectories;
  const supervised = arm.warmStart === 'none' ? 0 : warmUpPasses(warmStart, batch);
  // With minibatches a pass over the whole batch measures before the first step.
  const steps = arm.innerEpochs + (arm.minibatches > 1 ? 1 : 0);
  const before = DECODING + (takesReference(arm) ? REFERENCE : 0);
  // Distillation has a teacher's pass and a step's passes of its own.
  const step = STEP + (arm.distillation > 0 ? REFERENCE + STEP : 0);
  return supervised + updates * trajectories * (before + step * steps);
}

/** Passes of a warm start and of what is measured on the way: 16 episodes of each task, and steps on episodes and demonstrations. */
function warmUpPasses(
  { updates, measureEvery, batch }: Experiment['warmStart'],
  { groups, groupSize }: Experiment['batch'],
): number {
  const trajectories = groups * groupSize;
  const readings = measureEvery === 0 ? 0 : Math.ceil(updates / measureEvery) + 1;
  const reading = Math.ceil(16 / groupSize) * DECODING + REFERENCE + 4 * STEP;
  return updates * (batch || trajectories) * STEP + readings * trajectories * reading;
}

/** Longest episode, in tokens; for a mixture, the weighted mean over its worlds. */
function longestEpisode({ context, parts }: Environment): number {
  if (parts === undefined) return context;
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  return parts.reduce((sum, { weight, environment }) => sum + (weight / total) * environment.context, 0);
}
