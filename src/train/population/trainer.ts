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
import type { Plan } from '../../rl/plan';
import { isSolvedRecord } from '../../rl/play/solvedMemory';
import type { Member } from '../../rl/population';
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
    const { trajectories, wholeUpdate } = this.#allocated;
    const update = this.#finished;
    const scheduled = effectiveArms(this.#experiment, update).map((arm) => scheduledArm(arm, update));
    const { arms, tokens, metrics, diagnosis } = await wholeUpdate.run(scheduled, update, diagnose);
    const episodes = watch === undefined ? null : this.#watch(watch, arms, update);
    const { groupSize } = this.#experiment.batch;
    this.#learned = { update, arms, trajectories, groupSize };
    this.#finished = update + 1;
    return { update, tokens, metrics, episodes, diagnosis };
  }

  #watch(watch: Watch, arms: readonly Arm[], update: number): Promise<EpisodeView[]> {
    const { trajectories, update: learner } = this.#allocated;
    const captured = captureEpisodes(trajectories, this.members, arms, watch, this.#experiment.batch, update);
    const { dense } = learner.batch;
    return this.#backend
      .read(dense.oldLogProb, dense.advantage, dense.policyWeight, dense.crossEntropyWeight)
      .then(([oldLogProb, advantage, policyWeight, crossEntropyWeight]) =>
        captured.map((one) => one.finish({ oldLogProb, advantage, policyWeight, crossEntropyWeight })),
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
    const solved = this.#allocated.wholeUpdate.replay.save();
    return {
      update: this.#finished,
      members: this.members,
      timeline: this.#experiment.timeline,
      tensors: await this.#allocated.state.read(),
      tasks: this.#allocated.curriculum.save().map((ofMember, member) => [...ofMember, ...(solved[member] ?? [])]),
      successRates: this.#allocated.wholeUpdate.success.rates,
    };
  }

  async restore(snapshot: Snapshot): Promise<void> {
    this.#warmStart = null;
    this.#learned = null;
    this.#allocated.state.write(snapshot.tensors);
    const { curriculum, wholeUpdate } = this.#allocated;
    curriculum.restore(snapshot.tasks.map((ofMember) => ofMember.filter((record) => !isSolvedRecord(record))));
    wholeUpdate.replay.restore(snapshot.tasks.map((ofMember) => ofMember.filter(isSolvedRecord)));
    wholeUpdate.success.restore(snapshot.successRates);
    this.setTimeline(snapshot.timeline);
    this.#finished = snapshot.update;
  }

  dispose(): void {
    this.#backend.dispose();
  }
}
