/**
 * Norms that show where an update's gradient comes from and where it goes: that of each role's losses alone, and those of
 * the policy's and the world model's part in each layer. They are measured before the first optimiser step. The passes
 * write only tensors that training overwrites before it reads them.
 */

import { ROLE, ROLES } from '../../../foundation/roles';
import { type ParameterGroup, parameterGroups } from '../../../policy/parameterGroups';
import type { Backend, FloatData, Program, Tensor } from '../../../tensor/backend';
import { type Microbatch, restoreTargets, restrictTargets } from '../../learn/microbatches';
import type { FindParameter, Passes, Trained } from '../../learn/passes';
import { isComparable } from '../../measure/cosine';
import type { LookedBatch } from '../looked';
import type { LayerNumbers } from './table';

type F32 = Tensor<'f32'>;

export interface GradientTensors {
  /** The whole gradient, and its world-model part: [P, N]. */
  readonly gradients: F32;
  readonly worldModelGradients: F32;
  /** Scratch of gradientNorm. */
  readonly normScratch: F32;
}

export interface GradientReadback {
  /** Gradient norms, [P] for each role in the order of ROLES. */
  readonly roleNorms: readonly ArrayLike<number>[];
  /** Numbers of each layer, [P][layers]. */
  readonly layers: readonly (readonly LayerNumbers[])[];
}

/** Programs of a microbatch: up to the derivatives by log-prob, from there to the logits, from there to the parameters. */
interface RolePrograms {
  readonly losses: Program;
  readonly logits: Program;
  readonly parameters: Program;
}

export class GradientDiagnosis {
  /** Names, from the input to the output. */
  readonly layers: readonly string[];
  readonly #backend: Backend;
  readonly #members: number;
  readonly #groups: readonly ParameterGroup[];
  readonly #stride: number;
  readonly #microbatches: readonly Microbatch[];
  readonly #passes: Passes;
  readonly #policy: FindParameter;
  readonly #tensors: GradientTensors;
  readonly #norms: readonly F32[];
  readonly #normPrograms: readonly Program[];
  readonly #silenceCritic: Program;
  #recorded: { readonly trained: Trained; readonly programs: readonly RolePrograms[] } | null = null;

  constructor(backend: Backend, looked: LookedBatch, tensors: GradientTensors) {
    const { members, layout, policy, microbatches, passes } = looked;
    this.#backend = backend;
    this.#members = members;
    this.#groups = parameterGroups(layout);
    this.layers = this.#groups.map(({ name }) => name);
    this.#stride = layout.size;
    this.#microbatches = microbatches;
    this.#passes = passes;
    this.#policy = policy;
    this.#tensors = tensors;
    this.#norms = ROLES.map((role) => backend.tensor(`${role}GradNorm`, 'f32', members, 1));
    this.#normPrograms = this.#norms.map((norm, role) =>
      backend.record(`gradient norm of the ${ROLES[role]} tokens`, members, (ops) => {
        ops.gradientNorm(norm, tensors.normScratch, tensors.worldModelGradients, null);
      }),
    );
    this.#silenceCritic = backend.record('no critic', members, (ops) => passes.silenceCritic(ops));
  }

  /** Records and compiles the passes that measure() needs for the trained parts, unless they were recorded last. */
  async prepare(trained: Trained): Promise<void> {
    if (this.#recorded?.trained === trained) return;
    const programs = this.#microbatches.map((microbatch, index) => this.#record(microbatch, index, trained));
    this.#recorded = { trained, programs };
    await this.#backend.prepare();
  }

  #record(microbatch: Microbatch, index: number, trained: Trained): RolePrograms {
    const [passes, policy] = [this.#passes, this.#policy];
    const record = (label: string, build: Parameters<Backend['record']>[2]): Program =>
      this.#backend.record(`gradient of a role: ${label}`, this.#members, build);
    return {
      losses: record('losses', (ops) => {
        passes.score(ops, policy, microbatch);
        passes.objective(ops, policy, microbatch, trained);
      }),
      logits: record('logits', (ops) => passes.backwardLogits(ops, policy, microbatch)),
      parameters: record('parameters', (ops) => {
        const to = this.#tensors.worldModelGradients;
        passes.backwardParameters(ops, policy, microbatch, to, { critic: trained.critic, accumulate: index > 0 });
      }),
    };
  }

  /**
   * Measures both gradients, which must be in their tensors before a step is taken; the world model's is overwritten.
   * All work is submitted before this returns. roles: those with a loss; the others' norms are 0.
   */
  measure(roles: readonly number[]): Promise<GradientReadback> {
    const whole = this.readWhole();
    // Its failure is handled below. This keeps it quiet if an earlier submission throws first.
    whole.catch(() => {});
    for (const role of roles) this.#measureRole(role);
    const norms = this.#backend.read(...this.#norms);
    return this.#readback(whole, norms, roles);
  }

  /** The whole gradient, and its world-model part. */
  readWhole(): Promise<readonly [FloatData, FloatData]> {
    const { gradients, worldModelGradients } = this.#tensors;
    return this.#backend.read(gradients, worldModelGradients);
  }

  #measureRole(role: number): void {
    if (this.#recorded === null) throw new RangeError('Gradients of roles are measured before they are prepared.');
    const { programs, trained } = this.#recorded;
    const backend = this.#backend;
    this.#microbatches.forEach((microbatch, index) => {
      const { losses, logits, parameters } = programs[index];
      backend.run(losses);
      // The value loss is counted with the actions.
      if (trained.critic && role !== ROLE.action) backend.run(this.#silenceCritic);
      restrictTargets(backend, microbatch, role);
      backend.run(logits);
      restoreTargets(backend, microbatch);
      backend.run(parameters);
    });
    backend.run(this.#normPrograms[role]);
  }

  async #readback(
    whole: Promise<readonly [FloatData, FloatData]>,
    norms: Promise<readonly FloatData[]>,
    roles: readonly number[],
  ): Promise<GradientReadback> {
    const [[gradients, worldModel], read] = await Promise.all([whole, norms]);
    const members = Array.from({ length: this.#members }, (_, member) => member * this.#stride);
    return {
      roleNorms: ROLES.map((_, role) => (roles.includes(role) ? read[role] : new Float32Array(this.#members))),
      layers: members.map((first) => this.#groups.map(({ ranges }) => compare(gradients, worldModel, first, ranges))),
    };
  }
}

/** Comparison of a gradient's world-model part with the rest of it, over some ranges of the row that begins at `first`. */
function compare(
  gradients: FloatData,
  worldModel: FloatData,
  first: number,
  ranges: ParameterGroup['ranges'],
): LayerNumbers {
  let [policySquares, worldSquares, product] = [0, 0, 0];
  for (const [from, to] of ranges) {
    for (let i = first + from; i < first + to; i++) {
      const world = worldModel[i];
      const policy = gradients[i] - world;
      policySquares += policy * policy;
      worldSquares += world * world;
      product += policy * world;
    }
  }
  const [policy, world] = [Math.sqrt(policySquares), Math.sqrt(worldSquares)];
  return { policy, worldModel: world, cosine: isComparable(policy, world) ? product / (policy * world) : Number.NaN };
}
