/**
 * The loss of inverse dynamics: forward and backward passes over windows (windows.ts) with the policy's own weights, whose
 * gradient is added to that of the batch before the optimiser's step. Made only once an arm has a weight: without it there is no
 * pass, no memory and no bit of difference.
 */
import type { Backend, Program, Tensor } from '../../../tensor/backend';
import { TERM, TERM_COLUMNS } from '../../../tensor/columns';
import { HYPER, HYPER_COLUMNS } from '../../../tensor/layout';
import type { Plan } from '../../plan';
import { Trajectories } from '../../play/trajectories';
import type { BatchTensors } from '../batch';
import { allocateMicrobatch, type Microbatch, packMicrobatch } from '../microbatches';
import type { FindParameter, Passes } from '../passes';
import { drawWindows, type WindowOptions } from './windows';

type F32 = Tensor<'f32'>;

export interface InverseDynamicsOptions {
  readonly members: number;
  readonly plan: Plan;
  readonly batch: BatchTensors;
  readonly passes: Passes;
  readonly policy: FindParameter;
  /** The batch's gradient, [P, N], to which that of the windows is added. */
  readonly gradients: F32;
}

export class InverseDynamics {
  /** Passes of the first inner step, and of each later one, after those of the batch. */
  readonly first: readonly Program[];
  readonly later: readonly Program[];
  readonly #backend: Backend;
  readonly #windows: Trajectories;
  readonly #microbatches: readonly Microbatch[];
  readonly #weight: F32;
  readonly #sums: F32;
  #counts: Float64Array = new Float64Array();

  /** Records its programs: prepare the backend next. */
  constructor(backend: Backend, options: InverseDynamicsOptions) {
    const { members, plan, batch, passes, policy, gradients } = options;
    const { trajectories, context, turns } = batch;
    const tensor = (label: string, stride: number): F32 => backend.tensor(`inverse.${label}`, 'f32', members, stride);
    this.#backend = backend;
    this.#windows = new Trajectories(members, trajectories, context, turns);
    this.#microbatches = Array.from({ length: plan.microbatches }, (_, index) =>
      allocateMicrobatch(backend, members, plan, index, context, 'inverse'),
    );
    this.#weight = tensor('weight', trajectories * context);
    this.#sums = tensor('sums', TERM_COLUMNS);
    const sequenceSums = tensor('sequenceSums', plan.trajectories * TERM_COLUMNS);
    // No setting of an arm changes this loss: all columns are 0, which is cross-entropy without other losses.
    const hyper = tensor('hyper', HYPER_COLUMNS);
    const table = new Float32Array(members * HYPER_COLUMNS);
    for (let p = 0; p < members; p++) table[p * HYPER_COLUMNS + HYPER.temperature] = 1;
    backend.write(hyper, table);
    const record = (isFirst: boolean): readonly Program[] =>
      this.#microbatches.map((microbatch, index) =>
        backend.record('inverse dynamics', members, (ops) => {
          passes.score(ops, policy, microbatch, hyper);
          passes.predict(ops, microbatch, this.#weight, hyper);
          // The critic's derivatives are 0, so that those of the batch are not counted twice.
          passes.backward(ops, policy, microbatch, gradients, { critic: true, accumulate: true }, hyper);
          if (!isFirst) return;
          ops.sumColumns(this.#sums, sequenceSums, passes.terms, microbatch.rows, { accumulate: index > 0 });
        }),
      );
    this.first = record(true);
    this.later = record(false);
  }

  /** Draws the windows of a batch and lays them on the device. */
  lay(trajectories: Trajectories, options: WindowOptions): void {
    const { weight, counts } = drawWindows(this.#windows, trajectories, options);
    this.#counts = counts;
    this.#backend.write(this.#weight, weight);
    for (const microbatch of this.#microbatches) packMicrobatch(this.#backend, microbatch, this.#windows);
  }

  /** Mean −log p of the actions in the first inner step that was submitted last, [P]; NaN for members without a window. */
  async read(): Promise<Float64Array> {
    const counts = this.#counts;
    const [sums] = await this.#backend.read(this.#sums);
    return counts.map((count, p) => sums[p * TERM_COLUMNS + TERM.observationNll] / count);
  }
}
