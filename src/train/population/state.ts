/** State of training on the device, as in a snapshot; written at the start or from a snapshot. */
import { baseWeights } from '../../experiment/arm/policyFiles';
import type { Experiment } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import type { PolicyConfiguration } from '../../policy/configuration';
import { inOne, type StoredWeights } from '../../policy/frozen';
import { initialParameters, type ParameterLayout, parameterSize } from '../../policy/parameters';
import { PolicyHistory } from '../../rl/play/policyHistory';
import type { Member } from '../../rl/population';
import type { OptimiserState } from '../../rl/updatePrograms';
import type { Backend, FloatData, Tensor } from '../../tensor/backend';
import { type FileWeights, STATE_TENSORS, type StateTensors } from './training';

type F32 = Tensor<'f32'>;

/** Copies of all parameters needed for policies up to `staleness` updates old. */
export function actingCopies(staleness: number): number {
  return staleness === 0 ? 0 : staleness + 1;
}

/**
 * First weights of every member, [P, N]: those of the base model, or drawn ones, equal for equal seeds, even where an arm begins
 * from a file.
 */
export function drawInitial(
  layout: ParameterLayout,
  members: readonly Member[],
  experimentSeed: number,
  base: Float32Array | null = null,
): Float32Array {
  const initial = new Float32Array(members.length * layout.size);
  const bySeed = new Map<number, Float32Array>();
  members.forEach(({ seed }, index) => {
    const values = base ?? bySeed.get(seed) ?? initialParameters(layout, experimentSeed, seed);
    bySeed.set(seed, values);
    initial.set(values, index * layout.size);
  });
  return initial;
}

export class PolicyState implements OptimiserState {
  readonly parameters: F32;
  readonly firstMoment: F32;
  readonly secondMoment: F32;
  readonly step: F32;
  readonly reference: F32;
  /** Past policies that play; null where the present ones do. */
  readonly history: PolicyHistory | null;
  readonly #backend: Backend;
  /** Reference out of a file, [N], of each member; null where its arm names none. */
  readonly #chosenReferences: readonly (Float32Array | null)[];

  /** Members of a seed begin with the same weights, unless their arms begin from files. */
  constructor(
    backend: Backend,
    configuration: PolicyConfiguration,
    layout: ParameterLayout,
    members: readonly Member[],
    experiment: Pick<Experiment, 'seed' | 'arms' | 'policy'>,
    weights: FileWeights,
  ) {
    const staleness = Math.max(...experiment.arms.map((arm) => arm.staleness));
    const chosen = (hash: string | undefined): Float32Array | null => findWeights(weights, hash ?? '', layout.size);
    const tensor = (label: string, stride: number): F32 => backend.tensor(label, 'f32', members.length, stride);
    this.#backend = backend;
    this.parameters = tensor('parameters', layout.size);
    this.firstMoment = tensor('firstMoment', layout.size);
    this.secondMoment = tensor('secondMoment', layout.size);
    this.step = tensor('step', 1);
    this.reference = tensor('reference', layout.size);
    this.history = staleness === 0 ? null : new PolicyHistory(backend, this.parameters, staleness);
    const stored = findBase(weights, experiment);
    const base =
      stored && (configuration.adapters === undefined ? inOne(configuration, stored) : adaptersIn(layout, stored));
    const initial = drawInitial(layout, members, experiment.seed, base);
    members.forEach(({ armIndex }, index) => {
      const start = chosen(experiment.arms[armIndex]?.startPolicy);
      if (start !== null) initial.set(start, index * layout.size);
    });
    this.#chosenReferences = members.map(({ armIndex }) => chosen(experiment.arms[armIndex]?.referencePolicy));
    backend.write(this.parameters, initial);
    backend.write(
      this.reference,
      experiment.policy.adapterReference === 'model' ? modelBelow(layout, initial) : initial,
    );
    this.writeReferences();
  }

  /** Overwrites references with those out of files, where an arm names one. */
  writeReferences(): void {
    this.#chosenReferences.forEach((values, member) => {
      if (values !== null) this.#backend.write(this.reference, values, member * values.length);
    });
  }

  /** The parameters that play. */
  get acting(): F32 {
    return this.history?.acting ?? this.parameters;
  }

  async read(): Promise<StateTensors> {
    const values = await this.#backend.read(...this.#saved.map(([, tensor]) => tensor));
    const entries = this.#saved.map(([name], i) => [name, values[i] as FloatData] as const);
    return Object.fromEntries(entries) as unknown as StateTensors;
  }

  /** Writes a snapshot's tensors. Throws LabError when they have another shape. */
  write(tensors: StateTensors): void {
    for (const [name, tensor] of this.#saved) {
      const values = tensors[name];
      if (values?.length !== tensor.members * tensor.stride) {
        throw new LabError(
          'invalid-experiment',
          'The saved run has another shape than this experiment.',
          'Resume it with the experiment it was saved with.',
        );
      }
      this.#backend.write(tensor, values);
    }
  }

  get #saved(): (readonly [name: keyof StateTensors, tensor: F32])[] {
    const past = this.history?.past ?? [];
    return [
      ...STATE_TENSORS.map((name) => [name, this[name]] as const),
      ...past.map((tensor, i) => [`past${i}`, tensor] as const),
    ];
  }
}

/** Weights that the experiment's policies begin from; null where they begin from noise. */
function findBase(weights: FileWeights, experiment: Pick<Experiment, 'policy'>): StoredWeights | null {
  const [hash] = baseWeights(experiment);
  if (hash === undefined) return null;
  const base = weights.get(hash) ?? missing(hash);
  return base instanceof Float32Array ? missing(hash) : base;
}

/** Adapters that lie beside the model, [N]; null where there are none, and new ones are drawn. */
function adaptersIn({ specs, size }: ParameterLayout, stored: StoredWeights): Float32Array | null {
  const beside = specs.filter(({ name }) => stored.has(name));
  const parameters = new Float32Array(size);
  for (const { name, offset } of beside) parameters.set(stored.get(name)?.values ?? [], offset);
  return beside.length === 0 ? null : parameters;
}

/** The same parameters [P, N] with adapters that add nothing: B is 0. */
function modelBelow({ specs, size }: ParameterLayout, initial: Float32Array): Float32Array {
  const below = initial.slice();
  for (const spec of specs.filter(({ name }) => name.endsWith('.B'))) {
    for (let at = spec.offset; at < below.length; at += size) below.fill(0, at, at + parameterSize(spec));
  }
  return below;
}

/** Weights below the adapters. Throws LabError where there are none. */
export function baseOf(weights: FileWeights, experiment: Pick<Experiment, 'policy'>): StoredWeights {
  const base = findBase(weights, experiment);
  if (base !== null) return base;
  throw new LabError('invalid-experiment', 'Adapters need weights below them.', 'Begin from a language model.');
}

/** Weights of a named file; null where none is named. Throws LabError 'missing-policy' where it was not given. */
function findWeights(weights: FileWeights, hash: string, size: number): Float32Array | null {
  if (hash === '') return null;
  const values = weights.get(hash);
  if (!(values instanceof Float32Array)) return missing(hash);
  if (values.length === size) return values;
  const what = `The policy’s file has ${values.length} parameters, and the policies of this experiment ${size}.`;
  throw new LabError('invalid-experiment', what, 'Begin from the experiment that the file comes from.');
}

function missing(hash: string): never {
  const what = `The experiment begins from the policy’s file with the SHA-256 ${hash}, which is not here.`;
  throw new LabError('missing-policy', what, 'Ask for the file, and choose it.');
}
