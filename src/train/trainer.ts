/**
 * A population in training: everything one experiment needs on one backend, advanced one update at a time. No Worker, no
 * clock, no messages here; worker.ts and the command line both drive this class.
 */

import type { Environment } from '../environments/environment';
import type { Vocabulary } from '../environments/vocabulary';
import type { Arm, Change, Experiment } from '../experiment/experiment';
import { effectiveArms } from '../experiment/timeline';
import type { LabError } from '../foundation/errors';
import type { PolicyConfiguration } from '../policy/configuration';
import { Decoder } from '../policy/decoder';
import { layoutParameters, type ParameterLayout, parameterViews } from '../policy/parameters';
import { Collection } from '../rl/collection';
import { Curriculum } from '../rl/curriculum';
import { addMeasured, Evaluation, isEvaluated } from '../rl/evaluation';
import { legalSetTable } from '../rl/legalSets';
import { measure, summariseRollout } from '../rl/measure';
import type { Plan } from '../rl/plan';
import { hyperparameters, type Member } from '../rl/population';
import { rewardRules } from '../rl/rewards';
import { decoderChunk, Rollout } from '../rl/rollout';
import { Trajectories } from '../rl/trajectories';
import { Update } from '../rl/update';
import { WarmStart, type WarmStartProgress, warmStartUpdates } from '../rl/warmStart';
import type { Backend, Tensor } from '../tensor/backend';
import { HYPER_COLUMNS } from '../tensor/layout';
import { captureEpisodes, type Watch } from './episodes';
import type { Learned } from './inspection';
import { Learning } from './learning';
import { planHalved } from './plan';
import { createEnvironment, policyShape } from './policyShape';
import { actingCopies, PolicyState } from './policyState';
import { PolicyViews } from './policyViews';
import type { DreamRequest, DreamView, EpisodeView, Inspection, InspectionChoice, MemberProbes } from './protocol';
import { chooseMembers, type Snapshot, type TrainerUpdate, type Training, type TrainingOptions } from './training';

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
  readonly #state: PolicyState;
  readonly #trajectories: Trajectories;
  readonly #decoder: Decoder;
  readonly #collection: Collection;
  readonly #curriculum: Curriculum;
  readonly #update: Update;
  readonly #learning: Learning;
  readonly #views: PolicyViews;
  readonly #evaluation: Evaluation | null;
  /** Null once it is over, or where there is none. */
  #warmStart: WarmStart | null;
  #experiment: Experiment;
  #finished = 0;
  /** Null until an update has learned here: a snapshot holds no batch. */
  #learned: Learned | null = null;

  /** Allocates and records everything; call prepare() next. */
  constructor(backend: Backend, experiment: Experiment, options: TrainerOptions = {}) {
    const environment = options.environment ?? createEnvironment(experiment);
    const { groups, groupSize } = experiment.batch;
    const count = groups * groupSize;
    this.#experiment = experiment;
    this.#backend = backend;
    this.environment = environment;
    this.members = chooseMembers(experiment, options);
    const { vocabulary, configuration } = policyShape(experiment, environment);
    this.vocabulary = vocabulary;
    this.configuration = configuration;
    this.layout = layoutParameters(this.configuration);

    const P = this.members.length;
    const N = this.layout.size;
    const chunk = decoderChunk(environment);
    const staleness = Math.max(...experiment.arms.map((arm) => arm.staleness));
    const { maxActionTokens } = environment;
    const sizes = {
      members: P,
      trajectories: count,
      groups,
      turns: environment.maxTurns,
      parameters: N,
      chunk,
      maxActionTokens,
      actingCopies: actingCopies(staleness),
    };
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
    this.#state = new PolicyState(backend, this.layout, this.members, experiment, options.weights ?? new Map());
    this.#trajectories = new Trajectories(P, count, environment.context, environment.maxTurns);
    this.#decoder = new Decoder(backend, this.configuration, parameterViews(this.layout, this.#state.acting), {
      members: P,
      trajectories: count,
      chunk,
      maxActionTokens,
      stopToken: environment.stopToken,
      legalSets,
      hyper: this.#hyper,
      seedIndex,
    });
    this.#curriculum = new Curriculum(environment, this.members, groups, experiment.seed);
    this.#collection = new Collection(
      new Rollout(environment, this.#decoder, this.members, { groups, groupSize, chunk }),
      this.#curriculum,
      this.#state.history,
      this.members,
      { groups, groupSize },
      experiment.seed,
    );
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
    this.#learning = new Learning({
      backend,
      environment,
      experiment,
      members: this.members,
      trajectories: this.#trajectories,
      decoder: this.#decoder,
      chunk,
      history: this.#state.history,
      update: this.#update,
    });
    const state = [this.#update, this.#state, this.#trajectories, this.members] as const;
    this.#warmStart =
      warmStartUpdates(experiment) > 0 ? new WarmStart(backend, environment, ...state, experiment) : null;
    this.#views = new PolicyViews({
      backend,
      environment,
      members: this.members,
      arms: experiment.arms,
      experimentSeed: experiment.seed,
      layout: this.layout,
      decoder: this.#decoder,
      chunk,
      history: this.#state.history,
      update: this.#update,
    });
    const { every, tasks } = experiment.evaluation;
    const { members } = this;
    const examined = { environment, members, groups, groupSize, chunk, tasks };
    const experimentSeed = experiment.seed;
    this.#evaluation =
      every === 0 ? null : new Evaluation(backend, this.#decoder, this.#update, { ...examined, experimentSeed });
  }

  /**
   * Compiles what the device needs; the slow part of starting. Brings back once what updates bring back from time to time:
   * that there is no memory for it should be known before the run begins, while a smaller plan costs nothing.
   */
  async prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    await this.#backend.prepare(onProgress);
    await this.#state.read();
    if (this.#experiment.diagnosticsEvery > 0) await this.#update.readDiagnosed();
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

  async warmUp(): Promise<WarmStartProgress> {
    const total = warmStartUpdates(this.#experiment);
    if (this.#warmStart === null) return { done: total, total };
    const progress = await this.#warmStart.step();
    if (progress.done === progress.total) {
      this.#warmStart = null;
      this.#state.writeReferences();
    }
    return progress;
  }

  async #finishWarmStart(): Promise<void> {
    while (this.#warmStart !== null) await this.warmUp();
  }

  async runUpdate(watch?: Watch, diagnose = false): Promise<TrainerUpdate> {
    await this.#finishWarmStart();
    const update = this.#finished;
    if (update === 0) this.#state.history?.begin();
    this.#state.history?.playPresent();
    const arms = effectiveArms(this.#experiment, update);
    const hyper = hyperparameters(this.members, arms, update);
    const rules = arms.map(rewardRules);
    const examination = isEvaluated(update, this.#experiment.evaluation.every) ? this.#evaluation : null;
    const measured = (await examination?.run(hyper, rules)) ?? [];
    this.#backend.write(this.#hyper, hyper);
    const collected = await this.#collection.collect(this.#trajectories, arms, update);
    const noisy = this.members.map(({ armIndex }) => (arms[armIndex]?.verifierNoise ?? 0) > 0);
    const summary = summariseRollout(this.#trajectories, noisy, collected, this.environment.parts);
    const imitates = this.members.map(({ armIndex }) => arms[armIndex]?.imitation !== 'none');
    const taught = this.#learning.teach(arms, update);
    const learned = await this.#learning.learn(taught.arms, update, diagnose);
    const episodes = watch === undefined ? null : this.#watch(watch, taught.arms, update);
    const { groupSize } = this.#experiment.batch;
    this.#learned = { update, arms: taught.arms, trajectories: this.#trajectories, groupSize };
    this.#finished = update + 1;
    return {
      update,
      tokens: summary.tokens,
      metrics: learned.readback.then((values) =>
        addMeasured(
          measure(summary, values, { ...learned.options, imitates, relabelled: taught.relabelled }),
          measured,
        ),
      ),
      episodes,
      diagnosis: learned.diagnosis,
    };
  }

  #watch(watch: Watch, arms: readonly Arm[], update: number): Promise<EpisodeView[]> {
    const captured = captureEpisodes(this.#trajectories, this.members, arms, watch, this.#experiment.batch, update);
    const { oldLogProb, advantage, policyWeight, crossEntropyWeight } = this.#update.batch.dense;
    const read = this.#backend.read(oldLogProb, advantage, policyWeight, crossEntropyWeight);
    return read.then(([logProbs, advantages, weights, worldModel]) =>
      captured.map((one) =>
        one.finish({
          oldLogProb: logProbs,
          advantage: advantages,
          policyWeight: weights,
          crossEntropyWeight: worldModel,
        }),
      ),
    );
  }

  async inspect(choice: InspectionChoice): Promise<Inspection[] | null> {
    return this.#learned === null ? null : this.#views.inspect(this.#learned, choice);
  }

  async probe(seed: number | null): Promise<MemberProbes[] | null> {
    return this.#learned === null ? null : this.#views.probe(this.#learned, seed);
  }

  dream(request: DreamRequest): Promise<DreamView[]> {
    return this.#views.dream(request, this.#finished, this.#learned);
  }

  async snapshot(): Promise<Snapshot> {
    await this.#finishWarmStart();
    return {
      update: this.#finished,
      members: this.members,
      timeline: this.#experiment.timeline,
      tensors: await this.#state.read(),
      tasks: this.#curriculum.save(),
    };
  }

  async restore(snapshot: Snapshot): Promise<void> {
    this.#warmStart = null;
    this.#learned = null;
    this.#state.write(snapshot.tensors);
    this.#curriculum.restore(snapshot.tasks);
    this.setTimeline(snapshot.timeline);
    this.#finished = snapshot.update;
  }

  dispose(): void {
    this.#backend.dispose();
  }
}
