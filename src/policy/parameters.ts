/**
 * Place of every parameter of a policy in its [N] row of the population's [P, N] tensor, and its initial value. One
 * tensor for all parameters means one dispatch for AdamW, one for the gradient norm, one buffer for a checkpoint.
 */
import { RandomStream, STREAM } from '../foundation/philox';
import type { ParameterView, Tensor } from '../tensor/backend';
import {
  type AdapterForm,
  adaptedMaps,
  type BlockMap,
  blockWidths,
  filledRank,
  isBiased,
  type PolicyConfiguration,
} from './configuration';

export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** First element in the member's row; a multiple of 4. */
  readonly offset: number;
  /** `drawn`: columns at the beginning of each row that are drawn, all unless said; the others are 0. */
  readonly initial: 'zero' | 'one' | { readonly sd: number; readonly drawn?: number };
}

export interface ParameterLayout {
  readonly specs: readonly ParameterSpec[];
  /** N, padded to a multiple of 4. */
  readonly size: number;
  /** Weights that adapters leave alone, by name, which all members share; empty without adapters. */
  readonly frozen: ReadonlyMap<string, ParameterView>;
}

/** Number of elements of a parameter. */
export function parameterSize({ shape }: ParameterSpec): number {
  return shape.reduce((a, b) => a * b, 1);
}

/** Most numbers of a member's row that an operation uses at once: a matrix with the vectors around it, or both embeddings. */
export function mostTogether({ specs, size }: ParameterLayout): number {
  const matrices = specs.filter(({ shape }) => shape.length > 1);
  const end = (spec: ParameterSpec | undefined): number => (spec ? spec.offset + parameterSize(spec) : 0);
  const embeddings = end(matrices.find(({ name }) => name === 'positions'));
  return Math.max(embeddings, ...matrices.map((_, i) => (matrices[i + 1]?.offset ?? size) - end(matrices[i - 1])));
}

/** Largest standard deviation of the head: the first policy is near uniform (Andrychowicz et al., arXiv 2006.05990). */
const HEAD_SD = 0.02;
/** Standard deviation of all that GPT-2 draws (Radford et al., 2019). */
const GPT2_SD = 0.02;

interface InitialDeviations {
  /** Deviation of token and position vectors. */
  readonly embedding: number;
  /** Standard deviation of the initial weights of a matrix with this many inputs. */
  matrix(fanIn: number): number;
  /** Deviation of a matrix whose output is added to the residual stream. */
  residual(fanIn: number): number;
  readonly head: number;
}

/**
 * Standard deviations of the initial weights, by name; all are drawn from normal distributions.
 * - `normal`: the same everywhere, `initialScale`; the head at most 0.02.
 * - `fan-in`: 1/√inputs, which keeps the variance of a layer's output that of its input (LeCun et al., 1998; the default
 *   of Flax); an embedding counts its width. The head at most 0.02.
 * - `gpt-2`: 0.02 everywhere, matrices that write to the residual stream divided by √(2 · layers), one for each of its
 *   summands.
 */
function initialDeviations(configuration: PolicyConfiguration): InitialDeviations {
  const { initialisation, initialScale, layers, width } = configuration;
  const ofFanIn = (fanIn: number): number => 1 / Math.sqrt(fanIn);
  switch (initialisation) {
    case 'normal': {
      const same = (): number => initialScale;
      return { embedding: initialScale, matrix: same, residual: same, head: Math.min(HEAD_SD, initialScale) };
    }
    case 'fan-in':
      return { embedding: ofFanIn(width), matrix: ofFanIn, residual: ofFanIn, head: Math.min(HEAD_SD, ofFanIn(width)) };
    case 'gpt-2': {
      const scaled = GPT2_SD / Math.sqrt(2 * layers);
      return { embedding: GPT2_SD, matrix: () => GPT2_SD, residual: () => scaled, head: GPT2_SD };
    }
  }
}

/**
 * The layout of what is trained of a policy: all of it, or its adapters. Matrices are [in, out]. The value head is always there, at
 * zero, so that objectives with and without a critic can share a population.
 */
export function layoutParameters(configuration: PolicyConfiguration): ParameterLayout {
  const specs: ParameterSpec[] = [];
  let offset = 0;
  const add: Add = (name, shape, initial) => {
    specs.push({ name, shape, offset, initial });
    offset += Math.ceil(shape.reduce((a, b) => a * b, 1) / 4) * 4;
  };
  if (configuration.adapters === undefined) addWeights(configuration, add);
  else addAdapters(configuration, configuration.adapters, add);
  add('value.weight', [configuration.width], 'zero');
  add('value.bias', [1], 'zero');
  return { specs, size: offset, frozen: new Map() };
}

type Add = (name: string, shape: readonly number[], initial: ParameterSpec['initial']) => void;

function addWeights(configuration: PolicyConfiguration, add: Add): void {
  const { layers, width: C, context, vocabulary, positions, llama } = configuration;
  const deviations = initialDeviations(configuration);
  const { qkv, attention, hidden, up } = blockWidths(configuration);
  const addMap = (layer: number, map: BlockMap, [fanIn, fanOut]: readonly [number, number], sd: number): void => {
    add(`layer${layer}.${map}.weight`, [fanIn, fanOut], { sd });
    if (isBiased(configuration, map)) add(`layer${layer}.${map}.bias`, [fanOut], 'zero');
  };
  const addNorm = (name: string): void => {
    add(`${name}.gamma`, [C], 'one');
    if (llama === undefined) add(`${name}.beta`, [C], 'zero');
  };

  if (!llama?.tied) add('tokens', [vocabulary, C], { sd: deviations.embedding });
  if (positions === 'learned') add('positions', [context, C], { sd: deviations.embedding });
  for (let layer = 0; layer < layers; layer++) {
    addNorm(`layer${layer}.attentionNorm`);
    addMap(layer, 'qkv', [C, qkv], deviations.matrix(C));
    addMap(layer, 'projection', [attention, C], deviations.residual(attention));
    addNorm(`layer${layer}.feedForwardNorm`);
    addMap(layer, 'up', [C, up], deviations.matrix(C));
    addMap(layer, 'down', [hidden, C], deviations.residual(hidden));
  }
  addNorm('finalNorm');
  add('head.weight', [C, vocabulary], { sd: deviations.head });
}

/**
 * A is drawn with PEFT's deviation, that of numbers even between ±1/√inputs; B is 0, so the first policy is the frozen one. Where
 * both are 0, as where the rank is filled up, their gradients are 0 too, and they stay so.
 */
function addAdapters(configuration: PolicyConfiguration, adapters: AdapterForm, add: Add): void {
  const rank = filledRank(adapters);
  for (let layer = 0; layer < configuration.layers; layer++) {
    for (const { name, inputs, outputs } of adaptedMaps(configuration)) {
      add(`layer${layer}.${name}.A`, [inputs, rank], { sd: 1 / Math.sqrt(3 * inputs), drawn: adapters.rank });
      add(`layer${layer}.${name}.B`, [rank, outputs], 'zero');
    }
  }
}

/** Layout of the weights that a policy's adapters leave alone. */
export function layoutFrozen({ adapters: _, ...configuration }: PolicyConfiguration): ParameterLayout {
  return layoutParameters(configuration);
}

/** Initial parameters of one seed, [N]. The same for every arm: the arm is not part of the key. */
export function initialParameters(layout: ParameterLayout, experimentSeed: number, seedIndex: number): Float32Array {
  const values = new Float32Array(layout.size);
  layout.specs.forEach((spec, index) => {
    if (spec.initial === 'zero') return;
    const count = parameterSize(spec);
    const target = values.subarray(spec.offset, spec.offset + count);
    if (spec.initial === 'one') {
      target.fill(1);
      return;
    }
    const random = new RandomStream(experimentSeed, STREAM.parameters, seedIndex, 0, index);
    const { sd, drawn = Number.POSITIVE_INFINITY } = spec.initial;
    const columns = spec.shape.at(-1) as number;
    for (let i = 0; i < count; i++) if (i % columns < drawn) target[i] = sd * random.normal();
  });
  return values;
}

/** Finder of a policy's parameters by name: those of a [P, N] tensor, and frozen ones. */
export function parameterViews(layout: ParameterLayout, tensor: Tensor<'f32'>): (name: string) => ParameterView {
  const views = new Map(
    layout.specs.map((spec) => [spec.name, { tensor, offset: spec.offset, shape: spec.shape } as ParameterView]),
  );
  return (name) => {
    const view = views.get(name) ?? layout.frozen.get(name);
    if (view === undefined) throw new RangeError(`The policy has no parameter named ${name}.`);
    return view;
  };
}
