/**
 * The loss at single tokens, for a person to look at: one more pass over the microbatch that holds a trajectory, with the
 * policy after its last optimiser step, and one of the reference policy, which the update itself may not have needed. It writes
 * only tensors that every update overwrites before it reads them, so training's numbers stay the same. The program of a microbatch
 * is recorded when it is first looked at.
 */
import { headsOf } from '../../policy/configuration';
import type { Backend, Program, Tensor } from '../../tensor/backend';
import { GROUP, GROUP_COLUMNS, TERM, TERM_COLUMNS } from '../../tensor/columns';
import type { BatchTensors } from '../learn/batch';
import { layWhole, type Microbatch } from '../learn/microbatches';
import type { FindParameter, Passes, Trained } from '../learn/passes';
import { type Attention, BatchAttention } from './attention';
import type { LookedBatch } from './looked';

/** Numbers of a token in the dense layout (batch.ts). */
const OF_BATCH = [
  'oldLogProb',
  'logProb',
  'referenceLogProb',
  'entropy',
  'oldValue',
  'advantage',
  'policyWeight',
  'crossEntropyWeight',
] as const;

/** Numbers of a token in columns of TERM, from the loss's operations. */
const OF_LOSS = [
  'policyLoss',
  'crossEntropyLoss',
  'regulariserLoss',
  'ratio',
  'outside',
  'clipped',
  'clippedLow',
  'clippedHigh',
  'clippedDual',
] as const satisfies readonly (keyof typeof TERM)[];

export const TOKEN_NUMBERS = [...OF_BATCH, ...OF_LOSS] as const;
export type TokenNumber = (typeof TOKEN_NUMBERS)[number];

export interface InspectedTrajectory {
  /** Numbers of each position of the trajectory; unspecified at position 0 and at tokens without a score. */
  readonly numbers: Readonly<Record<TokenNumber, Float32Array>>;
  readonly attention: Attention;
  /** True if all rewards of its group are exactly equal. */
  readonly isEqual: boolean;
  /** True if the group filter kept its group; always true without a filter. */
  readonly isKept: boolean;
}

export class BatchInspection {
  readonly #backend: Backend;
  readonly #members: number;
  readonly #batch: BatchTensors;
  readonly #microbatches: readonly Microbatch[];
  readonly #passes: Passes;
  readonly #policy: FindParameter;
  readonly #attention: BatchAttention;
  readonly #reference: readonly Program[];
  readonly #trained: () => Trained;
  readonly #programs = new Map<Microbatch, { readonly program: Program; readonly trained: Trained }>();

  constructor(backend: Backend, looked: LookedBatch, reference: readonly Program[], trained: () => Trained) {
    const { members, configuration, policy, batch, microbatches, passes } = looked;
    this.#backend = backend;
    this.#members = members;
    this.#batch = batch;
    this.#microbatches = microbatches;
    this.#passes = passes;
    this.#policy = policy;
    this.#reference = reference;
    this.#trained = trained;
    this.#attention = new BatchAttention(
      backend,
      members,
      { heads: headsOf(configuration), context: batch.context },
      passes.activations.layers,
      (ops, microbatch, layer) => passes.layerAgain(ops, policy, microbatch, layer),
    );
  }

  /**
   * Trajectory `slot` of the batch that the last update learned from, for each of these members. Call between updates; the
   * next may begin only when it has resolved.
   */
  async read(members: readonly number[], slot: number): Promise<InspectedTrajectory[]> {
    const microbatch = this.#microbatches.findLast(({ first }) => first <= slot) as Microbatch;
    const program = await this.#program(microbatch);
    // All members take part, those too that sat out the last inner step.
    layWhole(this.#backend, microbatch);
    this.#backend.run(this.#reference[this.#microbatches.indexOf(microbatch)], program);
    const { dense, group } = this.#batch;
    const tensors: Tensor<'f32'>[] = [this.#passes.terms, group, ...OF_BATCH.map((name) => dense[name])];
    const [terms, groups, ...values] = await this.#backend.read(...tensors);
    const attention = await this.#attention.read(members, microbatch, slot);
    return members.map((member, i) => ({
      numbers: this.#numbers(microbatch, member, slot, terms as ArrayLike<number>, values),
      attention: attention[i],
      ...this.#group(groups as ArrayLike<number>, member, slot),
    }));
  }

  async #program(microbatch: Microbatch): Promise<Program> {
    const trained = this.#trained();
    const known = this.#programs.get(microbatch);
    if (known?.trained === trained) return known.program;
    const passes = this.#passes;
    const program = this.#backend.record('numbers of single tokens', this.#members, (ops) => {
      passes.score(ops, this.#policy, microbatch);
      passes.keepLogProb(ops, microbatch, this.#batch.dense.logProb);
      passes.keepEntropy(ops, microbatch);
      passes.objective(ops, this.#policy, microbatch, { ...trained, critic: false });
    });
    this.#programs.set(microbatch, { program, trained });
    await this.#backend.prepare();
    return program;
  }

  #numbers(
    { first, rows, host }: Microbatch,
    member: number,
    slot: number,
    terms: ArrayLike<number>,
    values: readonly ArrayLike<number>[],
  ): Record<TokenNumber, Float32Array> {
    const { context, trajectories } = this.#batch;
    const dense = (member * trajectories + slot) * context;
    const start = host.start.subarray(member * (rows.sequences + 1) + slot - first);
    const row = member * rows.capacity + start[0];
    const length = start[1] - start[0];
    const ofBatch = OF_BATCH.map(
      (name, i) => [name, Float32Array.from({ length }, (_, t) => values[i][dense + t])] as const,
    );
    const ofLoss = OF_LOSS.map(
      (name) => [name, Float32Array.from({ length }, (_, t) => terms[(row + t) * TERM_COLUMNS + TERM[name]])] as const,
    );
    return Object.fromEntries([...ofBatch, ...ofLoss]) as Record<TokenNumber, Float32Array>;
  }

  #group(groups: ArrayLike<number>, member: number, slot: number): Pick<InspectedTrajectory, 'isEqual' | 'isKept'> {
    const size = this.#batch.trajectories / this.#batch.groups;
    const from = (member * this.#batch.groups + Math.floor(slot / size)) * GROUP_COLUMNS;
    return { isEqual: groups[from + GROUP.equal] === 1, isKept: groups[from + GROUP.kept] === 1 };
  }
}
