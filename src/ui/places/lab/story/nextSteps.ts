/** Experiments to try after a run: each adds what it has not asked yet, in the order in which its verdict makes them matter. */
import { isFixed } from '../../../../experiment/arm/policyFiles';
import { type Arm, type Experiment, withArmSetting } from '../../../../experiment/experiment';
import { checkExperiment } from '../../../../experiment/parse';
import { actionMask } from '../../../../experiment/presets/preset';
import { EXPERIMENT_TABLE } from '../../../../experiment/settings/tables';
import { formatSetting } from '../../../kit/format';
import { canAddArm, duplicateArm } from '../../../model/arms/edits';
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

/** A copy of an arm, after all others, of this name unless it is taken, changed by `change` alone; null where none can be. */
function withCopy(
  experiment: Experiment,
  arm: Arm | undefined,
  name: string,
  change: (arm: Arm) => Arm,
): Experiment | null {
  if (arm === undefined || !canAddArm(experiment)) return null;
  const copied = duplicateArm(experiment, arm.id);
  const copy = copied.arms[copied.arms.findIndex(({ id }) => id === arm.id) + 1];
  if (copy === undefined) return null;
  const isFree = experiment.arms.every((one) => one.name !== name);
  const changed = change(isFree ? { ...copy, name } : copy);
  return { ...copied, arms: [...experiment.arms, changed] };
}

/** Original of a copy without its mask, or with prediction: an arm of the lab’s own losses, without prediction if there is one. */
function plainArm(experiment: Experiment): Arm | undefined {
  const own = trainedArms(experiment).filter(({ losses }) => losses.length === 0);
  return own.find(({ ce }) => ce.observation === 0) ?? own[0];
}

function forgetMask(experiment: Experiment): NextStep[] {
  const arm = plainArm(experiment);
  const isThere = trainedArms(experiment).some(({ pg }) => pg.observation > 0);
  const added = withCopy(experiment, arm, 'No mask', (copy) => ({
    ...withArmSetting(copy, 'pg.observation', 1),
    objective: copy.objective === actionMask.objective ? 'no-mask' : copy.objective,
  }));
  if (isThere || arm === undefined || added === null) return [];
  const does = `Adds a copy of ${arm.name} that is also rewarded for the world’s answers: a classic mistake.`;
  return [{ id: 'mask', words: 'Forget the mask', does, experiment: added, copied: arm.id }];
}

function predict(experiment: Experiment): NextStep[] {
  const arm = plainArm(experiment);
  const added = withCopy(experiment, arm, 'World model', (copy) => ({
    ...withArmSetting(copy, 'ce.observation', LAMBDA),
    objective: copy.objective === actionMask.objective ? 'world-model' : copy.objective,
  }));
  if (predictors(experiment).length > 0 || arm === undefined || added === null) return [];
  const does = `Adds a copy of ${arm.name} that also learns the world’s answers by prediction.`;
  return [{ id: 'predict', words: 'Add prediction', does, experiment: added, copied: arm.id }];
}

const predictors = (experiment: Experiment): Arm[] => trainedArms(experiment).filter(({ ce }) => ce.observation > 0);

/** A tenth of λ where prediction is behind with it or it is 1 already; else λ = 1. */
function otherLambda(experiment: Experiment, standing: PairStanding): NextStep[] {
  const [arm] = predictors(experiment);
  if (arm === undefined) return [];
  const isBehind = standing.is === 'ahead' && standing.arm !== arm.id;
  const { observation } = arm.ce;
  const lambda = isBehind || observation >= 1 ? Number((observation / 10).toPrecision(3)) : 1;
  if (predictors(experiment).some(({ ce }) => ce.observation === lambda)) return [];
  const written = `λ = ${formatSetting(lambda)}`;
  const named = withCopy(experiment, arm, `${arm.name.slice(0, 40)}, ${written}`, (copy) =>
    withArmSetting(copy, 'ce.observation', lambda),
  );
  if (named === null) return [];
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
