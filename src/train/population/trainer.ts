/**
 * A population in training on one backend: everything that an experiment needs, advanced one update at a time. There are no
 * Workers, clocks or messages here.
 */

import type { Environment } from '../../environments/environment';
import type { Vocabulary } from '../../environments/vocabulary';
import { scheduledArm } from '../../experiment/arm/schedule';
import type { Arm, Change, Experiment } from '../../experiment/experiment';
import { effectiveArms } from '../../experiment/timeline';
import type { LabError } from '../../foundation/errors';
import type { PolicyConfiguration } from '../../policy/configuration';
import { layoutParameters, type ParameterLayout } from '../../policy/parameters';
import { type WarmStart, type WarmStartProgress, warmStartUpdates } from '../../rl/learn/warmStart';
import { addMeasured } from '../../rl/measure/evaluation';
import { formulaMetrics } from '../../rl/measure/formulaMetrics';
import { isDiagnosed, measure, summariseRollout } from '../../rl/measure/measure';
import type { Plan } from '../../rl/plan';
import { rewardRules } from '../../rl/play/rewards';
import { RunningSuccess } from '../../rl/play/runningSuccess';
import { isSolvedRecord } from '../../rl/play/solvedMemory';
import { hyperparameters, type Member } from '../../rl/population';
import type { Backend } from '../../tensor/backend';
import { captureEpisodes, type Watch } from '../looks/episodes';
import type { Learned } from '../looks/inspection';
import type { DreamRequest, DreamView, EpisodeView, Inspection, InspectionChoice, MemberProbes } from '../looks/shown';
import { type Allocation, allocate } from './allocation';
import { createEnvironment, policyShape } from './shape';
import { chooseMembers, type Snapshot, type TrainerUpdate, type Training, type TrainingOptions } from './training';

export interface TrainerOptions extends TrainingOptions {
  /** World to use instead of the experiment's. */
  readonly environment?: Environment;
}

export class Trainer implements Training {
  readonly members: readonly Member[];
  readonly environment: Environment;
  readonly vocabulary: Vocabulary;
  readonly configuration: PolicyConfiguration;
  readonly layout: ParameterLayout;
  readonly #backend: Backend;
  readonly #allocated: Allocation;
  /** Warm start; null without one, or once it is over. */
  #warmStart: WarmStart | null;
  #experiment: Experiment;
  #finished = 0;
  /** Last update; null before the first here, also after a restore: a snapshot holds no batch. */
  #learned: Learned | null = null;
  readonly #success: RunningSuccess;

  /** Allocates and records everything; call prepare() next. */
  constructor(backend: Backend, experiment: Experiment, options: TrainerOptions = {}) {
    this.environment = options.environment ?? createEnvironment(experiment);
    this.members = chooseMembers(experiment, options);
    const { vocabulary, configuration } = policyShape(experiment, this.environment);
    this.vocabulary = vocabulary;
    this.configuration = configuration;
    this.layout = layoutParameters(configuration);
    this.#experiment = experiment;
    this.#backend = backend;
    this.#allocated = allocate(backend, experiment, this, options);
    this.#warmStart = this.#allocated.warmStart;
    this.#success = new RunningSuccess(this.members.length);
  }

  /**
   * Compiles the programs, the slow part of starting. It also reads back once what updates read back from time to time: too
   * little memory for that should show before the run begins, while a smaller plan costs nothing.
   */
  async prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    this.#allocated.update.arrange(effectiveArms(this.#experiment, this.#finished));
    await this.#backend.prepare(onProgress);
    await this.#allocated.state.read();
    if (this.#experiment.diagnosticsEvery > 0) await this.#allocated.update.readDiagnosed();
  }

  /** Plan that cuts the batch to fit the device. */
  get plan(): Plan {
    return this.#allocated.update.plan;
  }

  get microbatches(): number {
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
      this.#allocated.state.writeReferences();
    }
    return progress;
  }

  async #finishWarmStart(): Promise<void> {
    while (this.#warmStart !== null) await this.warmUp();
  }

  async runUpdate(watch?: Watch, diagnose = false): Promise<TrainerUpdate> {
    await this.#finishWarmStart();
    const { state, evaluation, information, hyper, collection, trajectories, learning } = this.#allocated;
    const update = this.#finished;
    if (update === 0) state.history?.begin();
    state.history?.playPresent();
    const arms = effectiveArms(this.#experiment, update).map((arm) => scheduledArm(arm, update));
    const values = hyperparameters(this.members, arms, update);
    const rules = arms.map(rewardRules);
    const measured = (await evaluation?.run(update, values, rules)) ?? [];
    this.#backend.write(hyper, values);
    const collected = await collection.collect(trajectories, arms, update);
    const noisy = this.members.map(({ armIndex }) => (arms[armIndex]?.verifierNoise ?? 0) > 0);
    const summary = summariseRollout(trajectories, noisy, collected, this.environment);
    const isDue = isDiagnosed(update, this.#experiment.diagnosticsEvery);
    const informed = (isDue && (await information?.measure(trajectories))) || [];
    const imitates = this.members.map(({ armIndex }) => arms[armIndex]?.imitation !== 'none');
    const taught = learning.teach(arms, update);
    const learned = await learning.learn(taught.arms, update, this.#success.rates, diagnose);
    this.#success.note(update, summary.means.get('successRate') ?? []);
    const episodes = watch === undefined ? null : this.#watch(watch, taught.arms, update);
    const { groupSize } = this.#experiment.batch;
    this.#learned = { update, arms: taught.arms, trajectories, groupSize };
    this.#finished = update + 1;
    return {
      update,
      tokens: summary.tokens,
      metrics: learned.readback.then((readback) =>
        addMeasured(measure(summary, readback, { ...learned.options, imitates, ...taught }), [
          ...measured,
          ...informed,
          ...formulaMetrics(readback.formulas, this.members, taught.arms),
        ]),
      ),
      episodes,
      diagnosis: learned.diagnosis,
    };
  }

  #watch(watch: Watch, arms: readonly Arm[], update: number): Promise<EpisodeView[]> {
    const { trajectories, update: learner } = this.#allocated;
    const captured = captureEpisodes(trajectories, this.members, arms, watch, this.#experiment.batch, update);
    const { oldLogProb, advantage, policyWeight, crossEntropyWeight } = learner.batch.dense;
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
    return this.#learned === null ? null : this.#allocated.views.inspect(this.#learned, choice);
  }

  async probe(seed: number | null): Promise<MemberProbes[] | null> {
    return this.#learned === null ? null : this.#allocated.views.probe(this.#learned, seed);
  }

  dream(request: DreamRequest): Promise<DreamView[]> {
    return this.#allocated.views.dream(request, this.#finished, this.#learned);
  }

  async snapshot(): Promise<Snapshot> {
    await this.#finishWarmStart();
    const solved = this.#allocated.learning.replay.save();
    return {
      update: this.#finished,
      members: this.members,
      timeline: this.#experiment.timeline,
      tensors: await this.#allocated.state.read(),
      tasks: this.#allocated.curriculum.save().map((own, member) => [...own, ...(solved[member] ?? [])]),
      successRates: this.#success.rates,
    };
  }

  async restore(snapshot: Snapshot): Promise<void> {
    this.#warmStart = null;
    this.#learned = null;
    this.#allocated.state.write(snapshot.tensors);
    const { curriculum, learning } = this.#allocated;
    curriculum.restore(snapshot.tasks.map((own) => own.filter((record) => !isSolvedRecord(record))));
    learning.replay.restore(snapshot.tasks.map((own) => own.filter(isSolvedRecord)));
    this.#success.restore(snapshot.successRates);
    this.setTimeline(snapshot.timeline);
    this.#finished = snapshot.update;
  }

  dispose(): void {
    this.#backend.dispose();
  }
}
