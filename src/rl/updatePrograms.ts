/**
 * The programs of an update, recorded once for every microbatch: scores, loss weights, derivatives and optimiser steps.
 * update.ts runs them in order.
 */
import { type ParameterLayout, parameterViews } from '../policy/parameters';
import type { Backend, Operations, Program, Tensor } from '../tensor/backend';
import { TERM_COLUMNS } from '../tensor/columns';
import type { BatchTensors } from './learn/batch';
import { objectiveScratch, recordAdvantages, recordLossWeights } from './learn/lossWeights';
import type { Microbatch } from './learn/microbatches';
import type { FindParameter, Passes, Trained } from './learn/passes';
import type { Plan } from './plan';

type F32 = Tensor<'f32'>;

export interface OptimiserState {
  readonly parameters: F32;
  readonly firstMoment: F32;
  readonly secondMoment: F32;
  /** AdamW steps taken, [P, 1]. */
  readonly step: F32;
  /** The policy the KL is measured against, [P, N]. */
  readonly reference: F32;
}

/** Programs of the trained parts, recorded with a critic and formulas or without: these cost nothing where no arm has one. */
export interface StepPrograms {
  /** Program of a batch's beginning: advantages, and the factors of each token's losses. */
  readonly begin: Program;
  /** Second part of `begin` alone: the factors of the losses, from the present hyperparameters. */
  readonly weights: Program;
  /** Values of formulas that are held fixed: before the first inner step, and before each later one. */
  readonly held: Program;
  readonly heldLater: Program;
  /** Gradient of the world-model loss alone. */
  readonly worldModel: readonly Program[];
  readonly first: readonly Program[];
  /** Programs `first` after `score`, whose forward pass they use; null where other microbatches have overwritten it. */
  readonly firstScored: readonly Program[] | null;
  readonly later: readonly Program[];
  /** Programs `later` after `selection`, whose forward pass they use; null like those. */
  readonly laterScored: readonly Program[] | null;
}

export interface UpdateProgramsOptions {
  readonly members: number;
  readonly plan: Plan;
  readonly layout: ParameterLayout;
  readonly state: OptimiserState;
  readonly batch: BatchTensors;
  readonly microbatches: readonly Microbatch[];
  readonly passes: Passes;
  readonly hyper: F32;
  /** u32 [P, 1]: 1 for members that take part in an inner step. */
  readonly active: Tensor<'u32'>;
}

export class UpdatePrograms {
  /** Sums of TERM columns over the first inner step, and over all later ones. */
  readonly firstTerms: F32;
  readonly laterTerms: F32;
  readonly firstNorm: F32;
  readonly policyNorm: F32;
  readonly worldModelNorm: F32;
  /** The whole gradient, and its world-model part: [P, N]. */
  readonly gradients: F32;
  readonly worldModelGradients: F32;
  /** Scratch of gradientNorm. */
  readonly normScratch: F32;
  readonly reference: readonly Program[];
  readonly score: readonly Program[];
  /** Scores without values and Σ p², before each later step that selects tokens. */
  readonly selection: readonly Program[];
  /** Makes the log-probs and entropies of the present policy those of the old one. */
  readonly keepAsOld: Program;
  readonly select: Program;
  readonly worldModelFinish: Program;
  readonly splitNorms: Program;
  readonly firstStep: Program;
  readonly laterStep: Program;
  readonly #backend: Backend;
  readonly #options: UpdateProgramsOptions;
  readonly #policy: FindParameter;
  readonly #sequenceSums: F32;
  readonly #scratch: F32;

  /** Allocates all tensors and records all programs but those of recordSteps(). */
  constructor(backend: Backend, options: UpdateProgramsOptions) {
    const { members: P, plan, layout, state, batch, passes, hyper, active } = options;
    const { dense } = batch;
    const N = layout.size;
    const tensor = (label: string, stride: number): F32 => backend.tensor(label, 'f32', P, stride);
    const record = (label: string, build: (ops: Operations) => void): Program => backend.record(label, P, build);
    this.#backend = backend;
    this.#options = options;
    this.#policy = parameterViews(layout, state.parameters);
    this.firstTerms = tensor('firstTerms', TERM_COLUMNS);
    this.laterTerms = tensor('laterTerms', TERM_COLUMNS);
    this.#sequenceSums = tensor('sequenceSums', plan.trajectories * TERM_COLUMNS);
    const scratch = tensor('objectiveScratch', objectiveScratch(batch, batch.turns));
    this.#scratch = scratch;
    this.gradients = tensor('gradients', N);
    this.worldModelGradients = tensor('worldModelGradients', N);
    const laterNorm = tensor('norm', 1);
    this.normScratch = tensor('normScratch', Math.ceil(N / 1024));
    this.firstNorm = tensor('firstNorm', 1);
    this.policyNorm = tensor('policyNorm', 1);
    this.worldModelNorm = tensor('worldModelNorm', 1);

    const reference = parameterViews(layout, state.reference);
    this.reference = this.#each('reference log-probs', (ops, microbatch) => {
      passes.score(ops, reference, microbatch);
      passes.keepLogProb(ops, microbatch, dense.referenceLogProb);
    });
    this.score = this.#each('scores of the policy', (ops, microbatch) => {
      passes.score(ops, this.#policy, microbatch);
      passes.keepLogProb(ops, microbatch, dense.logProb);
      passes.keepEntropy(ops, microbatch);
      passes.keepDetails(ops, this.#policy, microbatch);
    });
    this.selection = this.#each('log-probs to choose by', (ops, microbatch) => {
      passes.score(ops, this.#policy, microbatch);
      passes.keepLogProb(ops, microbatch, dense.logProb);
      passes.keepEntropy(ops, microbatch);
    });
    this.keepAsOld = record('old log-probs and entropies', (ops) => {
      ops.copy(dense.oldLogProb, dense.logProb);
      ops.copy(dense.oldEntropy, dense.entropy);
    });
    this.select = record('choice of tokens', (ops) => {
      ops.selectTokens(dense.selection, scratch, batch, dense, hyper);
    });
    this.worldModelFinish = record('world-model gradient norm', (ops) => {
      ops.gradientNorm(this.worldModelNorm, this.normScratch, this.worldModelGradients, null);
    });
    this.splitNorms = record('policy gradient norm', (ops) => {
      ops.gradientNorm(this.policyNorm, this.normScratch, this.gradients, this.worldModelGradients);
    });
    const step = (ops: Operations, norm: F32): void => {
      const { parameters, firstMoment, secondMoment, step: steps } = state;
      ops.gradientNorm(norm, this.normScratch, this.gradients, null);
      ops.adamW(parameters, firstMoment, secondMoment, steps, this.gradients, norm, hyper, active);
    };
    this.firstStep = record('first optimiser step', (ops) => step(ops, this.firstNorm));
    this.laterStep = record('optimiser step', (ops) => step(ops, laterNorm));
  }

  /** Records log-probs of the policy in training, into a tensor [P, B, T]. */
  recordScores(label: string, target: F32): readonly Program[] {
    const { passes } = this.#options;
    return this.#each(label, (ops, microbatch) => {
      passes.score(ops, this.#policy, microbatch);
      passes.keepLogProb(ops, microbatch, target);
    });
  }

  recordSteps(trained: Trained): StepPrograms {
    const { passes, batch, hyper } = this.#options;
    const { dense } = batch;
    const { critic, ownLosses } = trained;
    const once = (label: string, build: (ops: Operations) => void): Program =>
      this.#backend.record(label, this.#options.members, build);
    const [policy, gradients, sums] = [this.#policy, this.gradients, this.#sequenceSums];
    const differentiate = (ops: Operations, microbatch: Microbatch, index: number): void => {
      passes.objective(ops, policy, microbatch, trained);
      passes.backward(ops, policy, microbatch, gradients, { critic, accumulate: index > 0 });
    };
    const first = (isScored: boolean): Program[] =>
      this.#each('first inner step', (ops, microbatch, index) => {
        if (!isScored) passes.score(ops, policy, microbatch);
        // The old policy is this one and scored by the same pass, so the first ratio is exactly 1, on observations too.
        passes.keepLogProb(ops, microbatch, dense.oldLogProb);
        differentiate(ops, microbatch, index);
        ops.sumColumns(this.firstTerms, sums, passes.terms, microbatch.rows, { accumulate: index > 0 });
        ownLosses?.recordSums(ops, microbatch, 'first', index > 0);
      });
    const later = (isScored: boolean): Program[] =>
      this.#each('inner step', (ops, microbatch, index) => {
        if (!isScored) passes.score(ops, policy, microbatch);
        passes.keepLogProb(ops, microbatch, dense.logProb);
        differentiate(ops, microbatch, index);
        ops.sumColumns(this.laterTerms, sums, passes.terms, microbatch.rows, { accumulate: true });
        ownLosses?.recordSums(ops, microbatch, 'later', true);
      });
    // A forward pass of several microbatches leaves only the last one's activations.
    const isKept = this.#options.microbatches.length === 1;
    const weigh = (ops: Operations): void => {
      recordLossWeights(ops, batch, this.#scratch, ownLosses?.labHyper ?? hyper);
      ownLosses?.recordInputs(ops, this.#scratch);
    };
    return {
      begin: once('advantages and loss weights', (ops) => {
        recordAdvantages(ops, batch, this.#scratch, hyper);
        weigh(ops);
        ownLosses?.recordBegin(ops);
        ops.fill(this.laterTerms, 0);
      }),
      weights: once('loss weights', weigh),
      held: once('fixed values of formulas', (ops) => ownLosses?.recordHeld(ops, false)),
      heldLater: once('fixed values of formulas, again', (ops) => ownLosses?.recordHeld(ops, true)),
      worldModel: this.#each('world-model gradient', (ops, microbatch, index) => {
        passes.score(ops, policy, microbatch);
        passes.keepLogProb(ops, microbatch, dense.oldLogProb);
        passes.worldModelObjective(ops, microbatch, trained);
        passes.backward(ops, policy, microbatch, this.worldModelGradients, { critic, accumulate: index > 0 });
      }),
      first: first(false),
      firstScored: isKept ? first(true) : null,
      later: later(false),
      laterScored: isKept ? later(true) : null,
    };
  }

  #each(label: string, build: (ops: Operations, microbatch: Microbatch, index: number) => void): Program[] {
    const { members, microbatches } = this.#options;
    return microbatches.map((microbatch, index) =>
      this.#backend.record(label, members, (ops) => build(ops, microbatch, index)),
    );
  }
}
