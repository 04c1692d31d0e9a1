/**
 * Examination of a new experiment. Presets and links keep their own, most have none; an experiment that a person begins
 * in another world is examined on the tasks that the world sets aside, and that is written into it like any setting.
 */
import { findEnvironment } from '../environments/registry';
import type { Experiment } from './experiment';
import { isMakeable } from './ownWorld';

/** Examinations of 64 tasks, every third of a run and at least every 50 updates, as in the presets. */
export const usualExamination = ({ updates }: Pick<Experiment, 'updates'>): Experiment['evaluation'] => ({
  every: Math.max(1, Math.min(50, Math.floor(updates / 3))),
  tasks: 64,
  toolEvery: 0,
});

/**
 * True if the world sets tasks aside that training never draws; null where that is not known, or its settings contradict each
 * other.
 */
export function holdsTasksOut(environment: Experiment['environment']): boolean | null {
  const { id, settings } = environment;
  try {
    const world = isMakeable(environment) ? findEnvironment(id)?.create(settings) : undefined;
    return world === undefined ? null : world.hasHeldOut === true;
  } catch {
    return null;
  }
}

/** The experiment as it begins in a world that is new to it: examined, where its world sets tasks aside. */
export function newlyExamined(experiment: Experiment): Experiment {
  if (experiment.evaluation.every > 0 || holdsTasksOut(experiment.environment) !== true) return experiment;
  return { ...experiment, evaluation: usualExamination(experiment) };
}

/** Experiment in the world of `known`, with its examination too unless the person has set another. */
export function backIn(experiment: Experiment, known: Experiment): Experiment {
  const usual = usualExamination(experiment);
  const { every, tasks, toolEvery } = experiment.evaluation;
  const isUsual = every === usual.every && tasks === usual.tasks && toolEvery === usual.toolEvery;
  return {
    ...experiment,
    environment: known.environment,
    evaluation: isUsual ? known.evaluation : experiment.evaluation,
  };
}
