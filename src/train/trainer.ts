/**
 * A population in training: everything one experiment needs on one backend, advanced one update at a time. No Worker, no
 * clock, no messages here; worker.ts and the command line both drive this class.
 */

import type { Environment } from '../environments/environment';
import { findEnvironment } from '../environments/registry';
import { composeVocabulary, type Vocabulary } from '../environments/vocabulary';
import type { Arm, Change, Experiment } from '../experiment/experiment';
import { effectiveArms } from '../experiment/timeline';
import { LabError } from '../foundation/errors';
import { checkConfiguration, type PolicyConfiguration } from '../policy/configuration';
import { Decoder } from '../policy/decoder';
import { initialParameters, layoutParameters, type ParameterLayout, parameterViews } from '../policy/parameters';
import { legalSetTable } from '../rl/legalSets';
import { measure, summariseRollout } from '../rl/measure';
import type { Plan } from '../rl/microbatches';
import { hyperparameters, type Member } from '../rl/population';
import { decoderChunk, Rollout } from '../rl/rollout';
import { Trajectories } from '../rl/trajectories';
import { type OptimiserState, Update, type UpdateReadback } from '../rl/update';
import type { Backend, FloatData, Tensor } from '../tensor/backend';
import { HYPER_COLUMNS } from '../tensor/layout';
import { captureEpisodes, findWatched, type Watch } from './episodes';
import { planHalved } from './plan';
import type { EpisodeView } from './protocol';
import {
  chooseMembers,
  type Snapshot,
  STATE_TENSORS,
  type TrainerUpdate,
  type Training,
  type TrainingOptions,
} from './training';

function createEnvironment(experiment: Experiment): Environment {
  const definition = findEnvironment(experiment.environment.id);
  if (definition !== undefined) return definition.create(experiment.environment.settings);
  throw new LabError(
    'invalid-experiment',
    `There is no environment called ${experiment.environment.id}.`,
    'Choose one of the environments in the list.',
  );
}

export interface TrainerOptions extends TrainingOptions {
  /** Instead of the one the experiment names. */
  readonly environment?: Environment;
}

export class Trainer implements Training {
  readonly members: readonly Member[];
  readonly environment: Environment;
  readonly vocabulary: Vocabulary;
  readonly configuration: PolicyConfiguration;
  readonly layout: ParameterLayout;
  readonly #backend: Backend;
  readonly #hyper: Tensor<'f32'>;
  readonly #state: OptimiserState;
  readonly #trajectories: Trajectories;
  readonly #rollout: Rollout;
  readonly #update: Update;
  #experiment: Experiment;
  #finished = 0;

  /** Allocates and records everything; call prepare() next. */
  constructor(backend: Backend, experiment: Experiment, options: TrainerOptions = {}) {
    const environment = options.environment ?? createEnvironment(experiment);
    const { groups, groupSize } = experiment.batch;
    const count = groups * groupSize;
    this.#experiment = experiment;
    this.#backend = backend;
    this.environment = environment;
    this.members = chooseMembers(experiment, options);
    this.vocabulary = composeVocabulary([environment.words]);
    this.configuration = {
      ...experiment.policy,
      context: environment.context,
      vocabulary: this.vocabulary.size,
    };
    checkConfiguration(this.configuration);
    this.layout = layoutParameters(this.configuration);

    const P = this.members.length;
    const N = this.layout.size;
    const chunk = decoderChunk(environment);
    const { maxActionTokens } = environment;
    const sizes = { members: P, trajectories: count, parameters: N, chunk, maxActionTokens };
    // Before any memory is taken.
    const plan = planHalved(backend.limits, this.configuration, sizes, options.halvings ?? 0);
    const legal = legalSetTable(environment, this.vocabulary.size);
    const legalSets = backend.tensor('legalSets', 'u32', 1, legal.length);
    backend.write(legalSets, legal);
    const seedIndex = backend.tensor('seedIndex', 'u32', P, 1);
    backend.write(
      seedIndex,
      Uint32Array.from(this.members, (member) => member.seed),
    );
    this.#hyper = backend.tensor('hyper', 'f32', P, HYPER_COLUMNS);
    const tensor = (label: string, stride: number) => backend.tensor(label, 'f32', P, stride);
    this.#state = {
      parameters: tensor('parameters', N),
      firstMoment: tensor('firstMoment', N),
      secondMoment: tensor('secondMoment', N),
      step: tensor('step', 1),
      reference: tensor('reference', N),
    };
    this.#trajectories = new Trajectories(P, count, environment.context);
    const decoder = new Decoder(backend, this.configuration, parameterViews(this.layout, this.#state.parameters), {
      members: P,
      trajectories: count,
      chunk,
      maxActionTokens,
      stopToken: environment.stopToken,
      legalSets,
      hyper: this.#hyper,
      seedIndex,
    });
    this.#rollout = new Rollout(environment, decoder, this.members, { groups, groupSize, chunk });
    this.#update = new Update(
      backend,
      environment,
      this.configuration,
      this.layout,
      this.#state,
      { members: P, groups, groupSize },
      plan,
      this.#hyper,
      legalSets,
    );
    this.#initialise();
  }

  #initialise(): void {
    const N = this.layout.size;
    const initial = new Float32Array(this.members.length * N);
    const bySeed = new Map<number, Float32Array>();
    this.members.forEach((member, index) => {
      const values = bySeed.get(member.seed) ?? initialParameters(this.layout, this.#experiment.seed, member.seed);
      bySeed.set(member.seed, values);
      initial.set(values, index * N);
    });
    this.#backend.write(this.#state.parameters, initial);
    this.#backend.write(this.#state.reference, initial);
  }

  /** Compiles what the device needs; the slow part of starting. */
  prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    return this.#backend.prepare(onProgress);
  }

  /** How the batch is cut to fit the device. */
  get plan(): Plan {
    return this.#update.plan;
  }

  get parts(): number {
    return this.plan.microbatches;
  }

  get finished(): number {
    return this.#finished;
  }

  get lost(): Promise<LabError> {
    return this.#backend.lost;
  }

  get experiment(): Experiment {
    return this.#experiment;
  }

  setTimeline(timeline: readonly Change[]): void {
    this.#experiment = { ...this.#experiment, timeline: [...timeline] };
  }

  async runUpdate(watch?: Watch): Promise<TrainerUpdate> {
    const update = this.#finished;
    const arms = effectiveArms(this.#experiment, update);
    this.#backend.write(this.#hyper, hyperparameters(this.members, arms));
    await this.#rollout.run(this.#trajectories, this.#experiment.seed, update);
    const summary = summariseRollout(this.#trajectories);
    const innerEpochs = this.members.map((member) => arms[member.armIndex]?.innerEpochs ?? 1);
    const every = this.#experiment.diagnosticsEvery;
    const splitNorms = every > 0 && update % every === 0;
    const readback = this.#update.run(this.#trajectories, innerEpochs, { splitNorms });
    const episodes = watch === undefined ? null : this.#watch(watch, readback, arms, update);
    this.#finished = update + 1;
    return {
      update,
      tokens: summary.tokens,
      metrics: readback.then((values) => measure(summary, values, innerEpochs)),
      episodes,
    };
  }

  #watch(
    watch: Watch,
    readback: Promise<UpdateReadback>,
    arms: readonly Arm[],
    update: number,
  ): Promise<EpisodeView[]> {
    const { batch } = this.#experiment;
    const { slot, microbatch } = findWatched(watch, batch, this.#update.microbatches);
    const { groupSize } = batch;
    const captured = captureEpisodes(
      this.#trajectories,
      microbatch,
      this.members,
      arms,
      slot,
      watch,
      groupSize,
      update,
    );
    return Promise.all([readback, this.#update.readOldLogProbs(microbatch)]).then(([{ advantage }, logProbs]) =>
      captured.map((one) => one.finish(advantage, logProbs)),
    );
  }

  async snapshot(): Promise<Snapshot> {
    const values = await this.#backend.read(...STATE_TENSORS.map((name) => this.#state[name]));
    const entries = STATE_TENSORS.map((name, i) => [name, (values[i] as FloatData).slice()] as const);
    return {
      update: this.#finished,
      members: this.members,
      timeline: this.#experiment.timeline,
      tensors: Object.fromEntries(entries) as Snapshot['tensors'],
    };
  }

  async restore(snapshot: Snapshot): Promise<void> {
    for (const name of STATE_TENSORS) {
      const tensor = this.#state[name];
      if (snapshot.tensors[name].length !== tensor.members * tensor.stride) {
        throw new LabError(
          'invalid-experiment',
          'The saved run has another shape than this experiment.',
          'Resume it with the experiment it was saved with.',
        );
      }
      this.#backend.write(tensor, snapshot.tensors[name]);
    }
    this.setTimeline(snapshot.timeline);
    this.#finished = snapshot.update;
  }

  dispose(): void {
    this.#backend.dispose();
  }
}
