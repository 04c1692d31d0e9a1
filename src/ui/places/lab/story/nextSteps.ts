/** Experiments to try after a run: each adds what it has not asked yet, in the order in which its verdict makes them matter. */
import { isFixed } from '../../../../experiment/arm/policyFiles';
import type { Arm, Experiment } from '../../../../experiment/experiment';
import { findObjective } from '../../../../experiment/objectives/objectivePresets';
import { checkExperiment } from '../../../../experiment/parse';
import { EXPERIMENT_TABLE } from '../../../../experiment/settings/tables';
import { formatSetting } from '../../../kit/format';
import { addMethodArm, canAddArm, duplicateArm, renameArm, setInArm } from '../../../model/arms/edits';
import type { PairStanding } from '../../../model/arms/verdict';

export interface NextStep {
  readonly id: 'mask' | 'predict' | 'lambda' | 'seeds' | 'others';
  /** Words on the step's button. */
  readonly words: string;
  /** Sentence that says what the step adds or changes. */
  readonly does: string;
  readonly experiment: Experiment;
  /** Id of the arm that the added one is a copy of. */
  readonly copied?: string;
}

/** Steps offered at most. */
const MOST = 3;

/** λ of an added arm, where no arm predicts observations yet. */
const LAMBDA = 0.1;

/** Steps of an experiment that can run. Undecided runs want seeds first, decided ones what is absent. */
export function nextSteps(experiment: Experiment, standing: PairStanding): readonly NextStep[] {
  const isDecided = standing.is === 'ahead' || standing.is === 'alone';
  const absent = [...forgetMask(experiment), ...predict(experiment), ...otherLambda(experiment, standing)];
  const seeds = isDecided ? otherSeeds(experiment) : moreSeeds(experiment);
  return [...(isDecided ? [...absent, ...seeds] : [...seeds, ...absent, ...otherSeeds(experiment)])]
    .filter((step) => checkExperiment(step.experiment).problems.length === 0)
    .slice(0, MOST);
}

const trainedArms = ({ arms }: Experiment): Arm[] => arms.filter((arm) => !isFixed(arm));

/** The experiment with an arm more, of this name unless it is taken. */
function withLastNamed(experiment: Experiment, name: string): Experiment {
  const last = experiment.arms.at(-1);
  const isFree = experiment.arms.every((arm) => arm.name !== name);
  return last === undefined || !isFree ? experiment : renameArm(experiment, last.id, name);
}

function forgetMask(experiment: Experiment): NextStep[] {
  const isThere = trainedArms(experiment).some(({ pg }) => pg.observation > 0);
  if (isThere || !canAddArm(experiment)) return [];
  const added = withLastNamed(addMethodArm(experiment, findObjective('no-mask')), 'No mask');
  const does = 'Adds an arm that is rewarded for the world’s answers: a classic mistake.';
  return [{ id: 'mask', words: 'Forget the mask', does, experiment: added }];
}

function predict(experiment: Experiment): NextStep[] {
  if (predictors(experiment).length > 0 || !canAddArm(experiment)) return [];
  const added = withLastNamed(addMethodArm(experiment, findObjective('world-model')), 'World model');
  const last = added.arms.at(-1);
  if (last === undefined) return [];
  const does = 'Adds an arm that also learns the world’s answers by prediction.';
  return [
    {
      id: 'predict',
      words: 'Add prediction',
      does,
      experiment: setInArm(added, last.id, 'ce.observation', LAMBDA),
    },
  ];
}

const predictors = (experiment: Experiment): Arm[] => trainedArms(experiment).filter(({ ce }) => ce.observation > 0);

/** A tenth of λ where prediction is behind with it or it is 1 already; else λ = 1. Beside the arm that it is a copy of. */
function otherLambda(experiment: Experiment, standing: PairStanding): NextStep[] {
  const [arm] = predictors(experiment);
  if (arm === undefined || !canAddArm(experiment)) return [];
  const isBehind = standing.is === 'ahead' && standing.arm !== arm.id;
  const { observation } = arm.ce;
  const lambda = isBehind || observation >= 1 ? Number((observation / 10).toPrecision(3)) : 1;
  if (predictors(experiment).some(({ ce }) => ce.observation === lambda)) return [];
  const copied = duplicateArm(experiment, arm.id);
  const copy = copied.arms[copied.arms.findIndex(({ id }) => id === arm.id) + 1];
  if (copy === undefined) return [];
  const written = `λ = ${formatSetting(lambda)}`;
  const named = renameArm(
    setInArm(copied, copy.id, 'ce.observation', lambda),
    copy.id,
    `${arm.name.slice(0, 40)}, ${written}`,
  );
  const does = `Adds a copy of ${arm.name}; its prediction weighs ${formatSetting(lambda)}, not ${formatSetting(observation)}.`;
  return [{ id: 'lambda', words: `Try ${written}`, does, experiment: named, copied: arm.id }];
}

/** Twice as many, at least four: the interval is narrower by a third. */
function moreSeeds(experiment: Experiment): NextStep[] {
  const seeds = Math.min(EXPERIMENT_TABLE.seeds.max, Math.max(4, 2 * experiment.seeds));
  if (seeds <= experiment.seeds) return [];
  const does = `Trains each arm ${seeds} times instead of ${experiment.seeds}.`;
  return [{ id: 'seeds', words: `${seeds} seeds`, does, experiment: { ...experiment, seeds } }];
}

function otherSeeds(experiment: Experiment): NextStep[] {
  const seed = (experiment.seed + 1) % (EXPERIMENT_TABLE.seed.max + 1);
  const does = 'Repeats it with other first weights and other tasks.';
  return [{ id: 'others', words: 'Other seeds', does, experiment: { ...experiment, seed } }];
}
