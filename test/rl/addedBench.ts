/** One added loss over recorded walks, to compare its gradient with finite differences and its numbers between backends. */
import { expect } from 'vitest';
import { initialParameters, parameterViews } from '../../src/policy/parameters';
import { allocateBatch } from '../../src/rl/learn/batch';
import type { TeachingOptions } from '../../src/rl/learn/distillation/distillation';
import { Passes } from '../../src/rl/learn/passes';
import type { Plan } from '../../src/rl/plan';
import type { Trajectories } from '../../src/rl/play/trajectories';
import type { Backend, Program, Tensor } from '../../src/tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { configuration, groupSize, layout, recordedTrajectories } from './replay';

interface AddedLoss {
  readonly first: readonly Program[];
  lay(trajectories: Trajectories): void;
  /** Mean of each member, [P], before its weight. */
  read(): Promise<ArrayLike<number>>;
}

interface Measured {
  readonly means: ArrayLike<number>;
  readonly gradients: ArrayLike<number>;
}

/** Weight of the loss where its gradient is compared with differences. */
export const WEIGHT = 0.3;

const start = Float64Array.from(initialParameters(layout, 3, 0));
/** Surer than the policy. */
const sure = initialParameters(layout, 8, 0).map((value) => 3 * value);

export class AddedBench {
  readonly #backend: Backend;
  readonly #members: number;
  readonly #loss: AddedLoss;
  readonly #parameters: Tensor<'f32'>;
  readonly #teacher: Tensor<'f32'>;
  readonly #gradients: Tensor<'f32'>;

  constructor(
    backend: Backend,
    members: number,
    cut: Pick<Plan, 'trajectories' | 'microbatches' | 'chunks'>,
    make: (backend: Backend, options: TeachingOptions) => AddedLoss,
  ) {
    const { context, vocabulary } = configuration;
    const plan = { ...cut, bytes: 0 };
    const batch = allocateBatch(backend, { members, groups: 5, groupSize, context, turns: 5 });
    const hyper = backend.tensor('hyper', 'f32', members, HYPER_COLUMNS);
    const legalSets = backend.tensor('legalSets', 'u32', 1, Math.ceil(vocabulary / 32) * 2);
    backend.write(legalSets, Uint32Array.of(2 ** vocabulary - 1, 0b111100));
    const table = new Float32Array(members * HYPER_COLUMNS);
    for (let p = 0; p < members; p++) table[p * HYPER_COLUMNS + HYPER.temperature] = 0.8;
    backend.write(hyper, table);
    const tensor = (label: string) => backend.tensor(label, 'f32', members, layout.size);
    this.#backend = backend;
    this.#members = members;
    this.#parameters = tensor('parameters');
    this.#teacher = tensor('teacher');
    this.#gradients = tensor('gradients');
    const passes = new Passes(backend, configuration, layout, members, plan, batch, hyper, legalSets);
    const policy = parameterViews(layout, this.#parameters);
    const teacher = parameterViews(layout, this.#teacher);
    const teachers = { reference: teacher, success: teacher };
    this.#loss = make(backend, {
      members,
      plan,
      batch,
      passes,
      policy,
      teachers,
      gradients: this.#gradients,
      vocabulary,
    });
  }

  /** Means [P] and gradients [P, N] at these parameters, of every member the same; gradients start at `before`. */
  async at(parameters: Float64Array = start, before = 0): Promise<Measured> {
    const backend = this.#backend;
    await backend.prepare();
    const write = (to: Tensor<'f32'>, from: ArrayLike<number>) => {
      const { size } = layout;
      const all = Float64Array.from({ length: this.#members * size }, (_, i) => from[i % size] as number);
      backend.write(to, backend.kind === 'reference' ? all : Float32Array.from(all));
    };
    write(this.#parameters, parameters);
    write(this.#teacher, sure);
    write(this.#gradients, new Float64Array(layout.size).fill(before));
    this.#loss.lay(recordedTrajectories(this.#members, 0));
    backend.run(...this.#loss.first);
    const means = await this.#loss.read();
    const [gradients] = await backend.read(this.#gradients);
    return { means, gradients };
  }
}

/** Checks that the gradient of one member is that of WEIGHT times its mean, by finite differences in two directions. */
export async function expectGradientOfMean(bench: AddedBench): Promise<void> {
  const { gradients } = await bench.at();
  for (const direction of [initialParameters(layout, 4, 1), initialParameters(layout, 9, 2)]) {
    const step = 1e-4;
    const moved = (sign: number) => start.map((value, i) => value + sign * step * (direction[i] as number));
    const [above, below] = [await bench.at(moved(1)), await bench.at(moved(-1))];
    const numeric = (WEIGHT * ((above.means[0] as number) - (below.means[0] as number))) / (2 * step);
    const analytic = direction.reduce((sum, d, i) => sum + d * (gradients[i] as number), 0);
    expect(Math.abs(numeric)).toBeGreaterThan(1e-3);
    expect(analytic).toBeCloseTo(numeric, 6);
  }
}

/**
 * Checks a bench whose first two members have the loss: theirs is the reference's, added to what stands there; others get nothing.
 */
export async function expectThoseOfReference(bench: AddedBench, expected: Measured): Promise<void> {
  const actual = await bench.at(start, 0.25);
  for (const p of [0, 1]) expect(actual.means[p]).toBeCloseTo(expected.means[p] as number, 5);
  expect(Array.from(actual.means).slice(2).every(Number.isNaN)).toBe(true);
  const N = layout.size;
  const worst = Array.from(actual.gradients, (value, i) => Math.abs(value - 0.25 - (expected.gradients[i] as number)));
  expect(Math.max(...worst)).toBeLessThan(2e-6);
  expect(Math.max(...Array.from(expected.gradients).slice(0, N).map(Math.abs))).toBeGreaterThan(1e-3);
  expect(
    Array.from(actual.gradients)
      .slice(2 * N)
      .every((value) => value === 0.25),
  ).toBe(true);
}
