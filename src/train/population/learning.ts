/**
 * Learning from a batch: demonstrations, earlier successes and relabelled trajectories are written into it, baselines are
 * played where advantages need them, and then the policies are optimised.
 */
import type { Environment } from '../../environments/environment';
import { takesReference } from '../../experiment/arm/relevance';
import { phaseAt } from '../../experiment/arm/schedule';
import type { Arm, Experiment } from '../../experiment/experiment';
import type { Decoder } from '../../policy/decoder';
import { distillationOf } from '../../rl/learn/added';
import { Imitation, imitating } from '../../rl/learn/imitation';
import { drawMinibatches } from '../../rl/learn/minibatches';
import { hasActionLoss, hasCritic, needsOf, rolesWithLoss } from '../../rl/learn/needs';
import { ReplayLoss } from '../../rl/learn/replayLoss';
import { BatchDiagnosis } from '../../rl/look/diagnosis/batchDiagnosis';
import type { Diagnosis } from '../../rl/look/diagnosis/table';
import { isDiagnosed, type MeasureOptions } from '../../rl/measure/measure';
import { Baselines, greedily } from '../../rl/play/baselines';
import { Hindsight } from '../../rl/play/hindsight';
import { placeboTargets } from '../../rl/play/placebo';
import type { PolicyHistory } from '../../rl/play/policyHistory';
import { Replay, type Replayed } from '../../rl/play/replay';
import { rewardRules } from '../../rl/play/rewards';
import type { Trajectories } from '../../rl/play/trajectories';
import { hyperparameters, type Member, ownedHyperparameters } from '../../rl/population';
import type { Update } from '../../rl/update';
import type { UpdateReadback } from '../../rl/updateContract';
import type { Backend } from '../../tensor/backend';

export interface LearningOptions {
  readonly backend: Backend;
  readonly environment: Environment;
  readonly experiment: Experiment;
  readonly members: readonly Member[];
  /** The rollout's; overwritten where an arm learns from others. */
  readonly trajectories: Trajectories;
  readonly decoder: Decoder;
  /** Largest number of tokens fed per trajectory and turn. */
  readonly chunk: number;
  /** Past policies that play; null where the present ones do. */
  readonly history: PolicyHistory | null;
  readonly update: Update;
}

/** A batch with demonstrations, earlier successes and relabelled trajectories in it. */
export interface Taught {
  /** The arms' settings to learn from it. */
  readonly arms: readonly Arm[];
  /** Share of each member's trajectories that Hindsight.relabel changed, [P]. */
  readonly relabelled: Float64Array;
  readonly replayed: Replayed;
}

export interface LearnedUpdate {
  readonly readback: Promise<UpdateReadback>;
  readonly options: Omit<MeasureOptions, 'imitates' | 'relabelled' | 'replayed'>;
  readonly diagnosis: Promise<Diagnosis> | null;
}

export class Learning {
  readonly #options: LearningOptions;
  /** Memories of solved episodes, a part of the run's state. */
  readonly replay: Replay;
  readonly #hindsight: Hindsight;
  readonly #diagnosis: BatchDiagnosis;
  #imitation: Imitation | null = null;
  #baselines: Baselines | null = null;

  constructor(options: LearningOptions) {
    const { environment, members, update } = options;
    this.#options = options;
    this.replay = new Replay(environment, members);
    this.#hindsight = new Hindsight(environment, members);
    this.#diagnosis = new BatchDiagnosis(environment, update.gradientDiagnosis.layers);
  }

  /** Overwrites trajectories of arms that learn from demonstrations, from earlier successes or by hindsight. */
  teach(arms: readonly Arm[], update: number): Taught {
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

  /** Optimises on the trajectories unchanged. successRates: running ones before this update, [P]. */
  async learn(
    arms: readonly Arm[],
    update: number,
    successRates: ArrayLike<number>,
    diagnose: boolean,
  ): Promise<LearnedUpdate> {
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
    const targets = placeboTargets(trajectories, members, arms, seed, update);
    const gradientRoles = gradients ? { gradientRoles: rolesWithLoss(hyper, environment.thoughts !== undefined) } : {};
    const weights = settings.map(({ inverseDynamics }) => inverseDynamics);
    const isInverse = weights.some((weight) => weight > 0);
    const asked = {
      innerEpochs: options.innerEpochs,
      minibatches: cut && { cut, table: hyper },
      replay: this.#replayLoss(settings, hyper),
      valueHeadAlone: settings.map((arm) => phaseAt(arm, update) === 'critic'),
      needs,
      reference,
      diagnostics,
      formulas: { arms, update, successRates },
      distillation: settings.map(distillationOf),
      ...(isInverse && { inverse: { members, weights, experimentSeed: seed, update } }),
      ...gradientRoles,
      ...targets,
    };
    const readback = this.#options.update.run(trajectories, asked);
    const finish = gradients ? this.#diagnosis.begin(trajectories, update) : null;
    return { readback, options, diagnosis: finish && readback.then(finish) };
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
    await this.#baselines.assign(trajectories, arms.map(rewardRules), experiment.seed, update);
  }
}
