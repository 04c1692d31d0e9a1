/**
 * Losses that are formulas (src/formula) in an update: the instances that the arms of a population need, their tensors
 * on the device, and their part in the passes. Arms of one text share an instance, so that they train in one dispatch;
 * an arm with a text twice has two. Tensors of an instance that is given up are taken over by the next text of the same
 * size.
 */

import { formulaOf, type OwnLoss, parameterValues } from '../../experiment/arm/ownLosses';
import type { Arm } from '../../experiment/experiment';
import type { Formula } from '../../formula/compile';
import { type Fault, firstFault } from '../../formula/fault';
import { parameterRow } from '../../formula/packing';
import type { Backend, FloatData, Operations, Tensor } from '../../tensor/backend';
import { HYPER_COLUMNS } from '../../tensor/layout';
import { wholeBatch } from '../../tensor/objective/formula/members';
import {
  FORMULA_PARAMETERS,
  FORMULA_TERM_COLUMNS,
  type FormulaPolicy,
  formulaFloats,
} from '../../tensor/operations/formula';
import type { Plan } from '../plan';
import { lossHyperparameters, type Member, ownedHyperparameters } from '../population';
import type { FormulaUpdate } from '../updateContract';
import type { BatchTensors } from './batch';
import { finder, type LossKind, type WantedLoss, wantedLosses } from './lossInstances';
import type { Microbatch } from './microbatches';
import { type Minibatches, weighedForMinibatches } from './minibatches';

type F32 = Tensor<'f32'>;

interface Storage {
  readonly packed: F32;
  readonly weight: F32;
  readonly parameters: F32;
  readonly hyper: F32;
  readonly terms: F32;
  /** Sums of terms over the first inner step, and over all the others: [P, FORMULA_TERM_COLUMNS]. */
  readonly firstSums: F32;
  readonly laterSums: F32;
}

interface Instance extends WantedLoss, Storage {
  readonly formula: Formula;
}

export interface OwnLossesOptions {
  readonly members: readonly Member[];
  readonly plan: Plan;
  readonly batch: BatchTensors;
  /** The members' usual table. */
  readonly hyper: F32;
}

/** Terms of a formula, read back: sums of FORMULA_TERM columns, [P, FORMULA_TERM_COLUMNS] flat. */
export interface FormulaReadback {
  /** Loss of an arm that the sums belong to; members of other arms have 0 everywhere. */
  readonly find: (arm: Arm) => OwnLoss | undefined;
  /** Sums over the first inner step, and over all the others. */
  readonly first: ArrayLike<number>;
  readonly later: ArrayLike<number>;
  /** Place in the text that made a member's gradient non-finite, by member. */
  readonly faults: ReadonlyMap<number, Fault>;
}

export class OwnLosses {
  readonly #backend: Backend;
  readonly #options: OwnLossesOptions;
  readonly #free: Storage[] = [];
  #instances: readonly Instance[] = [];
  #shared: { labHyper: F32; sequenceSums: F32; unread: F32; allKept: F32 } | null = null;

  constructor(backend: Backend, options: OwnLossesOptions) {
    this.#backend = backend;
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#instances.length === 0;
  }

  /** Log-probs of the whole batch are needed before the first inner step. */
  get needsScores(): boolean {
    return this.#instances.some(({ formula }) => formula.needsScores);
  }

  /** True if a formula needs scores before every inner step. */
  get needsScoresEachStep(): boolean {
    return this.#instances.some(({ formula }) => formula.heldEachStep);
  }

  /** Has the instances that these arms need; true where they are others than before, so that passes are recorded again. */
  arrange(arms: readonly Arm[]): boolean {
    const used = new Set(this.#options.members.map(({ armIndex }) => armIndex));
    const losses = wantedLosses(arms.filter((_, index) => used.has(index)));
    if (losses.map(({ key }) => key).join() === this.#instances.map(({ key }) => key).join()) return false;
    const before = this.#instances;
    const kept = before.filter(({ key }) => losses.some((one) => one.key === key));
    this.#free.push(...before.filter((one) => !kept.includes(one)));
    this.#instances = losses.map((one) => kept.find(({ key }) => key === one.key) ?? this.#instanceOf(one));
    return true;
  }

  /** Table by which the lab's own losses are weighed: 0 for one that a formula replaces. */
  get labHyper(): F32 {
    return this.#sharedTensors().labHyper;
  }

  /** Uploads weights, parameters' values and the run's numbers in an update, for its batch or for a minibatch of it. */
  write({ arms, update, successRates }: FormulaUpdate, cut: Minibatches | null = null): void {
    const { members } = this.#options;
    const weighedTable = (table: Float32Array) => (cut === null ? table : weighedForMinibatches(table, cut));
    this.#backend.write(this.labHyper, weighedTable(ownedHyperparameters(members, arms, update)));
    for (const instance of this.#instances) {
      const find = finder(instance);
      this.#backend.write(instance.hyper, weighedTable(lossHyperparameters(members, arms, find, update)));
      const values = new Float32Array(members.length * FORMULA_PARAMETERS);
      members.forEach(({ armIndex }, p) => {
        const loss = find(arms[armIndex]);
        if (loss === undefined) return;
        const row = parameterRow(parameterValues(loss), { update, success_rate: successRates[p] });
        values.set(row, p * FORMULA_PARAMETERS);
      });
      this.#backend.write(instance.parameters, values);
    }
  }

  /** Records, once a batch, each instance's weights and inputs. */
  recordInputs(ops: Operations, scratch: F32): void {
    const { batch, hyper } = this.#options;
    const { dense, group } = batch;
    for (const instance of this.#instances) {
      const { weight, packed, formula } = instance;
      const shared = this.#sharedTensors();
      const isPrediction = instance.kind === 'predict';
      if (isPrediction) {
        ops.worldModelWeights(weight, scratch, batch, { oldEntropy: dense.oldEntropy, group }, instance.hyper);
        // Groups that a filter drops from the policy gradient are predicted all the same.
        ops.fill(shared.allKept, 1);
      } else {
        ops.policyWeights(weight, shared.unread, scratch, batch, { ...dense, group }, instance.hyper);
      }
      const inputs = { ...dense, weight, group: isPrediction ? shared.allKept : group };
      ops.formulaInputs(packed, formula, batch, inputs, { hyper: instance.hyper, armHyper: hyper });
    }
  }

  /** Records, once a batch, the empty sums. */
  recordBegin(ops: Operations): void {
    for (const { laterSums } of this.#instances) ops.fill(laterSums, 0);
  }

  /** Group and batch values: before the first inner step all, before a later one those that follow the running policy. */
  recordHeld(ops: Operations, isLater: boolean): void {
    const { batch } = this.#options;
    for (const { packed, formula, parameters } of this.#instances) {
      if (isLater && !formula.heldEachStep) continue;
      ops.formulaHeld(packed, formula, batch, policyOf(batch), parameters);
    }
  }

  /** Adds to the derivatives of a microbatch whose log-probs and entropies the batch has. `kinds`: of which losses. */
  recordObjective(
    ops: Operations,
    { rows, first }: Microbatch,
    outputs: { readonly dLogProb: F32; readonly dEntropy: F32 },
    kinds: readonly LossKind[],
  ): void {
    const { batch } = this.#options;
    for (const { packed, formula, parameters, terms, kind } of this.#instances) {
      if (!kinds.includes(kind)) continue;
      ops.formulaObjective(
        { ...outputs, terms },
        packed,
        formula,
        batch,
        { ...rows, first },
        policyOf(batch),
        parameters,
      );
    }
  }

  /** Adds up the objective's terms. */
  recordSums(ops: Operations, { rows }: Microbatch, step: 'first' | 'later', accumulate: boolean): void {
    for (const instance of this.#instances) {
      const sums = step === 'first' ? instance.firstSums : instance.laterSums;
      ops.sumColumns(sums, this.#sharedTensors().sequenceSums, instance.terms, rows, { accumulate });
    }
  }

  /** Sums of the terms of the update that was submitted last, without faults. */
  async read(): Promise<readonly FormulaReadback[]> {
    const instances = this.#instances;
    const sums = await this.#backend.read(...instances.flatMap(({ firstSums, laterSums }) => [firstSums, laterSums]));
    return instances.map((instance, i) => ({
      find: finder(instance),
      first: sums[2 * i],
      later: sums[2 * i + 1],
      faults: new Map(),
    }));
  }

  /** Faults of each instance's text in members whose gradient is not finite, in the batch that was submitted last. */
  async faults(members: readonly number[]): Promise<readonly FormulaReadback['faults'][]> {
    const { batch } = this.#options;
    const instances = this.#instances;
    const { logProb, entropy, oldLogProb } = policyOf(batch);
    const [log, ent, old, ...inputsAndParameters] = await this.#backend.read(
      logProb,
      entropy,
      oldLogProb,
      ...instances.flatMap(({ packed, parameters }) => [packed, parameters]),
    );
    const of = (values: FloatData, { stride }: F32, p: number) => values.subarray(p * stride, (p + 1) * stride);
    return instances.map(({ formula, packed, parameters }, i) => {
      const faults = members.flatMap((p) => {
        const policy = {
          logProb: of(log, logProb, p),
          entropy: of(ent, entropy, p),
          oldLogProb: of(old, oldLogProb, p),
        };
        const { structure, inputs } = wholeBatch(formula, batch, of(inputsAndParameters[2 * i], packed, p), policy);
        const fault = firstFault(formula, structure, inputs, of(inputsAndParameters[2 * i + 1], parameters, p));
        return fault === null ? [] : [[p, fault] as const];
      });
      return new Map(faults);
    });
  }

  #instanceOf(wanted: WantedLoss): Instance {
    const formula = formulaOf(wanted.text);
    const floats = formulaFloats(formula, this.#options.batch);
    const at = this.#free.findIndex(({ packed }) => packed.stride >= floats && packed.stride <= 2 * floats);
    const storage = this.#free.splice(at, at < 0 ? 0 : 1)[0] ?? this.#allocate(floats);
    return { ...storage, ...wanted, formula };
  }

  #allocate(floats: number): Storage {
    const { members, plan, batch } = this.#options;
    const { trajectories, context } = batch;
    const tensor = (label: string, stride: number): F32 =>
      this.#backend.tensor(`formula.${label}`, 'f32', members.length, stride);
    return {
      packed: tensor('packed', floats),
      weight: tensor('weight', trajectories * context),
      parameters: tensor('parameters', FORMULA_PARAMETERS),
      hyper: tensor('hyper', HYPER_COLUMNS),
      terms: tensor('terms', plan.trajectories * context * FORMULA_TERM_COLUMNS),
      firstSums: tensor('firstSums', FORMULA_TERM_COLUMNS),
      laterSums: tensor('laterSums', FORMULA_TERM_COLUMNS),
    };
  }

  /** Tensors used by every instance, one after the other. */
  #sharedTensors() {
    const { members, plan, batch } = this.#options;
    const { trajectories, context, group } = batch;
    const tensor = (label: string, stride: number): F32 =>
      this.#backend.tensor(`formula.${label}`, 'f32', members.length, stride);
    this.#shared ??= {
      labHyper: tensor('labHyper', HYPER_COLUMNS),
      sequenceSums: tensor('sequenceSums', plan.trajectories * FORMULA_TERM_COLUMNS),
      unread: tensor('unread', trajectories * context),
      allKept: tensor('allKept', group.stride),
    };
    return this.#shared;
  }
}

const policyOf = ({ dense }: BatchTensors): FormulaPolicy => ({
  logProb: dense.logProb,
  entropy: dense.entropy,
  oldLogProb: dense.oldLogProb,
});
