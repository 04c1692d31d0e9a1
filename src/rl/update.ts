/**
 * One optimisation of the whole population on one batch of trajectories:
 *   reference log-probs → (scores of the acting policy) → advantages → loss weights
 *   → for each inner epoch: forward → log-prob → objective → backward → clip → AdamW
 * Everything is recorded once. An update only writes the batch, runs programs and reads a few numbers back, without waiting
 * for the device in between.
 */
import type { Environment } from '../environments/environment';
import type { PolicyConfiguration } from '../policy/configuration';
import { type ParameterLayout, parameterViews } from '../policy/parameters';
import type { Backend, Program, Tensor } from '../tensor/backend';
import { allocateBatch, type BatchTensors, countRoles, writeBatch } from './batch';
import { GradientDiagnosis, type GradientReadback } from './diagnosis/gradients';
import { BatchInspection } from './inspection';
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
import { type OptimiserState, type StepPrograms, UpdatePrograms } from './updatePrograms';

type F32 = Tensor<'f32'>;

export interface UpdateSizes {
  readonly members: number;
  readonly groups: number;
  readonly groupSize: number;
}

/** Numbers that an update reads back; arrays are [P, …] flat. */
export interface UpdateReadback {
  /** Sums of TERM columns over the first inner step, and over all later ones. */
  readonly firstTerms: ArrayLike<number>;
  readonly laterTerms: ArrayLike<number>;
  /** Target tokens by role, [P, 4]. */
  readonly counts: ArrayLike<number>;
  readonly gradNorm: ArrayLike<number>;
  readonly policyGradNorm: ArrayLike<number> | null;
  readonly worldModelGradNorm: ArrayLike<number> | null;
  /** [P, groups, GROUP_COLUMNS]. */
  readonly group: ArrayLike<number>;
  /** Numbers of every token, [P, B, T], where asked for. */
  readonly tokens: TokenReadback | null;
  /** Norms by layer and by role, where asked for. */
  readonly gradients: GradientReadback | null;
}

export interface UpdateOptions {
  /** [P]: inner epochs. A member with fewer sits out the later ones, one with 0 keeps its state. */
  readonly innerEpochs: readonly number[];
  readonly needs: Needs;
  /** True to measure the two gradients apart and read every token back. */
  readonly diagnostics: boolean;
  /** Roles with a loss (rolesWithLoss()), to measure gradients by role and by layer; needs `diagnostics`. */
  readonly gradientRoles?: readonly number[];
  /** Tokens that the world-model loss pulls towards, [P, B, T]; the trajectories' own when absent. */
  readonly targets?: Uint16Array;
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
  readonly #programs: UpdatePrograms;
  readonly #plainSteps: StepPrograms;
  #criticSteps: StepPrograms | null = null;

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
    const { members } = sizes;
    this.#backend = backend;
    this.#sizes = sizes;
    this.plan = plan;
    this.hyper = hyper;
    this.batch = allocateBatch(backend, { ...sizes, context: environment.context, turns: environment.maxTurns });
    this.microbatches = Array.from({ length: plan.microbatches }, (_, i) =>
      allocateMicrobatch(backend, members, plan, i, environment.context),
    );
    const { batch, microbatches } = this;
    const passes = new Passes(backend, configuration, layout, members, plan, batch, hyper, legalSets);
    this.#active = backend.tensor('active', 'u32', members, 1);
    const active = this.#active;
    const trained = { members, plan, layout, state, batch, microbatches };
    this.#programs = new UpdatePrograms(backend, { ...trained, passes, hyper, active });
    this.#plainSteps = this.#programs.recordSteps(false);
    const policy = parameterViews(layout, state.parameters);
    this.inspection = new BatchInspection(backend, members, batch, microbatches, passes, policy, configuration.heads);
    this.gradientDiagnosis = new GradientDiagnosis(
      backend,
      members,
      layout,
      microbatches,
      passes,
      policy,
      this.#programs,
    );
    const { gradients } = this.#programs;
    const { width } = configuration;
    this.residuals = new BatchResiduals(backend, members, width, microbatches, passes, policy, layout, gradients);
  }

  /** Records and compiles further programs that these needs take; call before run() when needs have grown. */
  async prepare(needs: Needs, measuresRoles = false): Promise<void> {
    if (needs.critic && this.#criticSteps === null) {
      this.#criticSteps = this.#programs.recordSteps(true);
      await this.#backend.prepare();
    }
    if (measuresRoles) await this.gradientDiagnosis.prepare(this.#trainsCritic);
  }

  /** True from the first critic on. Its programs stay in use: its gradients are 0 where no member has one. */
  get #trainsCritic(): boolean {
    return this.#criticSteps !== null;
  }

  /** Optimises on `trajectories`. Resolves when the device has finished; the next rollout may begin before. */
  run(trajectories: Trajectories, options: UpdateOptions): Promise<UpdateReadback> {
    const { innerEpochs, needs, diagnostics, gradientRoles, targets } = options;
    const [backend, programs] = [this.#backend, this.#programs];
    const counts = countRoles(trajectories);
    writeBatch(backend, this.batch, trajectories);
    for (const microbatch of this.microbatches) packMicrobatch(backend, microbatch, trajectories, targets);
    let active = this.#activate(innerEpochs, 0, this.#sizes.members);
    this.#submit(programs.reference);
    const steps = this.#criticSteps ?? this.#plainSteps;
    if (needs.scores || needs.selection) this.#submit([...programs.score, programs.adopt]);
    this.#submit([programs.begin]);
    if (needs.selection) this.#submit([programs.select]);
    if (diagnostics) this.#submit([...steps.worldModel, programs.worldModelFinish]);
    this.#submit(steps.first);
    if (diagnostics) this.#submit([programs.splitNorms]);
    const gradients =
      gradientRoles === undefined ? null : this.gradientDiagnosis.measure(gradientRoles, this.#trainsCritic);
    // Its failure is handled below. This keeps it quiet if an earlier submission throws first.
    gradients?.catch(() => {});
    this.#submit([programs.firstStep]);
    for (let epoch = 1; epoch < Math.max(...innerEpochs); epoch++) {
      active = this.#activate(innerEpochs, epoch, active);
      if (needs.selection) this.#submit([...programs.selection, programs.select]);
      this.#submit([...steps.later, programs.laterStep]);
    }
    return this.#readback(counts, diagnostics, gradients);
  }

  /** Writes which members take part in an inner step, unless their number is still `before`; returns that number. */
  #activate(innerEpochs: readonly number[], epoch: number, before: number): number {
    const flags = Uint32Array.from(innerEpochs, (epochs) => (epoch < epochs ? 1 : 0));
    const count = flags.reduce((a, b) => a + b, 0);
    if (epoch === 0 || count !== before) this.#backend.write(this.#active, flags);
    if (count === before) return count;
    for (const microbatch of this.microbatches) restrictMicrobatch(this.#backend, microbatch, flags);
    return count;
  }

  /**
   * Records scoring alone; the result gives log π of every target token of any trajectories, [P, B, T]. Call before the
   * backend is prepared. It writes only tensors that the next update overwrites.
   */
  recordScores(): (trajectories: Trajectories) => Promise<ArrayLike<number>> {
    const { logProb } = this.batch.dense;
    const programs = this.#programs.recordScores('log-probs alone', logProb);
    return async (trajectories) => {
      for (const microbatch of this.microbatches) packMicrobatch(this.#backend, microbatch, trajectories);
      this.#submit(programs);
      const [values] = await this.#backend.read(logProb);
      return values;
    };
  }

  /** Copies the rows of the present batch; the result writes them back after other trajectories were scored. */
  keepRows(): () => void {
    const restores = this.microbatches.map((microbatch) => keepMicrobatch(this.#backend, microbatch));
    return () => {
      for (const restore of restores) restore();
    };
  }

  /** Reads back as much as a diagnosed update, whatever it is: shows before the run whether memory suffices. */
  async readDiagnosed(): Promise<void> {
    await readTokens(this.#backend, this.batch);
    await this.gradientDiagnosis.readWhole();
  }

  /** Runs programs: in one submission for a single microbatch, otherwise one by one to keep each submission short. */
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
    const { firstTerms: first, laterTerms: later, firstNorm, policyNorm, worldModelNorm } = this.#programs;
    const small = this.#backend.read(first, later, firstNorm, policyNorm, worldModelNorm, batch.group);
    const [read, ofTokens, ofGradients] = await Promise.all([small, tokens, gradients]);
    const [firstTerms, laterTerms, gradNorm, policyGradNorm, worldModelGradNorm, group] = read;
    return {
      firstTerms,
      laterTerms,
      counts,
      gradNorm,
      policyGradNorm: diagnostics ? policyGradNorm : null,
      worldModelGradNorm: diagnostics ? worldModelGradNorm : null,
      group,
      tokens: ofTokens,
      gradients: ofGradients,
    };
  }
}
