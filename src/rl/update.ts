/**
 * One optimisation of the whole population on one batch of trajectories:
 *   (reference log-probs) → (scores of the acting policy) → advantages → loss weights
 *   → for each inner epoch, or minibatch of one: forward → log-prob → objective → backward → clip → AdamW
 * Everything is recorded once. An update only writes the batch, runs programs and reads a few numbers back, without waiting
 * for the device in between.
 */
import type { Environment } from '../environments/environment';
import type { Arm } from '../experiment/experiment';
import type { PolicyConfiguration } from '../policy/configuration';
import { type ParameterLayout, parameterViews } from '../policy/parameters';
import type { Backend, Program, Tensor } from '../tensor/backend';
import { type Added, AddedLosses } from './learn/added';
import { Attendance } from './learn/attendance';
import { allocateBatch, type BatchTensors, countRoles, writeBatch } from './learn/batch';
import { Breakdowns } from './learn/breakdowns';
import { allocateMicrobatch, keepMicrobatch, type Microbatch } from './learn/microbatches';
import { laterSteps, type Minibatches, type Part, weighedForMinibatches } from './learn/minibatches';
import type { Needs } from './learn/needs';
import { OwnLosses } from './learn/ownLosses';
import { Passes, type Trained } from './learn/passes';
import { GradientDiagnosis, type GradientReadback } from './look/diagnosis/gradients';
import { BatchInspection } from './look/inspection';
import { BatchResiduals } from './look/residuals';
import { readTokens } from './measure/tokenReadback';
import type { Plan } from './plan';
import type { Trajectories } from './play/trajectories';
import type { Member } from './population';
import type { UpdateOptions, UpdateReadback, UpdateSizes } from './updateContract';
import { type OptimiserState, type StepPrograms, UpdatePrograms } from './updatePrograms';

type F32 = Tensor<'f32'>;

export class Update {
  readonly plan: Plan;
  readonly microbatches: readonly Microbatch[];
  readonly batch: BatchTensors;
  readonly hyper: F32;
  readonly inspection: BatchInspection;
  readonly gradientDiagnosis: GradientDiagnosis;
  readonly residuals: BatchResiduals;
  readonly #backend: Backend;
  readonly #members: number;
  /** Offset of the value head, the last of the parameters. */
  readonly #valueHead: number;
  readonly #attendance: Attendance;
  readonly #programs: UpdatePrograms;
  readonly #own: OwnLosses;
  readonly #added: AddedLosses;
  /** By what is trained; those with formulas are recorded anew when the formulas are others. */
  readonly #recorded = new Map<Trained, StepPrograms>();
  readonly #plain: Trained = { critic: false, own: null };
  #trained: Trained = this.#plain;
  readonly #breakdowns = new Breakdowns();
  /** Something else than an update was scored since the last one: its numbers stand in the batch. */
  #isOverwritten = false;

  constructor(
    backend: Backend,
    environment: Environment,
    configuration: PolicyConfiguration,
    layout: ParameterLayout,
    state: OptimiserState,
    population: readonly Member[],
    sizes: UpdateSizes,
    plan: Plan,
    hyper: F32,
    legalSets: Tensor<'u32'>,
  ) {
    const { length: members } = population;
    this.#backend = backend;
    this.#members = members;
    this.#valueHead = layout.specs.find(({ name }) => name === 'value.weight')?.offset ?? layout.size;
    this.plan = plan;
    this.hyper = hyper;
    this.batch = allocateBatch(backend, {
      ...sizes,
      members,
      context: environment.context,
      turns: environment.maxTurns,
    });
    this.microbatches = Array.from({ length: plan.microbatches }, (_, i) =>
      allocateMicrobatch(backend, members, plan, i, environment.context),
    );
    const { batch, microbatches } = this;
    const passes = new Passes(backend, configuration, layout, members, plan, batch, hyper, legalSets);
    this.#attendance = new Attendance(backend, microbatches, members);
    const { active } = this.#attendance;
    const trained = { members, plan, layout, state, batch, microbatches };
    this.#programs = new UpdatePrograms(backend, { ...trained, passes, hyper, active });
    this.#recorded.set(this.#plain, this.#programs.recordSteps(this.#plain));
    this.#own = new OwnLosses(backend, { members: population, plan, batch, hyper });
    const policy = parameterViews(layout, state.parameters);
    const { gradients } = this.#programs;
    const reference = parameterViews(layout, state.reference);
    const { vocabulary } = configuration;
    const teachers = { reference, success: policy };
    const ofAdded = { members, plan, batch, passes, policy, teachers, gradients, vocabulary };
    this.#added = new AddedLosses(backend, ofAdded);
    this.inspection = new BatchInspection(
      backend,
      members,
      batch,
      microbatches,
      passes,
      policy,
      configuration.heads,
      this.#programs.reference,
      () => this.#trained,
    );
    this.gradientDiagnosis = new GradientDiagnosis(
      backend,
      members,
      layout,
      microbatches,
      passes,
      policy,
      this.#programs,
    );
    const { width } = configuration;
    this.residuals = new BatchResiduals(backend, members, width, microbatches, passes, policy, layout, gradients);
  }

  /** Records what these needs, and the formulas of these arms, take beyond the usual; true if there was such. */
  arrange(arms: readonly Arm[], needs: Pick<Needs, 'critic'> = { critic: false }): boolean {
    const isAddedNew = this.#added.arrange(arms);
    const rearranged = this.#own.arrange(arms);
    const own = this.#own.isEmpty ? null : this.#own;
    // A critic once used keeps its programs: its gradients are 0 where no member has one.
    const critic = needs.critic || this.#trained.critic;
    if (!rearranged && critic === this.#trained.critic) return isAddedNew;
    if (this.#trained !== this.#plain) this.#recorded.delete(this.#trained);
    this.#trained = own === null && !critic ? this.#plain : { critic, own };
    if (this.#recorded.has(this.#trained)) return isAddedNew;
    this.#recorded.set(this.#trained, this.#programs.recordSteps(this.#trained));
    return true;
  }

  /** Arranges these needs and arms, and compiles what is new. Call before run(). */
  async prepare(needs: Needs, arms: readonly Arm[] = [], measuresRoles = false): Promise<void> {
    if (this.arrange(arms, needs)) await this.#backend.prepare();
    if (measuresRoles) await this.gradientDiagnosis.prepare(this.#trained);
  }

  /** Compiles what gradients by role take where no formula is trained. */
  prepareRoles(): Promise<void> {
    return this.gradientDiagnosis.prepare(this.#plain);
  }

  /** Optimises on `trajectories`. Resolves when the device has finished; the next rollout may begin before. */
  run(trajectories: Trajectories, options: UpdateOptions): Promise<UpdateReadback> {
    const { innerEpochs, minibatches = null, needs, diagnostics, gradientRoles, targets, formulas } = options;
    const { replay = null } = options;
    // The first parameter that a member moves, counted from 1.
    const firstMoved = innerEpochs.map((_, p) => (options.valueHeadAlone?.[p] ? 1 + this.#valueHead : 1));
    const { stays = false } = options;
    const moves = (parts: readonly Part[]): number[] =>
      parts.map((part, p) => (part === 'none' || stays ? 0 : firstMoved[p]));
    const [programs, attendance] = [this.#programs, this.#attendance];
    this.#isOverwritten = false;
    const added = this.#added.lay(trajectories, options);
    const counts = countRoles(trajectories);
    writeBatch(this.#backend, this.batch, trajectories);
    attendance.pack(trajectories, targets);
    const whole = innerEpochs.map((epochs): Part => (epochs > 0 ? 'all' : 'none'));
    // A member with minibatches measures its whole batch before its first step.
    attendance.take(whole, moves(whole.map((part, p) => ((minibatches?.cut.counts[p] ?? 1) === 1 ? part : 'none'))));
    if (options.reference) this.#submit(programs.reference);
    const trained = formulas === undefined && this.#trained.own !== null ? this.#plain : this.#trained;
    const steps = this.#recorded.get(trained) as StepPrograms;
    const { own } = trained;
    if (formulas !== undefined) own?.write(formulas);
    const isScored = needs.scores || needs.selection || own?.needsScores === true;
    if (isScored) this.#submit([...programs.score, programs.adopt]);
    // The host's writing over the device's weights comes after them.
    if (replay !== null) this.#submit([steps.begin]);
    replay?.write(null);
    const begun = replay === null ? [steps.begin] : [];
    const begin = [...begun, ...(needs.selection ? [programs.select] : []), ...(own === null ? [] : [steps.held])];
    if (diagnostics) this.#submit([...begin, ...steps.worldModel, programs.worldModelFinish]);
    // The world model's own gradient needs a forward pass of its own, and overwrites that of the scores.
    const ofBatch = (!diagnostics && isScored ? steps.firstScored : null) ?? steps.first;
    const passes = [...ofBatch, ...added.first];
    const first = diagnostics ? [...passes, programs.splitNorms] : [...begin, ...passes];
    let gradients: Promise<GradientReadback> | null = null;
    if (gradientRoles === undefined) this.#submit([...first, programs.firstStep]);
    else {
      this.#submit(first);
      gradients = this.gradientDiagnosis.measure(gradientRoles);
      // Its failure is handled below. This keeps it quiet if an earlier submission throws first.
      gradients.catch(() => {});
      this.#submit([programs.firstStep]);
    }
    const weigh = (cut: Minibatches | null): void => {
      if (minibatches === null) return;
      this.#backend.write(this.hyper, cut === null ? minibatches.table : weighedForMinibatches(minibatches.table, cut));
      if (formulas !== undefined) own?.write(formulas, cut);
      this.#submit([steps.weights]);
      replay?.write(cut);
    };
    weigh(minibatches?.cut ?? null);
    for (const parts of laterSteps(innerEpochs, minibatches?.cut ?? null)) {
      const isRescored = needs.selection || own?.needsScoresEachStep === true;
      if (isRescored) {
        // Tokens are chosen from the whole batch.
        attendance.take(
          parts.map((part) => (part === 'none' ? 'none' : 'all')),
          moves(parts),
        );
        this.#submit(programs.selection);
      }
      if (needs.selection) this.#submit([programs.select]);
      if (own?.needsScoresEachStep) this.#submit([steps.heldLater]);
      attendance.take(parts, moves(parts));
      // Minibatches have other rows than the whole batch that was scored.
      const later = (isRescored && minibatches === null ? steps.laterScored : null) ?? steps.later;
      this.#submit([...later, ...added.later, programs.laterStep]);
    }
    // Whoever looks at a token sees its weight in the batch's loss.
    weigh(null);
    if (minibatches !== null) attendance.take(whole, moves(whole));
    return this.#readback(counts, diagnostics, gradients, { own, added });
  }

  /**
   * Records scoring alone; the result gives log π of every target token of any trajectories, [P, B, T]. Call before the
   * backend is prepared. It writes only tensors that the next update overwrites.
   */
  recordScores(): (trajectories: Trajectories) => Promise<ArrayLike<number>> {
    const { logProb } = this.batch.dense;
    const programs = this.#programs.recordScores('log-probs alone', logProb);
    return async (trajectories) => {
      this.#isOverwritten = true;
      this.#attendance.pack(trajectories);
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
    { own, added }: { readonly own: OwnLosses | null; readonly added: Added },
  ): Promise<UpdateReadback> {
    const { batch } = this;
    const tokens = diagnostics ? readTokens(this.#backend, batch) : null;
    const { firstTerms: first, laterTerms: later, firstNorm, policyNorm, worldModelNorm } = this.#programs;
    const small = this.#backend.read(first, later, firstNorm, policyNorm, worldModelNorm, batch.group);
    const [read, ofTokens, ofGradients, ofFormulas, ofAdded] = await Promise.all([
      small,
      tokens,
      gradients,
      own?.read() ?? [],
      added.read(),
    ]);
    const [firstTerms, laterTerms, gradNorm, policyGradNorm, worldModelGradNorm, group] = read;
    // Without a finite gradient a policy takes no step, so a batch that was submitted meanwhile tells the same.
    const fresh = own === null ? [] : this.#breakdowns.take(this.#members, gradNorm, ofFormulas);
    const faults = own === null || fresh.length === 0 || this.#isOverwritten ? [] : await own.faults(fresh);
    return {
      firstTerms,
      laterTerms,
      counts,
      gradNorm,
      policyGradNorm: diagnostics ? policyGradNorm : null,
      worldModelGradNorm: diagnostics ? worldModelGradNorm : null,
      group,
      formulas: ofFormulas.map((one, i) => ({ ...one, faults: faults[i] ?? one.faults })),
      tokens: ofTokens,
      gradients: ofGradients,
      ...ofAdded,
    };
  }
}
