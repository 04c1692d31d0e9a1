/**
 * The losses of training on a batch of another trainer: its numbers laid out as those of an update, and the operations of an
 * update recorded on them (rl/learn), but for the passes over a policy.
 */
import type { Arm } from '../../experiment/experiment';
import { FORMULA_TERM } from '../../formula/packing';
import { allocateBatch, type BatchTensors, writeBatch } from '../../rl/learn/batch';
import { type LossTensors, recordLosses } from '../../rl/learn/losses';
import { objectiveScratch, recordAdvantages, recordLossWeights } from '../../rl/learn/lossWeights';
import { allocateMicrobatch, type Microbatch, packMicrobatch } from '../../rl/learn/microbatches';
import { needsOf } from '../../rl/learn/needs';
import { OwnLosses } from '../../rl/learn/ownLosses';
import { hyperparameters, type Member } from '../../rl/population';
import type { Tensor } from '../../tensor/backend';
import { GROUP, GROUP_COLUMNS, TERM, TERM_COLUMNS } from '../../tensor/columns';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS } from '../../tensor/layout';
import { SEGMENT_COLUMNS } from '../../tensor/operations/policyObjective';
import { ReferenceBackend } from '../../tensor/reference/backend';
import type { KeptTrajectory } from './kept';
import type { GivenColumns } from './lacks';
import { laidOut } from './laidOut';

type F32 = Tensor<'f32'>;

/** The loss of a whole batch under one objective. */
export interface LossOutcome {
  readonly loss: { readonly policy: number; readonly prediction: number; readonly kl: number };
  /** Tokens whose gradient the surrogate's bound acts on; null for a formula, which has none. */
  readonly clipped: number | null;
  /** ∂loss/∂logp of each token, [B, T], and its weight in the policy loss. */
  readonly gradient: Float64Array;
  readonly weight: Float64Array;
}

const MEMBER: readonly Member[] = [{ armIndex: 0, arm: 'asked', seed: 0 }];

export class WhatIfEngine {
  readonly trajectories: readonly KeptTrajectory[];
  /** Tokens of the longest trajectory, T. */
  readonly context: number;
  readonly #backend = new ReferenceBackend();
  readonly #isFromRewards: boolean;
  readonly #batch: BatchTensors;
  readonly #microbatches: readonly Microbatch[];
  readonly #own: OwnLosses;
  readonly #tensors: LossTensors;
  readonly #logProb: Float64Array;
  readonly #hyper: F32;
  readonly #scratch: F32;
  readonly #sums: F32;
  readonly #sequenceSums: F32;
  readonly #gradient: F32;

  constructor(trajectories: readonly KeptTrajectory[], given: GivenColumns) {
    const backend = this.#backend;
    const laid = laidOut(trajectories, given);
    const { count: B, context: T, maxTurns: turns, starts } = laid.trajectories;
    this.trajectories = trajectories;
    this.context = T;
    this.#isFromRewards = given.rewards;
    this.#logProb = laid.logProb;
    const tensor = (label: string, stride: number): F32 => backend.tensor(label, 'f32', 1, stride);
    const groupStart = backend.tensor('groupStart', 'u32', 1, starts.length);
    backend.write(groupStart, Uint32Array.from(starts));
    const groups = starts.length - 1;
    this.#batch = {
      ...allocateBatch(backend, { members: 1, groups: B, groupSize: 1, context: T, turns }),
      ...{ groupStart, groups, group: tensor('group', groups * GROUP_COLUMNS) },
    };
    writeBatch(backend, this.#batch, laid.trajectories);
    const { dense } = this.#batch;
    for (const [name, values] of Object.entries(laid.dense)) {
      backend.write(dense[name as keyof typeof laid.dense], values);
    }
    const sequences = Math.min(GRADIENT_CHUNK, B);
    const plan = { trajectories: sequences, microbatches: Math.ceil(B / sequences), chunks: 1, bytes: 0 };
    this.#microbatches = Array.from({ length: plan.microbatches }, (_, i) =>
      allocateMicrobatch(backend, 1, plan, i, T),
    );
    for (const microbatch of this.#microbatches) packMicrobatch(backend, microbatch, laid.trajectories);
    this.#hyper = tensor('hyper', HYPER_COLUMNS);
    this.#own = new OwnLosses(backend, { members: MEMBER, plan, batch: this.#batch, hyper: this.#hyper });
    const R = sequences * T;
    this.#tensors = {
      ...{ logProb: tensor('logProb', R), entropy: tensor('entropy', R) },
      ...{ dLogProb: tensor('dLogProb', R), dEntropy: tensor('dEntropy', R) },
      ...{ segments: tensor('segments', R * SEGMENT_COLUMNS), terms: tensor('terms', R * TERM_COLUMNS) },
    };
    this.#scratch = tensor('scratch', objectiveScratch(this.#batch, turns));
    this.#sums = tensor('sums', TERM_COLUMNS);
    this.#sequenceSums = tensor('sequenceSums', sequences * TERM_COLUMNS);
    this.#gradient = tensor('gradient', B * T);
  }

  /** Call it once at a time. The arm's entropy bonus is left out: entropies are not known, and it does not act on log-probs. */
  async run(arm: Arm): Promise<LossOutcome> {
    const backend = this.#backend;
    const [batch, hyper, scratch, own] = [this.#batch, this.#hyper, this.#scratch, this.#own];
    const row = hyperparameters(MEMBER, [arm]);
    row[HYPER.entropyCoefficient] = row[HYPER.entropyThought] = 0;
    // An objective without a length of its own takes the batch's longest response as the longest possible.
    row[HYPER.lengthDenominator] ||= this.context - 1;
    backend.write(hyper, row);
    own.arrange([arm]);
    const losses = own.isEmpty ? null : own;
    losses?.write({ arms: [arm], update: 0, successRates: [0] });
    if (!this.#isFromRewards) this.#keepAllTokens();
    const begin = backend.record('weights', 1, (ops) => {
      if (this.#isFromRewards) recordAdvantages(ops, batch, scratch, hyper);
      recordLossWeights(ops, batch, scratch, losses?.labHyper ?? hyper);
      losses?.recordInputs(ops, scratch);
      losses?.recordBegin(ops);
      if (needsOf(row).selection) ops.selectTokens(batch.dense.selection, scratch, batch, batch.dense, hyper);
      losses?.recordHeld(ops, false);
    });
    backend.run(begin);
    for (const [index, microbatch] of this.#microbatches.entries()) {
      this.#layLogProbs(microbatch);
      const program = backend.record('losses', 1, (ops) => {
        recordLosses(ops, batch, microbatch, this.#tensors, hyper, losses);
        const { terms, dLogProb } = this.#tensors;
        ops.sumColumns(this.#sums, this.#sequenceSums, terms, microbatch.rows, { accumulate: index > 0 });
        ops.scatterRows(this.#gradient, dLogProb, microbatch.rows, batch.context);
        losses?.recordSums(ops, microbatch, 'first', index > 0);
      });
      backend.run(program);
    }
    return await this.#read(arm, losses);
  }

  async #read(arm: Arm, losses: OwnLosses | null): Promise<LossOutcome> {
    const { policyWeight } = this.#batch.dense;
    const [sums, gradient, weight] = await this.#backend.read(this.#sums, this.#gradient, policyWeight);
    const formulas = (await losses?.read()) ?? [];
    const ofFormulas = (place: 'policy' | 'predict'): number =>
      formulas
        .filter(({ find }) => find(arm)?.place === place)
        .reduce((sum, { first }) => sum + (first[FORMULA_TERM.loss] ?? 0), 0);
    const sum = (column: number): number => sums[column] ?? 0;
    return {
      loss: {
        policy: sum(TERM.policyLoss) + ofFormulas('policy'),
        prediction: sum(TERM.crossEntropyLoss) + ofFormulas('predict'),
        kl: sum(TERM.regulariserLoss),
      },
      clipped: losses === null ? sum(TERM.clipped) : null,
      gradient: Float64Array.from(gradient),
      weight: Float64Array.from(weight),
    };
  }

  /** Without rewards: marks every group kept and every token selected, so that the recorded advantages are used. */
  #keepAllTokens(): void {
    const group = new Float64Array(this.#batch.groups * GROUP_COLUMNS);
    for (let at = GROUP.kept; at < group.length; at += GROUP_COLUMNS) group[at] = 1;
    this.#backend.write(this.#batch.group, group);
    this.#backend.write(this.#batch.dense.selection, new Float64Array(this.#batch.dense.selection.stride).fill(1));
  }

  #layLogProbs({ first, rows, host }: Microbatch): void {
    const packed = new Float64Array(rows.capacity);
    for (let s = 0; s < rows.sequences; s++) {
      const dense = (first + s) * this.context;
      const [from = 0, to = from] = host.start.subarray(s, s + 2);
      packed.set(this.#logProb.subarray(dense, dense + to - from), from);
    }
    this.#backend.write(this.#tensors.logProb, packed);
  }
}
