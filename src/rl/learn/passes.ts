/**
 * Passes over the policy, for one microbatch each: scoring (forward, log-probs) and differentiating (objective, backward).
 * Their operations are recorded in the order of the loss and its derivative:
 *   segments → policy gradient → KL and entropy → world model → (critic) → log-softmax → transformer
 */

import type { DivergenceName } from '../../hyperparameters/distillation';
import { type Activations, allocateActivations, allocateScratch, type GradientScratch } from '../../policy/activations';
import { recordBackward } from '../../policy/backward';
import type { PolicyConfiguration } from '../../policy/configuration';
import { recordBlock, recordHead, recordTrunk } from '../../policy/forward';
import type { ParameterLayout } from '../../policy/parameters';
import type { Backend, Operations, ParameterView, Rows, Tensor } from '../../tensor/backend';
import { TERM_COLUMNS } from '../../tensor/columns';
import { SEGMENT_COLUMNS } from '../../tensor/operations/policyObjective';
import type { Plan } from '../plan';
import type { BatchTensors } from './batch';
import { type LossTensors, recordCrossEntropy, recordFormulas, recordLosses } from './losses';
import type { Microbatch } from './microbatches';
import type { OwnLosses } from './ownLosses';

type F32 = Tensor<'f32'>;
export type FindParameter = (name: string) => ParameterView;

/** Parts that are trained besides the lab's own losses of policy and world model. */
export interface Trained {
  readonly critic: boolean;
  /** Users' losses; null where no arm has a formula. */
  readonly ownLosses: OwnLosses | null;
}

export class Passes {
  readonly #configuration: PolicyConfiguration;
  readonly #batch: BatchTensors;
  readonly #hyper: F32;
  readonly #losses: LossTensors;
  readonly #legalSets: Tensor<'u32'>;
  readonly #chunks: number;
  readonly #activations: Activations;
  readonly #scratch: GradientScratch;
  /** Stored logits; null where the head is swept. */
  readonly #stored: F32 | null;
  readonly #isFrozen: boolean;
  readonly #logSumExp: F32;
  readonly #sumOfSquares: F32;
  readonly #value: F32;
  readonly #dValue: F32;
  readonly #partials: F32;

  constructor(
    backend: Backend,
    configuration: PolicyConfiguration,
    layout: ParameterLayout,
    members: number,
    plan: Plan,
    batch: BatchTensors,
    hyper: F32,
    legalSets: Tensor<'u32'>,
  ) {
    const R = plan.trajectories * configuration.context;
    const tensor = (label: string, stride: number): F32 => backend.tensor(label, 'f32', members, stride);
    this.#configuration = configuration;
    this.#batch = batch;
    this.#hyper = hyper;
    this.#legalSets = legalSets;
    this.#chunks = plan.chunks;
    const { recomputes: recompute } = plan;
    this.#activations = allocateActivations(backend, configuration, members, R, {
      keep: true,
      recompute,
      label: 'train',
    });
    this.#scratch = allocateScratch(backend, configuration, members, R);
    this.#stored = plan.isTiled ? null : tensor('logits', R * configuration.vocabulary);
    this.#isFrozen = configuration.adapters !== undefined;
    this.#losses = {
      logProb: tensor('logProb', R),
      entropy: tensor('entropy', R),
      dLogProb: tensor('dLogProb', R),
      dEntropy: tensor('dEntropy', R),
      segments: tensor('segments', R * SEGMENT_COLUMNS),
      terms: tensor('terms', R * TERM_COLUMNS),
    };
    this.#logSumExp = tensor('logSumExp', 2 * R);
    this.#sumOfSquares = tensor('sumOfSquares', R);
    this.#value = tensor('value', R);
    this.#dValue = tensor('dValue', R);
    this.#partials = tensor('partials', plan.chunks * layout.size);
  }

  get terms(): F32 {
    return this.#losses.terms;
  }

  /** Activations of the last forward pass, layer by layer. */
  get activations(): Activations {
    return this.#activations;
  }

  /** Forward pass up to the last hidden state. */
  trunk(ops: Operations, parameter: FindParameter, { rows }: Microbatch): void {
    recordTrunk(ops, this.#configuration, parameter, this.#activations, rows, null);
  }

  /** Computes a layer again after a forward pass that kept no more than its input. */
  layerAgain(ops: Operations, parameter: FindParameter, { rows }: Microbatch, layer: number): void {
    if (!this.#activations.isRecomputed) return;
    recordBlock(ops, this.#configuration, parameter, this.#activations, rows, layer, null);
  }

  /** Forward pass and masked log-probs of a microbatch under the given parameters. */
  score(ops: Operations, parameter: FindParameter, microbatch: Microbatch, hyper: F32 = this.#hyper): void {
    const { rows } = microbatch;
    const { finalNorm } = this.#activations;
    this.trunk(ops, parameter, microbatch);
    const scored = [this.#losses.logProb, this.#losses.entropy, this.#logSumExp] as const;
    if (this.#stored === null) {
      ops.fusedLogProb(...scored, finalNorm, rows, parameter('head.weight'), this.#legalSets, hyper);
    } else {
      recordHead(ops, parameter, this.#stored, finalNorm, rows);
      ops.maskedLogProb(...scored, this.#stored, rows, this.#legalSets, hyper, this.#configuration.vocabulary);
    }
  }

  /** Throws RangeError where none are stored: experiments that need them are refused (experiment/combinations.ts). */
  get #logits(): F32 {
    if (this.#stored === null) throw new RangeError('No logits are stored for so large a vocabulary.');
    return this.#stored;
  }

  /** Copies the log-probs of score() into a tensor of the whole batch. */
  keepLogProb(ops: Operations, { rows }: Microbatch, target: F32): void {
    ops.scatterRows(target, this.#losses.logProb, rows, this.#batch.context);
  }

  /** Copies the entropies of score() into the batch. */
  keepEntropy(ops: Operations, { rows }: Microbatch): void {
    ops.scatterRows(this.#batch.dense.entropy, this.#losses.entropy, rows, this.#batch.context);
  }

  /** Copies Σ p² and values into the batch, for advantages: of the acting policy, never of a later one. */
  keepDetails(ops: Operations, parameter: FindParameter, { rows }: Microbatch): void {
    const { dense, context } = this.#batch;
    const { vocabulary } = this.#configuration;
    if (this.#stored !== null) {
      const logits = [this.#logSumExp, this.#stored, rows, this.#legalSets, this.#hyper, vocabulary] as const;
      ops.sumOfSquares(this.#sumOfSquares, ...logits);
      ops.scatterRows(dense.sumOfSquares, this.#sumOfSquares, rows, context);
    }
    const hidden = this.#activations.finalNorm;
    ops.valueHead(this.#value, hidden, rows, parameter('value.weight'), parameter('value.bias'));
    ops.scatterRows(dense.oldValue, this.#value, rows, context);
  }

  /** The loss after score(): its terms, and its derivatives by log-prob, entropy and value. */
  objective(ops: Operations, parameter: FindParameter, microbatch: Microbatch, { critic, ownLosses }: Trained): void {
    const { dense, context } = this.#batch;
    const { rows } = microbatch;
    recordLosses(ops, this.#batch, microbatch, this.#losses, this.#hyper, ownLosses);
    if (!critic) return;
    const hidden = this.#activations.finalNorm;
    ops.valueHead(this.#value, hidden, rows, parameter('value.weight'), parameter('value.bias'));
    const value = {
      value: this.#value,
      oldValue: dense.oldValue,
      returns: dense.returns,
      actionWeight: dense.actionWeight,
    };
    ops.valueObjective(this.#dValue, this.terms, rows, value, this.#hyper, context);
  }

  /** The world-model loss alone, for its gradient norm. */
  worldModelObjective(ops: Operations, microbatch: Microbatch, { critic, ownLosses }: Trained): void {
    ops.fill(this.#losses.dEntropy, 0);
    // The backward pass writes the value head's gradient too: without this it would count as the world model's.
    if (critic) this.silenceCritic(ops);
    recordCrossEntropy(ops, this.#batch, microbatch, this.#losses, this.#hyper, false);
    if (ownLosses !== null) recordFormulas(ops, this.#batch, microbatch, this.#losses, ownLosses, ['predict']);
  }

  /** Cross-entropy alone after score(), each token's by its weight [P, B, T], of rows that are not the batch's own. */
  predict(ops: Operations, microbatch: Microbatch, crossEntropyWeight: F32, hyper: F32): void {
    ops.fill(this.#losses.dEntropy, 0);
    this.silenceCritic(ops);
    recordCrossEntropy(ops, this.#batch, microbatch, this.#losses, hyper, false, crossEntropyWeight);
  }

  /** Logits of a microbatch under the given parameters, each of `picks` from the row that it names, into `logits`. */
  say(ops: Operations, parameter: FindParameter, microbatch: Microbatch, picks: Rows, logits: F32): void {
    this.trunk(ops, parameter, microbatch);
    recordHead(ops, parameter, this.#logits, this.#activations.finalNorm, microbatch.rows);
    ops.gatherRows(logits, this.#logits, picks);
  }

  /** Forward pass, and the derivatives by logits of its distance from a teacher's, each token's by its weight [P, B, T]. */
  distil(
    ops: Operations,
    parameter: FindParameter,
    microbatch: Microbatch,
    taught: { teacher: F32; distance: F32; weight: F32; divergence: DivergenceName },
  ): void {
    const { rows } = microbatch;
    const { teacher, distance, weight, divergence } = taught;
    this.trunk(ops, parameter, microbatch);
    recordHead(ops, parameter, this.#logits, this.#activations.finalNorm, rows);
    const options = { vocabulary: this.#configuration.vocabulary, divergence, context: this.#batch.context };
    ops.distil(this.#logits, distance, teacher, weight, rows, this.#legalSets, this.#hyper, options);
  }

  /** Sets the derivatives by value to 0. */
  silenceCritic(ops: Operations): void {
    ops.fill(this.#dValue, 0);
  }

  /** Backward pass from an objective's derivatives into `gradients`: added (`accumulate`) or overwritten. */
  backward(
    ops: Operations,
    parameter: FindParameter,
    microbatch: Microbatch,
    gradients: F32,
    options: { critic: boolean; accumulate: boolean },
    hyper: F32 = this.#hyper,
  ): void {
    this.backwardLogits(ops, parameter, microbatch, hyper);
    this.backwardParameters(ops, parameter, microbatch, gradients, options);
  }

  /** First part of backward(): from log-probs and entropies to logits; to the last hidden state where the head is swept. */
  backwardLogits(
    ops: Operations,
    parameter: FindParameter,
    { rows, targets }: Microbatch,
    hyper: F32 = this.#hyper,
  ): void {
    const derivatives = [this.#losses.dLogProb, this.#losses.dEntropy, this.#losses.entropy, this.#logSumExp] as const;
    const { vocabulary } = this.#configuration;
    if (this.#stored === null) {
      const [partials, head] = [this.#isFrozen ? null : this.#partials, parameter('head.weight')];
      const { finalNorm } = this.#activations;
      const { branch } = this.#scratch;
      ops.fusedLogProbBackward(branch, partials, ...derivatives, finalNorm, rows, head, this.#legalSets, hyper);
      return;
    }
    ops.maskedLogProbBackward(this.#logits, ...derivatives, rows, this.#legalSets, hyper, vocabulary, targets);
  }

  /** Second part of backward(): from logits and values to parameters. */
  backwardParameters(
    ops: Operations,
    parameter: FindParameter,
    { rows }: Microbatch,
    gradients: F32,
    options: { critic: boolean; accumulate: boolean },
  ): void {
    const dValue = options.critic ? this.#dValue : null;
    const passes = [this.#activations, this.#scratch, this.#stored, dValue] as const;
    recordBackward(ops, this.#configuration, parameter, ...passes, this.#partials, rows);
    ops.reduceChunks(gradients, this.#partials, this.#chunks, { accumulate: options.accumulate });
  }
}
