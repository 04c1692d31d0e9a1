/**
 * Warm start: supervised updates before update 0, on demonstrations (imitation.ts), by the passes and the optimiser of
 * training. Members of a seed see the same demonstrations. Those with the same choice of tokens become the same policy, since
 * nothing else of an arm counts yet. Arms without a warm start keep their first weights.
 *
 * An arm that learns observations, then actions, changes its loss on the way and keeps its optimiser.
 *
 * At the end the optimiser's moments and step count are set to 0, and the policy becomes the reference of the KL.
 */
import { isFixed } from '../../experiment/arm/policyFiles';
import type { Arm, Experiment } from '../../experiment/experiment';
import type { Program } from '../../tensor/backend';
import { TERM, TERM_COLUMNS } from '../../tensor/columns';
import type { WarmStartMeasure } from '../measure/warmStartMeasure';
import type { WarmStartReading } from '../measure/warmStartReadings';
import { hyperparameters, type TrainedPopulation } from '../population';
import type { OptimiserState } from '../updatePrograms';
import { type ImitatedTokens, Imitation, imitating, tokensInStep } from './imitation';
import { needsOf } from './needs';

export interface WarmStartProgress {
  /** Supervised updates: finished, and in all. */
  readonly done: number;
  readonly total: number;
  /** [P]: loss of the update before its step, nats; NaN for members that did not learn from it. Absent where none was made. */
  readonly loss?: readonly number[];
  /** Measured meanwhile, in the order of steps; absent where nothing was. */
  readonly readings?: readonly WarmStartReading[];
}

/** Number of supervised updates that an experiment begins with. */
export function warmStartUpdates({ arms, warmStart }: Pick<Experiment, 'arms' | 'warmStart'>): number {
  return arms.some((arm) => arm.warmStart !== 'none' && !isFixed(arm)) ? warmStart.updates : 0;
}

export class WarmStart {
  readonly #training: TrainedPopulation;
  readonly #measure: WarmStartMeasure;
  readonly #imitation: Imitation;
  readonly #innerEpochs: readonly number[];
  readonly #end: Program;
  #done = 0;

  /** Uses the trajectories and the hyperparameter tensor of the training that follows; records one program. */
  constructor(training: TrainedPopulation, state: OptimiserState, measure: WarmStartMeasure) {
    const { backend, environment, members, experiment } = training;
    this.#training = training;
    this.#measure = measure;
    this.#imitation = new Imitation(environment, experiment);
    this.#innerEpochs = this.#tokensIn(0).map((tokens) => (tokens === 'none' ? 0 : 1));
    this.#end = backend.record('end of the warm start', members.length, (ops) => {
      for (const tensor of [state.firstMoment, state.secondMoment, state.step]) ops.fill(tensor, 0);
      ops.copy(state.reference, state.parameters);
    });
  }

  /** [P]: tokens that each member learns from in a step. */
  #tokensIn(step: number): readonly ImitatedTokens[] {
    const { members, experiment } = this.#training;
    const { arms, warmStart } = experiment;
    return members.map(({ armIndex }) => tokensInStep(arms[armIndex]?.warmStart ?? 'none', step, warmStart));
  }

  #imitating(step: number): readonly Arm[] {
    const { arms, warmStart } = this.#training.experiment;
    return arms.map((arm) => imitating(arm, tokensInStep(arm.warmStart, step, warmStart), warmStart));
  }

  /** Makes one supervised update; after the last one the optimiser begins again. */
  async step(): Promise<WarmStartProgress> {
    const total = this.#training.experiment.warmStart.updates;
    if (this.#done >= total) return { done: this.#done, total };
    const readings = [...(await this.#read())];
    const loss = await this.#learn();
    this.#done += 1;
    if (this.#done === total) {
      readings.push(...(await this.#read()));
      this.#training.backend.run(this.#end);
    }
    return { done: this.#done, total, loss, ...(readings.length > 0 && { readings }) };
  }

  /** Learns one step; returns each member's loss before it, [P]. */
  async #learn(): Promise<number[]> {
    const { backend, members, trajectories, update } = this.#training;
    const rows = hyperparameters(members, this.#imitating(this.#done));
    this.#demonstrate();
    backend.write(update.hyper, rows);
    const needs = needsOf(rows);
    const options = { innerEpochs: this.#innerEpochs, needs, reference: false, diagnostics: false };
    const learn = this.#innerEpochs.some((epochs) => epochs > 0);
    const { firstTerms } = learn ? await update.run(trajectories, options) : { firstTerms: [] };
    return this.#innerEpochs.map((epochs, p) =>
      epochs > 0 ? (firstTerms[p * TERM_COLUMNS + TERM.crossEntropyLoss] as number) : Number.NaN,
    );
  }

  /** Writes the next step's demonstrations over the trajectories. */
  #demonstrate(): void {
    const { members, trajectories } = this.#training;
    trajectories.clear();
    this.#imitation.play(trajectories, members, this.#tokensIn(this.#done), this.#done);
  }

  /** The reading that is due before the next step, if there is one. */
  async #read(): Promise<readonly WarmStartReading[]> {
    if (!this.#measure.isDue(this.#done)) return [];
    return [await this.#measure.read(this.#done, () => this.#demonstrate())];
  }
}
