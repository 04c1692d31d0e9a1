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
import { Baselines, GREEDY_TEMPERATURE } from '../rl/baselines';
import { Collection } from '../rl/collection';
import { Curriculum } from '../rl/curriculum';
import { BatchDiagnosis } from '../rl/diagnosis/batchDiagnosis';
import type { Diagnosis } from '../rl/diagnosis/table';
import { Dreams } from '../rl/dream';
import { addMeasured, Evaluation, isEvaluated } from '../rl/evaluation';
import { Hindsight } from '../rl/hindsight';
import { Imitation, imitating } from '../rl/imitation';
import { legalSetTable } from '../rl/legalSets';
import { type MeasureOptions, measure, summariseRollout } from '../rl/measure';
import { hasActionLoss, hasCritic, needsOf, rolesWithLoss } from '../rl/needs';
import { placeboTargets } from '../rl/placebo';
import type { Plan } from '../rl/plan';
import { hyperparameters, type Member } from '../rl/population';
import { Probes } from '../rl/probes';
import { rewardRules } from '../rl/rewards';
import { decoderChunk, Rollout } from '../rl/rollout';
import { Trajectories } from '../rl/trajectories';
import { Update, type UpdateReadback } from '../rl/update';
import { WarmStart, type WarmStartProgress, warmStartUpdates } from '../rl/warmStart';
import type { Backend, Tensor } from '../tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../tensor/layout';
import { captureEpisodes, type Watch } from './episodes';
import { inspectTrajectory, type Learned } from './inspection';
import { planHalved } from './plan';
import { createEnvironment, policyShape } from './policyShape';
import { actingCopies, drawInitial, PolicyState } from './policyState';
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
  readonly #chunk: number;
  readonly #collection: Collection;
  readonly #curriculum: Curriculum;
  readonly #hindsight: Hindsight;
  #imitation: Imitation | null = null;
  #baselines: Baselines | null = null;
  #dreams: Dreams | null = null;
  #probes: Probes | null = null;
  readonly #update: Update;
  readonly #diagnosis: BatchDiagnosis;
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
    this.#chunk = chunk;
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
    this.#hindsight = new Hindsight(environment, this.members);
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
    this.#diagnosis = new BatchDiagnosis(environment, this.#update.gradientDiagnosis.layers);
    const state = [this.#update, this.#state, this.#trajectories, this.members] as const;
    this.#warmStart =
      warmStartUpdates(experiment) > 0 ? new WarmStart(backend, environment, ...state, experiment) : null;
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
    const taught = this.#imitate(arms, update);
    const relabelled = this.#hindsight.relabel(this.#trajectories, taught, this.#experiment.seed, update);
    const learned = await this.#learn(taught, update, diagnose);
    const episodes = watch === undefined ? null : this.#watch(watch, taught, update);
    const { groupSize } = this.#experiment.batch;
    this.#learned = { update, arms: taught, trajectories: this.#trajectories, groupSize };
    this.#finished = update + 1;
    return {
      update,
      tokens: summary.tokens,
      metrics: learned.readback.then((values) =>
        addMeasured(measure(summary, values, { ...learned.options, imitates, relabelled }), measured),
      ),
      episodes,
      diagnosis: learned.diagnosis,
    };
  }

  /**
   * Puts demonstrations in the place of the trajectories of arms in a supervised phase; returns the arms as they learn from
   * what is there then.
   */
  #imitate(arms: readonly Arm[], update: number): readonly Arm[] {
    if (arms.every(({ imitation }) => imitation === 'none')) return arms;
    const { warmStart } = this.#experiment;
    this.#imitation ??= new Imitation(this.environment, this.#experiment);
    const tokens = this.members.map(({ armIndex }) => arms[armIndex]?.imitation ?? 'none');
    // After those of the warm start.
    this.#imitation.play(this.#trajectories, this.members, tokens, warmStart.updates + update);
    return arms.map((arm) => (arm.imitation === 'none' ? arm : imitating(arm, arm.imitation, warmStart)));
  }

  /** Optimises on the trajectories as they are. */
  async #learn(
    arms: readonly Arm[],
    update: number,
    diagnose: boolean,
  ): Promise<{
    readback: Promise<UpdateReadback>;
    options: Omit<MeasureOptions, 'imitates' | 'relabelled'>;
    diagnosis: Promise<Diagnosis> | null;
  }> {
    const { seed, diagnosticsEvery: every } = this.#experiment;
    const hyper = hyperparameters(this.members, arms, update);
    const needs = needsOf(hyper);
    if (needs.baselines) await this.#playBaselines(hyper, arms, update);
    this.#backend.write(this.#hyper, hyper);
    const diagnostics = every > 0 && update % every === 0;
    const gradients = diagnose && diagnostics;
    await this.#update.prepare(needs, gradients);
    const armOf = ({ armIndex }: Member): Arm => arms[armIndex] as Arm;
    const options = {
      innerEpochs: this.members.map((member) => armOf(member).innerEpochs),
      critic: this.members.map((_, p) => hasCritic(hyper, p)),
      actionLoss: this.members.map((_, p) => hasActionLoss(hyper, p)),
    };
    const targets = placeboTargets(this.#trajectories, this.members, arms, seed, update);
    const gradientRoles = gradients ? { gradientRoles: rolesWithLoss(hyper) } : {};
    const readback = this.#update.run(this.#trajectories, {
      ...options,
      needs,
      diagnostics,
      ...gradientRoles,
      ...targets,
    });
    const finish = gradients ? this.#diagnosis.begin(this.#trajectories, update) : null;
    return { readback, options, diagnosis: finish && readback.then(finish) };
  }

  async #playBaselines(hyper: Float32Array, arms: readonly Arm[], update: number): Promise<void> {
    const greedy = hyper.slice();
    for (let at = HYPER.temperature; at < greedy.length; at += HYPER_COLUMNS) greedy[at] = GREEDY_TEMPERATURE;
    this.#backend.write(this.#hyper, greedy);
    this.#state.history?.playPresent();
    const { groups } = this.#experiment.batch;
    this.#baselines ??= new Baselines(this.environment, this.#decoder, this.members, groups, this.#chunk);
    await this.#baselines.assign(this.#trajectories, arms.map(rewardRules), this.#experiment.seed, update);
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
    if (this.#learned === null) return null;
    return inspectTrajectory(this.#update.inspection, this.#learned, this.members, choice);
  }

  async probe(seed: number | null): Promise<MemberProbes[] | null> {
    if (this.#learned === null) return null;
    const asked = this.members.flatMap((member, index) => (seed === null || member.seed === seed ? [index] : []));
    if (asked.length === 0) return [];
    this.#probes ??= new Probes(
      this.environment,
      this.#learned.groupSize,
      this.#update.residuals,
      drawInitial(this.layout, this.members, this.#experiment.seed),
    );
    const found = await this.#probes.measure(asked, this.#learned.trajectories);
    return asked.map((index, i) => {
      const { arm, seed } = this.members[index] as Member;
      return { arm, seed, probes: found[i] ?? [] };
    });
  }

  async dream({ episodes, sampling }: DreamRequest): Promise<DreamView[]> {
    const { seed: experimentSeed, arms } = this.#experiment;
    const dreamed = episodes.flatMap((episode) => {
      const isOwn = ({ armIndex, seed }: Member): boolean =>
        arms[armIndex]?.id === episode.arm && seed === episode.seed;
      const member = this.members.findIndex(isOwn);
      return member < 0 ? [] : [{ ...episode, member }];
    });
    if (dreamed.length === 0) return [];
    const dreams = await this.#dreamer(experimentSeed);
    this.#state.history?.playPresent();
    const restoreRows = this.#update.keepRows();
    const found = await dreams.of(dreamed, sampling, this.#finished);
    // The last batch can be looked at afterwards as before.
    restoreRows();
    if (this.#learned !== null) {
      const { arms: learned, update } = this.#learned;
      this.#backend.write(this.#hyper, hyperparameters(this.members, learned, update));
    }
    return found.map((dream, index) => ({ ...dream, arm: dreamed[index]?.arm ?? '' }));
  }

  async #dreamer(experimentSeed: number): Promise<Dreams> {
    if (this.#dreams !== null) return this.#dreams;
    const { environment, members } = this;
    const options = { environment, members, chunk: this.#chunk, experimentSeed };
    this.#dreams = new Dreams(this.#backend, this.#decoder, this.#update, options);
    await this.#backend.prepare();
    return this.#dreams;
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
