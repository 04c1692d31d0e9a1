/** Problems of settings of an arm that cannot be combined, with each other or with the world and the batch. */
import type { Environment } from '../environments/environment';
import { own } from '../environments/own/own';
import { remote } from '../environments/remote';
import { composeVocabulary } from '../environments/vocabulary';
import { TILED_VOCABULARY } from '../foundation/tiledVocabulary';
import { isOffered } from './arm/relevance';
import type { Arm, Experiment } from './experiment';
import { type Problem, within } from './problem';
import { effectiveArms } from './timeline';

/** environment: null where it cannot be made yet. */
export const combinationProblems = (experiment: Experiment, environment: Environment | null): Problem[] => [
  ...placeboProblems(experiment),
  ...hindsightProblems(experiment),
  ...minibatchProblems(experiment),
  ...replayProblems(experiment),
  ...(environment === null
    ? []
    : [...rewardProblems(experiment, environment), ...sweptProblems(experiment, environment)]),
];

/** The arms at the start, and after every change. */
const armsOverTime = (experiment: Experiment): Arm[] =>
  [...new Set([0, ...experiment.timeline.map((change) => change.update)])].flatMap((update) =>
    effectiveArms(experiment, update),
  );

/**
 * Problems of a placebo, at the start and after every change. Its targets are other tokens than those whose log-probs are
 * known, so it works only with plain cross-entropy and without policy gradient on observations.
 */
function placeboProblems(experiment: Experiment): Problem[] {
  if (!experiment.arms.some((arm) => arm.placebo)) return [];
  const wrong = armsOverTime(experiment).find(
    (arm) => arm.placebo && (arm.worldModelForm !== 'cross-entropy' || arm.pg.observation !== 0),
  );
  return within(
    `arms.${wrong?.id ?? ''}.placebo`,
    wrong === undefined,
    'A placebo needs plain cross-entropy as its world-model loss, and no policy gradient on observations.',
  );
}

/** Problems of arms that need every logit of a token in a world of so many words that none are stored. */
function sweptProblems(experiment: Experiment, { words }: Environment): Problem[] {
  if (composeVocabulary([words]).size < TILED_VOCABULARY) return [];
  const arms = armsOverTime(experiment);
  const problem = (setting: string, isWrong: (arm: Arm) => boolean, what: string): Problem[] => {
    const wrong = arms.find(isWrong);
    const message = `${what} every logit of a token, and no logits are stored for ${words.length} words.`;
    return within(`arms.${wrong?.id ?? ''}.${setting}`, wrong === undefined, message);
  };
  return [
    ...problem(
      'advantageBaseline',
      ({ advantageBaseline }) => advantageBaseline.startsWith('optimal-'),
      'An optimal baseline needs',
    ),
    ...problem('distillation', ({ distillation }) => distillation > 0, 'Distillation needs'),
    ...problem('placebo', ({ placebo }) => placebo, 'A placebo needs'),
  ];
}

/** A user's world is known by the seeds of its tasks, so none can be named by what an episode reached. */
function hindsightProblems({ environment, arms, timeline }: Experiment): Problem[] {
  if (environment.id !== own.id) return [];
  const wrong = arms.find(({ hindsight }) => hindsight > 0)?.id;
  const later = timeline.find(({ setting, value }) => setting === 'hindsight' && Number(value) > 0)?.arm;
  const message =
    'A world of one’s own does not say which task a failed episode would have solved: hindsight stays at 0.';
  return within(`arms.${wrong ?? later ?? ''}.hindsight`, wrong === undefined && later === undefined, message);
}

/** A minibatch has a trajectory at least, at the start and after every change. */
function minibatchProblems({ arms, batch, timeline }: Experiment): Problem[] {
  const most = batch.groups * batch.groupSize;
  const wrong = arms.find(({ minibatches }) => minibatches > most)?.id;
  const later = timeline.find(({ setting, value }) => setting === 'minibatches' && Number(value) > most)?.arm;
  const message = `A batch of ${most} trajectories can be cut into ${most} minibatches at most.`;
  return within(`arms.${wrong ?? later ?? ''}.minibatches`, wrong === undefined && later === undefined, message);
}

/**
 * Problems of a replay, at the start and after every change. Actions are imitated by the arm's own cross-entropy, and the
 * policy gradient of a replay is the lab's. An episode is played again from its actions, which a server need not repeat.
 */
function replayProblems(experiment: Experiment): Problem[] {
  const arms = armsOverTime(experiment);
  const problem = (isWrong: (arm: Arm) => boolean, message: string): Problem[] => {
    const wrong = arms.find(isWrong);
    return within(`arms.${wrong?.id ?? ''}.replay`, wrong === undefined, message);
  };
  return [
    ...problem(
      ({ replay, worldModelForm }) => replay === 'cross-entropy' && worldModelForm !== 'cross-entropy',
      'A replay by cross-entropy needs plain cross-entropy as the arm’s world-model loss.',
    ),
    ...problem(
      ({ replay, losses }) => replay === 'policy-gradient' && losses.some(({ place }) => place === 'policy'),
      'A replay by policy gradient needs the lab’s own policy loss, not a formula in its place.',
    ),
    ...problem(
      ({ replay }) => replay !== 'none' && experiment.environment.id === remote.id,
      'A world behind a server need not answer the same actions in the same way again, so nothing can be replayed.',
    ),
  ];
}

/** Parts of the reward that not every world can tell, and why. */
const UNTOLD = [
  [
    'information',
    'In this world no action says a result, so no turn can be paid by what it told of the right one: the weight of information gain stays at 0.',
  ],
  [
    'agreement',
    'In this world no action says a result, so episodes cannot agree on one: the weight of agreement stays at 0.',
  ],
  ['variety', 'In this world there are no tools: the weight of the variety of tools stays at 0.'],
  ['calls', 'In this world there is no expert to compare calls with: the weight of correct calls stays at 0.'],
] as const;

function rewardProblems(experiment: Experiment, environment: Environment): Problem[] {
  return UNTOLD.flatMap(([part, message]) => {
    const paying = armsOverTime(experiment).find(({ reward }) => reward[part] !== 0);
    const path = `reward.${part}` as const;
    return paying === undefined || isOffered(path, environment) ? [] : [{ path: `arms.${paying.id}.${path}`, message }];
  });
}
