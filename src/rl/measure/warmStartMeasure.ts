/**
 * Measurement of a warm start, every so many steps: the policies play the same tasks each time, and the gradients of actions and
 * of observations are taken apart on the next step's demonstrations. Nothing is learned from it: no parameter, moment or step
 * count changes, and no random number of the training is used up.
 *
 * Cost: as many batches of episodes as 16 episodes a task take, a forward and a backward pass over the last of them, and three of
 * each over the demonstrations.
 */
import type { Arm } from '../../experiment/experiment';
import { effectiveArms } from '../../experiment/timeline';
import { RandomStream, STREAM } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import { imitating } from '../learn/imitation';
import { needsOf } from '../learn/needs';
import { withoutExploration } from '../play/baselines';
import { nothingReplayed } from '../play/replay';
import type { Rollout } from '../play/rollout';
import { hyperparameters, type Member, type TrainedPopulation } from '../population';
import type { UpdateReadback } from '../updateContract';
import { cosineOf, measure } from './measure';
import { METRIC, METRICS, type MetricName } from './metrics';
import { passAtK } from './passAtK';
import type { WarmStartReading } from './warmStartReadings';

/** Episodes of a task at least: k of the largest pass@k. */
const EPISODES = 16;

/** The training's batch is overwritten. */
interface WarmStartMeasureOptions extends TrainedPopulation {
  readonly rollout: Rollout;
}

export class WarmStartMeasure {
  readonly #options: WarmStartMeasureOptions;
  /** [P]: 1 for members of arms with a warm start; the others are not measured. */
  readonly #measured: readonly number[];
  readonly #table: Float32Array;

  constructor(options: WarmStartMeasureOptions) {
    const { members, experiment } = options;
    this.#options = options;
    this.#measured = members.map(({ armIndex }) => (experiment.arms[armIndex]?.warmStart === 'none' ? 0 : 1));
    this.#table = hyperparameters(members, experiment.arms.map(bothParts));
  }

  /** True before the first step, after every k steps and after the last one; never where k is 0. */
  isDue(step: number): boolean {
    const { measureEvery, updates } = this.#options.experiment.warmStart;
    return measureEvery > 0 && (step % measureEvery === 0 || step === updates);
  }

  /** Measures the policies after so many steps. demonstrate: writes the next step's demonstrations. */
  async read(step: number, demonstrate: () => void): Promise<WarmStartReading> {
    const { backend, update, trajectories } = this.#options;
    const [passAt1, passAt16] = await this.#play();
    await update.prepareRoles();
    backend.write(update.hyper, this.#table);
    const metrics = metricsOf(await this.#pass({ reference: true }), this.#measured.length);
    trajectories.clear();
    demonstrate();
    const taught = await this.#pass({ reference: false, gradientRoles: [ROLE.action, ROLE.observation] });
    const members = this.#measured.map((measured, p) => {
      const [action, observation] = [ROLE.action, ROLE.observation].map(
        (role) => taught.gradients?.roleNorms[role]?.[p] ?? Number.NaN,
      ) as [number, number];
      const values = [
        passAt1[p],
        passAt16[p],
        ...(['entropy', 'kl', 'observationCrossEntropy'] as const).map((metric) => metrics(p, metric)),
        observation / action,
        cosineOf(taught.gradNorm[p], action, observation),
      ];
      return values.map((value) => (measured === 1 && Number.isFinite(value) ? (value as number) : null));
    });
    return { step, members };
  }

  /** pass@1 and pass@16, [P] each, on a batch of tasks; training's trajectories hold the last episodes of each. */
  async #play(): Promise<readonly [number[], number[]]> {
    const { backend, environment, update, rollout, history, trajectories, members, experiment } = this.#options;
    const { groups, groupSize } = experiment.batch;
    const arms = effectiveArms(experiment, 0);
    history?.playPresent();
    backend.write(update.hyper, withoutExploration(hyperparameters(members, arms)));
    const rounds = Math.ceil(EPISODES / groupSize);
    const solved = new Float64Array(members.length * groups);
    for (let round = 0; round < rounds; round++) {
      await rollout.run(trajectories, {
        arms,
        experimentSeed: experiment.seed,
        stream: STREAM.evaluation,
        round,
        // The tasks of an examination's first round.
        drawTask: (member, group) =>
          environment.drawTask(
            new RandomStream(experiment.seed, STREAM.evaluation, 0, 0, group),
            'held-out',
            (members[member] as Member).seed,
          ),
      });
      trajectories.successes.forEach((success, i) => {
        solved[Math.floor(i / groupSize)] += success;
      });
    }
    const mean = (k: number): number[] =>
      members.map((_, p) => {
        const ofMember = [...solved.subarray(p * groups, (p + 1) * groups)];
        return ofMember.reduce((sum, count) => sum + passAtK(rounds * groupSize, count, k), 0) / groups;
      });
    return [mean(1), mean(EPISODES)];
  }

  #pass(flags: { readonly reference: boolean; readonly gradientRoles?: readonly number[] }): Promise<UpdateReadback> {
    const { update, trajectories } = this.#options;
    const needs = needsOf(this.#table);
    return update.run(trajectories, { innerEpochs: this.#measured, needs, diagnostics: false, stays: true, ...flags });
  }
}

/** An arm whose loss has both parts of ActObs' at the weight 1, and nothing else. */
function bothParts(arm: Arm): Arm {
  const both = imitating(arm, 'actions-and-observations', { learningRate: 0, observationWeight: 1 });
  return { ...both, ce: { ...both.ce, warning: 0, thought: 0 } };
}

/** Metrics that a pass tells by itself. */
function metricsOf(readback: UpdateReadback, members: number): (member: number, metric: MetricName) => number {
  const each = <T>(value: T): T[] => Array.from({ length: members }, () => value);
  const values = measure({ means: new Map(), members, tokens: 0 }, readback, {
    innerEpochs: each(1),
    minibatches: each(1),
    critic: each(false),
    reference: true,
    actionLoss: each(false),
    imitates: each(true),
    relabelled: each(Number.NaN),
    replayed: nothingReplayed(members),
  });
  return (member, metric) => values[member * METRICS.length + METRIC[metric]] as number;
}
