/**
 * Parts of an update, allocated and recorded once: the batch on the device, its microbatches, the passes and programs,
 * losses written as text, and looks at a batch. update.ts is the algorithm that runs them.
 */
import type { Environment } from '../environments/environment';
import type { Arm } from '../experiment/experiment';
import type { PolicyConfiguration } from '../policy/configuration';
import { type ParameterLayout, parameterViews } from '../policy/parameters';
import type { Backend, Program, Tensor } from '../tensor/backend';
import { AddedLosses } from './learn/added';
import { Attendance } from './learn/attendance';
import { allocateBatch, type BatchTensors } from './learn/batch';
import { Breakdowns } from './learn/breakdowns';
import { allocateMicrobatch, keepMicrobatch, type Microbatch } from './learn/microbatches';
import type { Needs } from './learn/needs';
import { OwnLosses } from './learn/ownLosses';
import { Passes, type Trained } from './learn/passes';
import { GradientDiagnosis } from './look/diagnosis/gradients';
import { BatchInspection } from './look/inspection';
import { BatchResiduals } from './look/residuals';
import { readTokens } from './measure/tokenReadback';
import type { Plan } from './plan';
import type { Trajectories } from './play/trajectories';
import type { Member } from './population';
import type { UpdateSizes } from './updateContract';
import { type OptimiserState, type StepPrograms, UpdatePrograms } from './updatePrograms';

type F32 = Tensor<'f32'>;

/** Material of updates: the world, the policies with their state, and how a batch is cut. */
export interface UpdateMaterial {
  readonly environment: Environment;
  readonly configuration: PolicyConfiguration;
  readonly layout: ParameterLayout;
  readonly state: OptimiserState;
  readonly members: readonly Member[];
  readonly sizes: UpdateSizes;
  readonly plan: Plan;
  /** Table of hyperparameters, [P, HYPER_COLUMNS]. */
  readonly hyper: F32;
  readonly legalSets: Tensor<'u32'>;
}

export class UpdateParts {
  readonly plan: Plan;
  readonly microbatches: readonly Microbatch[];
  readonly batch: BatchTensors;
  readonly hyper: F32;
  readonly inspection: BatchInspection;
  readonly gradientDiagnosis: GradientDiagnosis;
  readonly residuals: BatchResiduals;
  protected readonly backend: Backend;
  protected readonly members: number;
  /** Offset of the value head, the last of the parameters. */
  protected readonly valueHead: number;
  protected readonly attendance: Attendance;
  protected readonly programs: UpdatePrograms;
  protected readonly added: AddedLosses;
  protected readonly breakdowns = new Breakdowns();
  /** True if something else than an update was scored since the last one: its numbers are in the batch. */
  protected isOverwritten = false;
  readonly #ownLosses: OwnLosses;
  /** Programs by the parts that are trained; those with formulas are recorded again when the formulas change. */
  readonly #recorded = new Map<Trained, StepPrograms>();
  readonly #plain: Trained = { critic: false, ownLosses: null };
  #trained: Trained = this.#plain;
  #queue: Program[] = [];

  constructor(backend: Backend, material: UpdateMaterial) {
    const { environment, configuration, layout, state, members: population, sizes, plan, hyper, legalSets } = material;
    const { length: members } = population;
    this.backend = backend;
    this.members = members;
    this.valueHead = layout.specs.find(({ name }) => name === 'value.weight')?.offset ?? layout.size;
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
    this.attendance = new Attendance(backend, microbatches, members);
    const { active } = this.attendance;
    const trained = { members, plan, layout, state, batch, microbatches };
    this.programs = new UpdatePrograms(backend, { ...trained, passes, hyper, active });
    this.#recorded.set(this.#plain, this.programs.recordSteps(this.#plain));
    this.#ownLosses = new OwnLosses(backend, { members: population, plan, batch, hyper });
    const policy = parameterViews(layout, state.parameters);
    const { gradients } = this.programs;
    const reference = parameterViews(layout, state.reference);
    const { vocabulary } = configuration;
    const teachers = { reference, success: policy };
    const ofAdded = { members, plan, batch, passes, policy, teachers, gradients, vocabulary };
    this.added = new AddedLosses(backend, ofAdded);
    const looked = { members, configuration, layout, policy, batch, microbatches, passes };
    this.inspection = new BatchInspection(backend, looked, this.programs.reference, () => this.#trained);
    this.gradientDiagnosis = new GradientDiagnosis(backend, looked, this.programs);
    this.residuals = new BatchResiduals(backend, looked, gradients);
  }

  /** Records the parts that these needs, and these arms' formulas, take beyond the usual; true if there were such. */
  arrange(arms: readonly Arm[], needs: Pick<Needs, 'critic'> = { critic: false }): boolean {
    const isAddedNew = this.added.arrange(arms);
    const rearranged = this.#ownLosses.arrange(arms);
    const ownLosses = this.#ownLosses.isEmpty ? null : this.#ownLosses;
    // A critic once used keeps its programs: its gradients are 0 where no member has one.
    const critic = needs.critic || this.#trained.critic;
    if (!rearranged && critic === this.#trained.critic) return isAddedNew;
    if (this.#trained !== this.#plain) this.#recorded.delete(this.#trained);
    this.#trained = ownLosses === null && !critic ? this.#plain : { critic, ownLosses };
    if (this.#recorded.has(this.#trained)) return isAddedNew;
    this.#recorded.set(this.#trained, this.programs.recordSteps(this.#trained));
    return true;
  }

  /** Arranges these needs and arms, and compiles all new programs. Call before run(). */
  async prepare(needs: Needs, arms: readonly Arm[] = [], measuresRoles = false): Promise<void> {
    if (this.arrange(arms, needs)) await this.backend.prepare();
    if (measuresRoles) await this.gradientDiagnosis.prepare(this.#trained);
  }

  /** Compiles the programs for gradients by role where no formula is trained. */
  prepareRoles(): Promise<void> {
    return this.gradientDiagnosis.prepare(this.#plain);
  }

  /**
   * Records scoring alone; the result gives log π of every target token of any trajectories, [P, B, T]. Call before the
   * backend is prepared. It writes only tensors that the next update overwrites.
   */
  recordScores(): (trajectories: Trajectories) => Promise<ArrayLike<number>> {
    const { logProb } = this.batch.dense;
    const programs = this.programs.recordScores('log-probs alone', logProb);
    return async (trajectories) => {
      this.isOverwritten = true;
      this.attendance.pack(trajectories);
      this.queue(...programs);
      this.send();
      const [values] = await this.backend.read(logProb);
      return values;
    };
  }

  /** Copies the rows of the present batch; the result writes them back after other trajectories were scored. */
  keepRows(): () => void {
    const restores = this.microbatches.map((microbatch) => keepMicrobatch(this.backend, microbatch));
    return () => {
      for (const restore of restores) restore();
    };
  }

  /** Reads back as much as a diagnosed update does: before the run, it shows whether memory suffices. */
  async readDiagnosed(): Promise<void> {
    await readTokens(this.backend, this.batch);
    await this.gradientDiagnosis.readWhole();
  }

  /** Formulas and programs of an update; without formulas where none takes part in it. */
  protected trainedWith(hasFormulas: boolean): Pick<Trained, 'ownLosses'> & { readonly recorded: StepPrograms } {
    const trained = !hasFormulas && this.#trained.ownLosses !== null ? this.#plain : this.#trained;
    return { ownLosses: trained.ownLosses, recorded: this.#recorded.get(trained) as StepPrograms };
  }

  /** Programs that run with the next send(). */
  protected queue(...programs: readonly Program[]): void {
    this.#queue.push(...programs);
  }

  /** Runs the queue: in one submission for a single microbatch, otherwise one by one to keep each submission short. */
  protected send(): void {
    const programs = this.#queue;
    this.#queue = [];
    if (programs.length === 0) return;
    if (this.plan.microbatches === 1) this.backend.run(...programs);
    else for (const program of programs) this.backend.run(program);
  }
}
