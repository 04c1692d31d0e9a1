/**
 * One update of the whole population, as run() says it:
 *   examine  the policies act in tasks that they never train on, where that is due
 *   play     tasks are chosen, the policies act, rewards are paid: play/collection.ts
 *   teach    demonstrations, earlier successes and relabelled episodes are written over some of the batch
 *   learn    the batch is scored, weighed and learned from: update.ts
 *   measure  metrics, once the device has the numbers
 */
import { takesReference } from '../experiment/arm/relevance';
import { phaseAt } from '../experiment/arm/schedule';
import type { Arm } from '../experiment/experiment';
import { distillationOf } from './learn/added';
import { Imitation, imitating } from './learn/imitation';
import { drawMinibatches } from './learn/minibatches';
import { hasActionLoss, hasCritic, needsOf, rolesWithLoss } from './learn/needs';
import { ReplayLoss } from './learn/replayLoss';
import { BatchDiagnosis } from './look/diagnosis/batchDiagnosis';
import type { Diagnosis } from './look/diagnosis/table';
import { addMeasured, type Evaluation } from './measure/evaluation';
import type { Measured } from './measure/examiner';
import { formulaMetrics } from './measure/formulaMetrics';
import { isDiagnosed, type MeasureOptions, measure, type RolloutSummary, summariseRollout } from './measure/measure';
import type { TaskInformation } from './measure/taskInformation';
import { Baselines, greedily } from './play/baselines';
import type { Collection } from './play/collection';
import { Hindsight } from './play/hindsight';
import { placeboTargets } from './play/placebo';
import { Replay, type Replayed } from './play/replay';
import { RunningSuccess } from './play/runningSuccess';
import { hyperparameters, ownedHyperparameters, type TrainedPopulation } from './population';
import type { UpdateReadback } from './updateContract';

export interface WholeUpdateOptions extends TrainedPopulation {
  readonly collection: Collection;
  /** Examination; null where there is none. */
  readonly evaluation: Evaluation | null;
  /** Measure of task information; null where it is not asked for. */
  readonly information: TaskInformation | null;
}

/** A batch with demonstrations, earlier successes and relabelled trajectories in it. */
interface Taught {
  /** The arms' settings to learn from it. */
  readonly arms: readonly Arm[];
  /** Share of each member's trajectories that Hindsight.relabel changed, [P]. */
  readonly relabelled: Float64Array;
  readonly replayed: Replayed;
}

interface Learned {
  readonly readback: Promise<UpdateReadback>;
  readonly options: Omit<MeasureOptions, 'imitates' | 'relabelled' | 'replayed'>;
  readonly diagnosis: Promise<Diagnosis> | null;
}

/** An update that is submitted. */
export interface Updated {
  /** The arms' settings that were learned with. */
  readonly arms: readonly Arm[];
  /** Tokens of its trajectories, all members. */
  readonly tokens: number;
  /** [P, METRICS.length], once the device has it. */
  readonly metrics: Promise<Float64Array>;
  readonly diagnosis: Promise<Diagnosis> | null;
}

export class WholeUpdate {
  readonly #options: WholeUpdateOptions;
  /** Memories of solved episodes and running success rates, parts of the run's state. */
  readonly replay: Replay;
  readonly success: RunningSuccess;
  readonly #hindsight: Hindsight;
  readonly #diagnosis: BatchDiagnosis;
  #imitation: Imitation | null = null;
  #baselines: Baselines | null = null;

  constructor(options: WholeUpdateOptions) {
    const { environment, members, update } = options;
    this.#options = options;
    this.replay = new Replay(environment, members);
    this.success = new RunningSuccess(members.length);
    this.#hindsight = new Hindsight(environment, members);
    this.#diagnosis = new BatchDiagnosis(environment, update.gradientDiagnosis.layers);
  }

  /** Resolves when the batch is played and the optimisation is submitted. arms: with their settings at this update. */
  async run(arms: readonly Arm[], update: number, diagnose: boolean): Promise<Updated> {
    const examined = await this.#examine(arms, update);
    const played = await this.#play(arms, update);
    const informed = await this.#inform(update);
    const taught = this.#teach(arms, update);
    const learned = await this.#learn(taught.arms, update, diagnose);
    this.success.note(update, played.means.get('successRate') as Float64Array);
    const metrics = this.#measure(arms, played, taught, learned, [...examined, ...informed]);
    return { arms: taught.arms, tokens: played.tokens, metrics, diagnosis: learned.diagnosis };
  }

  async #examine(arms: readonly Arm[], update: number): Promise<Measured> {
    const { evaluation, history, members } = this.#options;
    if (update === 0) history?.begin();
    history?.playPresent();
    return (await evaluation?.run(update, hyperparameters(members, arms, update), arms)) ?? [];
  }

  async #play(arms: readonly Arm[], update: number): Promise<RolloutSummary> {
    const { backend, collection, environment, members, trajectories } = this.#options;
    // For the rollout; #learn writes them again, where arms that imitate have other settings.
    backend.write(this.#options.update.hyper, hyperparameters(members, arms, update));
    const collected = await collection.collect(trajectories, arms, update);
    const noisy = members.map(({ armIndex }) => (arms[armIndex]?.verifierNoise ?? 0) > 0);
    return summariseRollout(trajectories, noisy, collected, environment);
  }

  /** Task information of the episodes as they were played, where that is due. */
  async #inform(update: number): Promise<Measured> {
    const { experiment, information, trajectories } = this.#options;
    if (!isDiagnosed(update, experiment.diagnosticsEvery)) return [];
    return (await information?.measure(trajectories)) ?? [];
  }

  /** Overwrites trajectories of arms that learn from demonstrations, from earlier successes or by hindsight. */
  #teach(arms: readonly Arm[], update: number): Taught {
    const { trajectories, experiment } = this.#options;
    const taught = this.#imitate(arms, update);
    // First of all: replay remembers episodes before hindsight changes them, and a replayed success is nothing for
    // hindsight.
    const replayed = this.replay.run(trajectories, taught, experiment.seed, update);
    const relabelled = this.#hindsight.relabel(trajectories, taught, experiment.seed, update);
    return { arms: taught, relabelled, replayed };
  }

  /** Writes demonstrations over the trajectories of arms that imitate; returns the arms' settings to learn from them. */
  #imitate(arms: readonly Arm[], update: number): readonly Arm[] {
    if (arms.every(({ imitation }) => imitation === 'none')) return arms;
    const { environment, experiment, members, trajectories } = this.#options;
    const { warmStart } = experiment;
    this.#imitation ??= new Imitation(environment, experiment);
    const tokens = members.map(({ armIndex }) => arms[armIndex]?.imitation ?? 'none');
    // Steps continue after those of the warm start.
    this.#imitation.play(trajectories, members, tokens, warmStart.updates + update);
    return arms.map((arm) => (arm.imitation === 'none' ? arm : imitating(arm, arm.imitation, warmStart)));
  }

  /** Optimises on the batch, which stays unchanged. */
  async #learn(arms: readonly Arm[], update: number, diagnose: boolean): Promise<Learned> {
    const { backend, environment, experiment, members, trajectories } = this.#options;
    const { seed, diagnosticsEvery } = experiment;
    const hyper = hyperparameters(members, arms, update);
    const labHyper = ownedHyperparameters(members, arms, update);
    const needs = needsOf(hyper);
    if (needs.baselines) await this.#playBaselines(hyper, arms, update);
    backend.write(this.#options.update.hyper, hyper);
    const diagnostics = isDiagnosed(update, diagnosticsEvery);
    const gradients = diagnose && diagnostics;
    // The arms of the whole experiment decide: a member is measured alike in every Worker.
    const reference = diagnostics || arms.some(takesReference);
    await this.#options.update.prepare(needs, arms, gradients);
    const settings = members.map(({ armIndex }) => arms[armIndex] as Arm);
    const cut = drawMinibatches(members, settings, trajectories.count, seed, update);
    const options = {
      innerEpochs: settings.map(({ innerEpochs }) => innerEpochs),
      minibatches: settings.map(({ minibatches }) => minibatches),
      critic: members.map((_, p) => hasCritic(hyper, p)),
      reference,
      actionLoss: members.map((_, p) => hasActionLoss(labHyper, p)),
    };
    const request = {
      innerEpochs: options.innerEpochs,
      minibatches: cut && { cut, table: hyper },
      valueHeadAlone: settings.map((arm) => phaseAt(arm, update) === 'critic'),
      needs,
      reference,
      diagnostics,
      ...this.#lossesBeside(arms, settings, hyper, update),
      ...(gradients && { gradientRoles: rolesWithLoss(hyper, environment.thoughts !== undefined) }),
    };
    const readback = this.#options.update.run(trajectories, request);
    const finish = gradients ? this.#diagnosis.begin(trajectories, update) : null;
    return { readback, options, diagnosis: finish && readback.then(finish) };
  }

  /** Losses beside those of the lab's own settings: of replayed episodes, formulas, a teacher, inverse dynamics and a placebo. */
  #lossesBeside(arms: readonly Arm[], settings: readonly Arm[], hyper: Float32Array, update: number) {
    const { experiment, members, trajectories } = this.#options;
    const { seed } = experiment;
    const weights = settings.map(({ inverseDynamics }) => inverseDynamics);
    const isInverse = weights.some((weight) => weight > 0);
    return {
      replay: this.#replayLoss(settings, hyper),
      formulas: { arms, update, successRates: this.success.rates },
      distillation: settings.map(distillationOf),
      ...(isInverse && { inverse: { members, weights, experimentSeed: seed, update } }),
      ...placeboTargets(trajectories, members, arms, seed, update),
    };
  }

  /** Loss of the replayed episodes of a batch; null where it has none. */
  #replayLoss(settings: readonly Arm[], hyper: Float32Array): ReplayLoss | null {
    const { backend, trajectories, update } = this.#options;
    if (trajectories.replayed.size === 0) return null;
    return new ReplayLoss(backend, update.batch, trajectories, settings, hyper);
  }

  async #playBaselines(hyper: Float32Array, arms: readonly Arm[], update: number): Promise<void> {
    const { backend, environment, experiment, members, trajectories, decoder, chunk, history } = this.#options;
    backend.write(this.#options.update.hyper, greedily(hyper));
    history?.playPresent();
    this.#baselines ??= new Baselines(environment, decoder, members, experiment.batch.groups, chunk);
    await this.#baselines.assign(trajectories, arms, experiment.seed, update);
  }

  /** Metrics of the whole update. arms: as they played; measured: what was measured before anything was learned. */
  async #measure(
    arms: readonly Arm[],
    played: RolloutSummary,
    taught: Taught,
    { readback, options }: Learned,
    measured: Measured,
  ): Promise<Float64Array> {
    const { members } = this.#options;
    const imitates = members.map(({ armIndex }) => arms[armIndex]?.imitation !== 'none');
    const read = await readback;
    const values = measure(played, read, { ...options, imitates, ...taught });
    return addMeasured(values, [...measured, ...formulaMetrics(read.formulas, members, taught.arms)]);
  }
}
