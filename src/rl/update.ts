/**
 * One optimisation of the whole population on one batch of trajectories. Reads top to bottom like the algorithm:
 *   advantage → reference log-probs → for each inner epoch: forward → masked log-prob → objective → backward → clip → AdamW
 * Everything is recorded once; an update only writes the batch, runs programs, and asks for a few numbers back. Nothing
 * here waits for the device.
 */
import type { Environment } from '../environments/environment';
import { type Activations, allocateActivations, allocateScratch, type GradientScratch } from '../policy/activations';
import { recordBackward } from '../policy/backward';
import type { PolicyConfiguration } from '../policy/configuration';
import { recordHead, recordTrunk } from '../policy/forward';
import { type ParameterLayout, parameterViews } from '../policy/parameters';
import type { Backend, Operations, ParameterView, Program, Tensor } from '../tensor/backend';
import { TERM_COLUMNS } from '../tensor/layout';
import { allocateMicrobatch, type Microbatch, type Plan, packMicrobatch, restrictMicrobatch } from './microbatches';
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
  /** Target tokens by role. */
  readonly counts: ArrayLike<number>;
  readonly gradNorm: ArrayLike<number>;
  readonly policyGradNorm: ArrayLike<number> | null;
  readonly worldModelGradNorm: ArrayLike<number> | null;
  readonly zeroVariance: ArrayLike<number>;
  readonly advantage: ArrayLike<number>;
}

export class Update {
  readonly plan: Plan;
  readonly microbatches: readonly Microbatch[];
  readonly hyper: F32;
  readonly legalSets: Tensor<'u32'>;
  readonly #backend: Backend;
  readonly #sizes: UpdateSizes;
  readonly #configuration: PolicyConfiguration;
  readonly #activations: Activations;
  readonly #scratch: GradientScratch;
  readonly #active: Tensor<'u32'>;
  readonly #reward: F32;
  readonly #advantage: F32;
  readonly #zeroVariance: F32;
  readonly #counts: F32;
  readonly #firstTerms: F32;
  readonly #laterTerms: F32;
  readonly #sequenceSums: F32;
  readonly #logits: F32;
  readonly #logProb: F32;
  readonly #entropy: F32;
  readonly #logSumExp: F32;
  readonly #dLogProb: F32;
  readonly #dEntropy: F32;
  readonly #terms: F32;
  readonly #partials: F32;
  readonly #gradients: F32;
  readonly #worldModelGradients: F32;
  readonly #norm: F32;
  readonly #normScratch: F32;
  readonly #firstNorm: F32;
  readonly #policyNorm: F32;
  readonly #worldModelNorm: F32;
  readonly #begin: Program;
  readonly #referencePass: readonly Program[];
  readonly #worldModelPass: readonly Program[];
  readonly #worldModelFinish: Program;
  readonly #firstPass: readonly Program[];
  readonly #laterPass: readonly Program[];
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
    const { members: P, groups, groupSize } = sizes;
    const B = groups * groupSize;
    const N = layout.size;
    const R = plan.trajectories * configuration.context;
    const tensor = (label: string, stride: number): F32 => backend.tensor(label, 'f32', P, stride);
    this.#backend = backend;
    this.#sizes = sizes;
    this.#configuration = configuration;
    this.plan = plan;
    this.hyper = hyper;
    this.legalSets = legalSets;
    this.microbatches = Array.from({ length: plan.microbatches }, (_, i) =>
      allocateMicrobatch(backend, P, plan, i, environment.context),
    );
    this.#activations = allocateActivations(backend, configuration, P, R, { keep: true, label: 'train' });
    this.#scratch = allocateScratch(backend, configuration, P, R);
    this.#active = backend.tensor('active', 'u32', P, 1);
    this.#reward = tensor('reward', B);
    this.#advantage = tensor('advantage', B);
    this.#zeroVariance = tensor('zeroVariance', 1);
    this.#counts = tensor('roleCounts', 4);
    this.#firstTerms = tensor('firstTerms', TERM_COLUMNS);
    this.#laterTerms = tensor('laterTerms', TERM_COLUMNS);
    this.#sequenceSums = tensor('sequenceSums', plan.trajectories * TERM_COLUMNS);
    this.#logits = tensor('logits', R * configuration.vocabulary);
    this.#logProb = tensor('logProb', R);
    this.#entropy = tensor('entropy', R);
    this.#logSumExp = tensor('logSumExp', 2 * R);
    this.#dLogProb = tensor('dLogProb', R);
    this.#dEntropy = tensor('dEntropy', R);
    this.#terms = tensor('terms', R * TERM_COLUMNS);
    this.#partials = tensor('partials', plan.chunks * N);
    this.#gradients = tensor('gradients', N);
    this.#worldModelGradients = tensor('worldModelGradients', N);
    this.#norm = tensor('norm', 1);
    this.#normScratch = tensor('normScratch', Math.ceil(N / 1024));
    this.#firstNorm = tensor('firstNorm', 1);
    this.#policyNorm = tensor('policyNorm', 1);
    this.#worldModelNorm = tensor('worldModelNorm', 1);

    const policy = parameterViews(layout, state.parameters);
    const reference = parameterViews(layout, state.reference);
    this.#begin = backend.record('advantages and counts', P, (ops) => {
      ops.groupAdvantage(this.#advantage, this.#zeroVariance, this.#reward, hyper, { groups, groupSize });
      this.microbatches.forEach(({ rows }, i) => {
        ops.countRoles(this.#counts, rows, { accumulate: i > 0 });
      });
      ops.fill(this.#laterTerms, 0);
    });
    const each = (label: string, build: (ops: Operations, microbatch: Microbatch, index: number) => void): Program[] =>
      this.microbatches.map((microbatch, index) => backend.record(label, P, (ops) => build(ops, microbatch, index)));

    this.#referencePass = each('reference log-probs', (ops, microbatch) => {
      this.#score(ops, reference, microbatch, microbatch.referenceLogProb);
    });
    this.#worldModelPass = each('world-model gradient', (ops, microbatch, index) => {
      this.#score(ops, policy, microbatch, this.#logProb);
      ops.copy(microbatch.oldLogProb, this.#logProb);
      this.#differentiate(ops, policy, microbatch, index, this.#worldModelGradients, 'world-model');
    });
    this.#worldModelFinish = backend.record('world-model gradient norm', P, (ops) => {
      ops.gradientNorm(this.#worldModelNorm, this.#normScratch, this.#worldModelGradients, null);
    });
    this.#firstPass = each('first inner step', (ops, microbatch, index) => {
      this.#score(ops, policy, microbatch, this.#logProb);
      // The old policy is this one, scored by the same pass: the first ratio is exactly 1, on observations too.
      ops.copy(microbatch.oldLogProb, this.#logProb);
      this.#differentiate(ops, policy, microbatch, index, this.#gradients, 'all');
      ops.sumTerms(this.#firstTerms, this.#sequenceSums, this.#terms, microbatch.rows, { accumulate: index > 0 });
    });
    this.#laterPass = each('inner step', (ops, microbatch, index) => {
      this.#score(ops, policy, microbatch, this.#logProb);
      this.#differentiate(ops, policy, microbatch, index, this.#gradients, 'all');
      ops.sumTerms(this.#laterTerms, this.#sequenceSums, this.#terms, microbatch.rows, { accumulate: true });
    });
    this.#splitNorms = backend.record('policy gradient norm', P, (ops) => {
      ops.gradientNorm(this.#policyNorm, this.#normScratch, this.#gradients, this.#worldModelGradients);
    });
    const step = (ops: Operations): void => {
      const { parameters, firstMoment, secondMoment, step: steps } = state;
      ops.gradientNorm(this.#norm, this.#normScratch, this.#gradients, null);
      ops.adamW(parameters, firstMoment, secondMoment, steps, this.#gradients, this.#norm, hyper, this.#active);
    };
    this.#firstStep = backend.record('first optimiser step', P, (ops) => {
      step(ops);
      ops.copy(this.#firstNorm, this.#norm);
    });
    this.#laterStep = backend.record('optimiser step', P, step);
  }

  /**
   * Optimises on `trajectories`. innerEpochs [P]: passes over the batch; a member with fewer sits out the later ones.
   * Resolves when the device has finished; the caller need not wait before the next rollout.
   */
  run(
    trajectories: Trajectories,
    innerEpochs: readonly number[],
    options: { splitNorms: boolean },
  ): Promise<UpdateReadback> {
    const backend = this.#backend;
    for (const microbatch of this.microbatches) packMicrobatch(backend, microbatch, trajectories);
    backend.write(this.#reward, trajectories.rewards);
    backend.write(this.#active, new Uint32Array(this.#sizes.members).fill(1));
    this.#submit([this.#begin, ...this.#referencePass]);
    if (options.splitNorms) this.#submit([...this.#worldModelPass, this.#worldModelFinish]);
    this.#submit(this.#firstPass);
    if (options.splitNorms) this.#submit([this.#splitNorms]);
    this.#submit([this.#firstStep]);
    let active = this.#sizes.members;
    for (let epoch = 1; epoch < Math.max(...innerEpochs); epoch++) {
      const flags = Uint32Array.from(innerEpochs, (epochs) => (epoch < epochs ? 1 : 0));
      const count = flags.reduce((a, b) => a + b, 0);
      if (count !== active) {
        active = count;
        backend.write(this.#active, flags);
        for (const microbatch of this.microbatches) restrictMicrobatch(backend, microbatch, flags);
      }
      this.#submit([...this.#laterPass, this.#laterStep]);
    }
    return this.#readback(options.splitNorms);
  }

  /** One submission where the batch is whole; one a program where it is cut, to keep each short. */
  #submit(programs: readonly Program[]): void {
    if (this.plan.microbatches === 1) this.#backend.run(...programs);
    else for (const program of programs) this.#backend.run(program);
  }

  /** Log-probs of the acting policy for every row of a microbatch, [P, R]; valid from the first inner step on. */
  async readOldLogProbs(microbatch: Microbatch): Promise<ArrayLike<number>> {
    const [values] = await this.#backend.read(microbatch.oldLogProb);
    return values;
  }

  async #readback(split: boolean): Promise<UpdateReadback> {
    const [firstTerms, laterTerms, counts, gradNorm, policyNorm, worldModelNorm, zeroVariance, advantage] =
      await this.#backend.read(
        this.#firstTerms,
        this.#laterTerms,
        this.#counts,
        this.#firstNorm,
        this.#policyNorm,
        this.#worldModelNorm,
        this.#zeroVariance,
        this.#advantage,
      );
    return {
      firstTerms,
      laterTerms,
      counts,
      gradNorm,
      policyGradNorm: split ? policyNorm : null,
      worldModelGradNorm: split ? worldModelNorm : null,
      zeroVariance,
      advantage,
    };
  }

  /** Forward pass and masked log-probs of a microbatch under the given parameters. */
  #score(ops: Operations, parameter: (name: string) => ParameterView, microbatch: Microbatch, logProb: F32): void {
    const { rows } = microbatch;
    recordTrunk(ops, this.#configuration, parameter, this.#activations, rows, null);
    recordHead(ops, parameter, this.#logits, this.#activations.finalNorm, rows);
    ops.maskedLogProb(
      logProb,
      this.#entropy,
      this.#logSumExp,
      this.#logits,
      rows,
      this.legalSets,
      this.hyper,
      this.#configuration.vocabulary,
    );
  }

  /** Objective and backward pass of what #score left behind, added to `gradients`. */
  #differentiate(
    ops: Operations,
    parameter: (name: string) => ParameterView,
    microbatch: Microbatch,
    index: number,
    gradients: F32,
    part: 'all' | 'world-model',
  ): void {
    const { rows, oldLogProb, referenceLogProb, behaviourLogProb } = microbatch;
    ops.tokenObjective(
      this.#dLogProb,
      this.#dEntropy,
      this.#terms,
      {
        logProb: this.#logProb,
        oldLogProb,
        referenceLogProb,
        behaviourLogProb,
        entropy: this.#entropy,
        advantage: this.#advantage,
        counts: this.#counts,
        hyper: this.hyper,
      },
      rows,
      part,
    );
    ops.maskedLogProbBackward(
      this.#logits,
      this.#dLogProb,
      this.#dEntropy,
      this.#entropy,
      this.#logSumExp,
      rows,
      this.legalSets,
      this.hyper,
      this.#configuration.vocabulary,
    );
    recordBackward(
      ops,
      this.#configuration,
      parameter,
      this.#activations,
      this.#scratch,
      this.#logits,
      this.#partials,
      rows,
    );
    ops.reduceChunks(gradients, this.#partials, this.plan.chunks, { accumulate: index > 0 });
  }
}
