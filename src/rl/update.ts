/**
 * One optimisation of the whole population on one batch of trajectories. Reads top to bottom like the algorithm:
 *   reference log-probs → (scores of the acting policy) → advantages → loss weights
 *   → for each inner epoch: forward → log-prob → objective → backward → clip → AdamW
 * Everything is recorded once; an update only writes the batch, runs programs, and asks for a few numbers back. Nothing
 * here waits for the device.
 */
import type { Environment } from '../environments/environment';
import type { PolicyConfiguration } from '../policy/configuration';
import { type ParameterLayout, parameterViews } from '../policy/parameters';
import type { Backend, Operations, Program, Tensor } from '../tensor/backend';
import { TERM_COLUMNS } from '../tensor/columns/batch';
import { allocateBatch, type BatchTensors, countRoles, writeBatch } from './batch';
import { GradientDiagnosis, type GradientReadback } from './diagnosis/gradients';
import { BatchInspection } from './inspection';
import { objectiveScratch, recordLossWeights } from './lossWeights';
import {
  allocateMicrobatch,
  keepMicrobatch,
  type Microbatch,
  packMicrobatch,
  restrictMicrobatch,
} from './microbatches';
import type { Needs } from './needs';
import { Passes } from './passes';
import type { Plan } from './plan';
import { BatchResiduals } from './residuals';
import { readTokens, type TokenReadback } from './tokenReadback';
import type { Trajectories } from './trajectories';

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

export interface UpdateSizes {
  readonly members: number;
  readonly groups: number;
  readonly groupSize: number;
}

/** What an update measured, still on its way from the device; arrays are [P, …] flat. */
export interface UpdateReadback {
  /** Sums of TERM columns over the first inner step, and over all the others. */
  readonly firstTerms: ArrayLike<number>;
  readonly laterTerms: ArrayLike<number>;
  /** Target tokens by role, [P, 4]. */
  readonly counts: ArrayLike<number>;
  readonly gradNorm: ArrayLike<number>;
  readonly policyGradNorm: ArrayLike<number> | null;
  readonly worldModelGradNorm: ArrayLike<number> | null;
  /** [P, groups, GROUP_COLUMNS]. */
  readonly group: ArrayLike<number>;
  /** Token by token [P, B, T], where asked for. */
  readonly tokens: TokenReadback | null;
  /** Layer by layer and role by role, where asked for. */
  readonly gradients: GradientReadback | null;
}

export interface UpdateOptions {
  /** [P]: passes over the batch; a member with fewer sits out the later ones, one with 0 keeps its state. */
  readonly innerEpochs: readonly number[];
  readonly needs: Needs;
  /** Measure the two gradients apart, and tokens one by one. */
  readonly diagnostics: boolean;
  /** Besides, whose losses to measure the gradient of, role by role, and all gradients by layer; see rolesWithLoss(). */
  readonly gradientRoles?: readonly number[];
  /** Tokens the world-model loss pulls towards, [P, B, T]; the trajectories' own when absent. */
  readonly targets?: Uint16Array;
}

/** Programs with and without the critic; the latter costs nothing where no arm has one. */
interface StepPrograms {
  /** The gradient of the world-model loss alone. */
  readonly worldModel: readonly Program[];
  readonly first: readonly Program[];
  readonly later: readonly Program[];
}

export class Update {
  readonly plan: Plan;
  readonly microbatches: readonly Microbatch[];
  readonly batch: BatchTensors;
  readonly hyper: F32;
  readonly inspection: BatchInspection;
  readonly gradientDiagnosis: GradientDiagnosis;
  readonly residuals: BatchResiduals;
  readonly #backend: Backend;
  readonly #sizes: UpdateSizes;
  readonly #active: Tensor<'u32'>;
  readonly #firstTerms: F32;
  readonly #laterTerms: F32;
  readonly #firstNorm: F32;
  readonly #policyNorm: F32;
  readonly #worldModelNorm: F32;
  readonly #referencePass: readonly Program[];
  readonly #scorePass: readonly Program[];
  /** The same without what belongs to the acting policy alone: before each later step that chooses tokens. */
  readonly #selectionPass: readonly Program[];
  readonly #adopt: Program;
  readonly #begin: Program;
  readonly #select: Program;
  readonly #worldModelFinish: Program;
  readonly #plainSteps: StepPrograms;
  readonly #recordScores: (label: string, target: F32) => readonly Program[];
  readonly #recordSteps: (critic: boolean) => StepPrograms;
  #criticSteps: StepPrograms | null = null;
  readonly #splitNorms: Program;
  readonly #firstStep: Program;
  readonly #laterStep: Program;

  constructor(
    backend: Backend,
    environment: Environment,
    configuration: PolicyConfiguration,
    layout: ParameterLayout,
    state: OptimiserState,
    sizes: UpdateSizes,
    plan: Plan,
    hyper: F32,
    legalSets: Tensor<'u32'>,
  ) {
    const { members: P } = sizes;
    const N = layout.size;
    const tensor = (label: string, stride: number): F32 => backend.tensor(label, 'f32', P, stride);
    this.#backend = backend;
    this.#sizes = sizes;
    this.plan = plan;
    this.hyper = hyper;
    this.batch = allocateBatch(backend, { ...sizes, context: environment.context, turns: environment.maxTurns });
    const { batch } = this;
    const { dense } = batch;
    this.microbatches = Array.from({ length: plan.microbatches }, (_, i) =>
      allocateMicrobatch(backend, P, plan, i, environment.context),
    );
    const passes = new Passes(backend, configuration, layout, P, plan, batch, hyper, legalSets);
    this.#active = backend.tensor('active', 'u32', P, 1);
    this.#firstTerms = tensor('firstTerms', TERM_COLUMNS);
    this.#laterTerms = tensor('laterTerms', TERM_COLUMNS);
    const sequenceSums = tensor('sequenceSums', plan.trajectories * TERM_COLUMNS);
    const scratch = tensor('objectiveScratch', objectiveScratch(batch, batch.turns));
    const gradients = tensor('gradients', N);
    const worldModelGradients = tensor('worldModelGradients', N);
    const norm = tensor('norm', 1);
    const normScratch = tensor('normScratch', Math.ceil(N / 1024));
    this.#firstNorm = tensor('firstNorm', 1);
    this.#policyNorm = tensor('policyNorm', 1);
    this.#worldModelNorm = tensor('worldModelNorm', 1);

    const policy = parameterViews(layout, state.parameters);
    const reference = parameterViews(layout, state.reference);
    this.inspection = new BatchInspection(backend, P, batch, this.microbatches, passes, policy, configuration.heads);
    this.gradientDiagnosis = new GradientDiagnosis(backend, P, layout, this.microbatches, passes, policy, {
      gradients,
      worldModelGradients,
      scratch: normScratch,
    });
    const { width } = configuration;
    this.residuals = new BatchResiduals(backend, P, width, this.microbatches, passes, policy, layout, gradients);
    const each = (label: string, build: (ops: Operations, microbatch: Microbatch, index: number) => void): Program[] =>
      this.microbatches.map((microbatch, index) => backend.record(label, P, (ops) => build(ops, microbatch, index)));

    this.#referencePass = each('reference log-probs', (ops, microbatch) => {
      passes.score(ops, reference, microbatch);
      passes.keepLogProb(ops, microbatch, dense.referenceLogProb);
    });
    this.#recordScores = (label, target) =>
      each(label, (ops, microbatch) => {
        passes.score(ops, policy, microbatch);
        passes.keepLogProb(ops, microbatch, target);
      });
    this.#scorePass = each('scores of the policy', (ops, microbatch) => {
      passes.score(ops, policy, microbatch);
      passes.keepLogProb(ops, microbatch, dense.logProb);
      passes.keepEntropy(ops, microbatch);
      passes.keepDetails(ops, policy, microbatch);
    });
    this.#selectionPass = each('log-probs to choose by', (ops, microbatch) => {
      passes.score(ops, policy, microbatch);
      passes.keepLogProb(ops, microbatch, dense.logProb);
      passes.keepEntropy(ops, microbatch);
    });
    this.#adopt = backend.record('the acting policy', P, (ops) => {
      ops.copy(dense.oldLogProb, dense.logProb);
      ops.copy(dense.oldEntropy, dense.entropy);
    });
    this.#begin = backend.record('advantages and loss weights', P, (ops) => {
      recordLossWeights(ops, batch, scratch, hyper);
      ops.fill(this.#laterTerms, 0);
    });
    this.#select = backend.record('choice of tokens', P, (ops) => {
      ops.selectTokens(dense.selection, scratch, batch, dense, hyper);
    });
    this.#worldModelFinish = backend.record('world-model gradient norm', P, (ops) => {
      ops.gradientNorm(this.#worldModelNorm, normScratch, worldModelGradients, null);
    });
    this.#recordSteps = (critic) => {
      const differentiate = (ops: Operations, microbatch: Microbatch, index: number): void => {
        passes.objective(ops, policy, microbatch, critic);
        passes.backward(ops, policy, microbatch, gradients, { critic, accumulate: index > 0 });
      };
      return {
        worldModel: each('world-model gradient', (ops, microbatch, index) => {
          passes.score(ops, policy, microbatch);
          passes.keepLogProb(ops, microbatch, dense.oldLogProb);
          passes.worldModelObjective(ops, microbatch, critic);
          passes.backward(ops, policy, microbatch, worldModelGradients, { critic, accumulate: index > 0 });
        }),
        first: each('first inner step', (ops, microbatch, index) => {
          passes.score(ops, policy, microbatch);
          // The old policy is this one, scored by the same pass: the first ratio is exactly 1, on observations too.
          passes.keepLogProb(ops, microbatch, dense.oldLogProb);
          differentiate(ops, microbatch, index);
          ops.sumColumns(this.#firstTerms, sequenceSums, passes.terms, microbatch.rows, { accumulate: index > 0 });
        }),
        later: each('inner step', (ops, microbatch, index) => {
          passes.score(ops, policy, microbatch);
          passes.keepLogProb(ops, microbatch, dense.logProb);
          differentiate(ops, microbatch, index);
          ops.sumColumns(this.#laterTerms, sequenceSums, passes.terms, microbatch.rows, { accumulate: true });
        }),
      };
    };
    this.#plainSteps = this.#recordSteps(false);
    this.#splitNorms = backend.record('policy gradient norm', P, (ops) => {
      ops.gradientNorm(this.#policyNorm, normScratch, gradients, worldModelGradients);
    });
    const step = (ops: Operations): void => {
      const { parameters, firstMoment, secondMoment, step: steps } = state;
      ops.gradientNorm(norm, normScratch, gradients, null);
      ops.adamW(parameters, firstMoment, secondMoment, steps, gradients, norm, hyper, this.#active);
    };
    this.#firstStep = backend.record('first optimiser step', P, (ops) => {
      step(ops);
      ops.copy(this.#firstNorm, norm);
    });
    this.#laterStep = backend.record('optimiser step', P, step);
  }

  /** Records and compiles what these needs take beyond the usual; call before run() when needs have grown. */
  async prepare(needs: Needs, measuresRoles = false): Promise<void> {
    if (needs.critic && this.#criticSteps === null) {
      this.#criticSteps = this.#recordSteps(true);
      await this.#backend.prepare();
    }
    if (measuresRoles) await this.gradientDiagnosis.prepare(this.#trainsCritic);
  }

  /** A critic once used keeps its programs: its gradients are zero where no member asks for it. */
  get #trainsCritic(): boolean {
    return this.#criticSteps !== null;
  }

  /** Optimises on `trajectories`. Resolves when the device has finished; the caller need not wait before the next rollout. */
  run(trajectories: Trajectories, options: UpdateOptions): Promise<UpdateReadback> {
    const { innerEpochs, needs, diagnostics, gradientRoles, targets } = options;
    const backend = this.#backend;
    const counts = countRoles(trajectories);
    writeBatch(backend, this.batch, trajectories);
    for (const microbatch of this.microbatches) packMicrobatch(backend, microbatch, trajectories, targets);
    let active = this.#activate(innerEpochs, 0, this.#sizes.members);
    this.#submit(this.#referencePass);
    const steps = this.#criticSteps ?? this.#plainSteps;
    if (needs.scores || needs.selection) this.#submit([...this.#scorePass, this.#adopt]);
    this.#submit([this.#begin]);
    if (needs.selection) this.#submit([this.#select]);
    if (diagnostics) this.#submit([...steps.worldModel, this.#worldModelFinish]);
    this.#submit(steps.first);
    if (diagnostics) this.#submit([this.#splitNorms]);
    const gradients =
      gradientRoles === undefined ? null : this.gradientDiagnosis.measure(gradientRoles, this.#trainsCritic);
    // Heard below, unless what is submitted before fails.
    gradients?.catch(() => {});
    this.#submit([this.#firstStep]);
    for (let epoch = 1; epoch < Math.max(...innerEpochs); epoch++) {
      active = this.#activate(innerEpochs, epoch, active);
      if (needs.selection) this.#submit([...this.#selectionPass, this.#select]);
      this.#submit([...steps.later, this.#laterStep]);
    }
    return this.#readback(counts, diagnostics, gradients);
  }

  /** Who takes part in an inner step; returns how many, when `before` did in what was written last. */
  #activate(innerEpochs: readonly number[], epoch: number, before: number): number {
    const flags = Uint32Array.from(innerEpochs, (epochs) => (epoch < epochs ? 1 : 0));
    const count = flags.reduce((a, b) => a + b, 0);
    if (epoch === 0 || count !== before) this.#backend.write(this.#active, flags);
    if (count === before) return count;
    for (const microbatch of this.microbatches) restrictMicrobatch(this.#backend, microbatch, flags);
    return count;
  }

  /**
   * Records a pass that only scores; its result gives log π of every target token [P, B, T] of trajectories that nobody
   * needs to have sampled. Call before the backend is prepared. It uses what the next update writes anew.
   */
  recordScores(): (trajectories: Trajectories) => Promise<ArrayLike<number>> {
    const { logProb } = this.batch.dense;
    const programs = this.#recordScores('log-probs alone', logProb);
    return async (trajectories) => {
      for (const microbatch of this.microbatches) packMicrobatch(this.#backend, microbatch, trajectories);
      this.#submit(programs);
      const [values] = await this.#backend.read(logProb);
      return values;
    };
  }

  /** Remembers the rows of the present batch; the result puts them back after other trajectories were scored. */
  keepRows(): () => void {
    const restores = this.microbatches.map((microbatch) => keepMicrobatch(this.#backend, microbatch));
    return () => {
      for (const restore of restores) restore();
    };
  }

  /** Brings back, as it lies there, what an update that is diagnosed brings back. */
  async readDiagnosed(): Promise<void> {
    await readTokens(this.#backend, this.batch);
    await this.gradientDiagnosis.readWhole();
  }

  /** One submission where the batch is whole; one a program where it is cut, to keep each short. */
  #submit(programs: readonly Program[]): void {
    if (this.plan.microbatches === 1) this.#backend.run(...programs);
    else for (const program of programs) this.#backend.run(program);
  }

  async #readback(
    counts: Float64Array,
    diagnostics: boolean,
    gradients: Promise<GradientReadback> | null,
  ): Promise<UpdateReadback> {
    const { batch } = this;
    const tokens = diagnostics ? readTokens(this.#backend, batch) : null;
    const small = this.#backend.read(
      this.#firstTerms,
      this.#laterTerms,
      this.#firstNorm,
      this.#policyNorm,
      this.#worldModelNorm,
      batch.group,
    );
    const [read, ofTokens, ofGradients] = await Promise.all([small, tokens, gradients]);
    const [firstTerms, laterTerms, gradNorm, policyNorm, worldModelNorm, group] = read;
    return {
      firstTerms,
      laterTerms,
      counts,
      gradNorm,
      policyGradNorm: diagnostics ? policyNorm : null,
      worldModelGradNorm: diagnostics ? worldModelNorm : null,
      group,
      tokens: ofTokens,
      gradients: ofGradients,
    };
  }
}
