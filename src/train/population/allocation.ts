/** Allocation of a population in training: its tensors and recorded passes, made once before the first update. */
import type { Environment } from '../../environments/environment';
import type { Experiment } from '../../experiment/experiment';
import type { PolicyConfiguration } from '../../policy/configuration';
import { Decoder } from '../../policy/decoder';
import { holdFrozen } from '../../policy/frozen';
import { type ParameterLayout, parameterViews } from '../../policy/parameters';
import { WarmStart, warmStartUpdates } from '../../rl/learn/warmStart';
import { Evaluation, isExamined } from '../../rl/measure/evaluation';
import { TaskInformation } from '../../rl/measure/taskInformation';
import { WarmStartMeasure } from '../../rl/measure/warmStartMeasure';
import { Collection } from '../../rl/play/collection';
import { Curriculum } from '../../rl/play/curriculum';
import { InformationGain } from '../../rl/play/informationGain';
import { bitMask, legalSetTable } from '../../rl/play/legalSets';
import { Rollout } from '../../rl/play/rollout';
import { Trajectories } from '../../rl/play/trajectories';
import type { Member, TrainedPopulation } from '../../rl/population';
import { Update } from '../../rl/update';
import { WholeUpdate } from '../../rl/wholeUpdate';
import type { Backend, Tensor } from '../../tensor/backend';
import { HYPER_COLUMNS } from '../../tensor/layout';
import { PolicyViews } from '../looks/views';
import { chunkOf, planFor } from './plan';
import { baseOf, PolicyState } from './state';
import type { TrainingOptions } from './training';

/** Members, their world, and the policies' shape. */
interface Population {
  readonly members: readonly Member[];
  readonly environment: Environment;
  readonly configuration: PolicyConfiguration;
  readonly layout: ParameterLayout;
}

export interface Allocation {
  readonly state: PolicyState;
  readonly trajectories: Trajectories;
  readonly curriculum: Curriculum;
  readonly collection: Collection;
  readonly update: Update;
  readonly wholeUpdate: WholeUpdate;
  readonly views: PolicyViews;
  /** Warm start; null without one. */
  readonly warmStart: WarmStart | null;
}

/** Allocates and records everything. Throws LabError where the smallest plan does not fit, before any memory is taken. */
export function allocate(
  backend: Backend,
  experiment: Experiment,
  population: Population,
  options: TrainingOptions,
): Allocation {
  const { members, environment, configuration } = population;
  const { groups, groupSize } = experiment.batch;
  const P = members.length;
  const count = groups * groupSize;
  const chunk = chunkOf(experiment, environment);
  const plan = planFor(backend, experiment, population, options.halvings);
  const weights = options.weights ?? new Map();
  const isFrozen = configuration.adapters !== undefined;
  const frozen = isFrozen ? holdFrozen(backend, configuration, baseOf(weights, experiment)) : null;
  const layout = { ...population.layout, ...(frozen && { frozen }) };
  const legalSets = u32(backend, 'legalSets', 1, legalSetTable(environment, configuration.vocabulary));
  const seedIndex = u32(
    backend,
    'seedIndex',
    P,
    Uint32Array.from(members, (member) => member.seed),
  );
  const hyper = backend.tensor('hyper', 'f32', P, HYPER_COLUMNS);
  const state = new PolicyState(backend, configuration, layout, members, experiment, weights);
  const { history } = state;
  const trajectories = new Trajectories(P, count, environment.context, environment.maxTurns);
  const { maxActionTokens, stopToken, stopTokens, thoughts } = environment;
  const stops = stopTokens && u32(backend, 'stops', 1, bitMask(stopTokens, configuration.vocabulary));
  const decoder = new Decoder(backend, configuration, parameterViews(layout, state.acting), {
    members: P,
    trajectories: count,
    cohorts: options.cohorts,
    chunk,
    maxActionTokens,
    stopToken,
    stops,
    thoughts,
    legalSets,
    hyper,
    seedIndex,
  });
  const curriculum = new Curriculum(environment, members, groups, experiment.seed);
  const rollout = new Rollout(environment, decoder, members, { groups, groupSize, chunk });
  const batch = { groups, groupSize };
  const material = { environment, configuration, layout, state, members, sizes: batch, plan, hyper, legalSets };
  const update = new Update(backend, material);
  const information = new InformationGain(backend, environment, update, groupSize);
  const collection = new Collection(rollout, curriculum, history, information, members, batch, experiment.seed);
  const training = { backend, environment, experiment, members, decoder, chunk, history, trajectories, update };
  return {
    state,
    trajectories,
    curriculum,
    collection,
    update,
    warmStart:
      warmStartUpdates(experiment) > 0
        ? new WarmStart(training, state, new WarmStartMeasure({ ...training, rollout }))
        : null,
    views: new PolicyViews({ ...training, layout }),
    wholeUpdate: new WholeUpdate({
      ...training,
      collection,
      evaluation: evaluationOf(training),
      information: informationOf(training),
    }),
  };
}

function evaluationOf({ backend, experiment, ...played }: TrainedPopulation): Evaluation | null {
  const { batch, evaluation, seed } = experiment;
  if (!isExamined(evaluation)) return null;
  const examined = { ...played, ...batch, ...evaluation, experimentSeed: seed };
  return new Evaluation(backend, played.decoder, played.update, examined);
}

function informationOf({ environment, experiment, members, update }: TrainedPopulation): TaskInformation | null {
  const { batch, informationEpisodes, diagnosticsEvery } = experiment;
  if (informationEpisodes === 0 || diagnosticsEvery === 0) return null;
  return new TaskInformation(environment, update, members.length, batch, informationEpisodes);
}

function u32(backend: Backend, label: string, members: number, values: Uint32Array): Tensor<'u32'> {
  const tensor = backend.tensor(label, 'u32', members, values.length / members);
  backend.write(tensor, values);
  return tensor;
}
