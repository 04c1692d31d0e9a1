/** Policies with random parameters, and their numbers by the float64 reference. */

import type { LlamaBlocks } from '../../src/foundation/llamaBlocks';
import { RandomStream } from '../../src/foundation/philox';
import type { OnnxPolicy } from '../../src/onnx/exportOnnx';
import { allocateActivations } from '../../src/policy/activations';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { recordHead, recordTrunk } from '../../src/policy/forward';
import { layoutParameters, parameterSize, parameterViews } from '../../src/policy/parameters';
import type { Backend } from '../../src/tensor/backend';
import { packMeta, ROW_FIELDS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';

const SMALL: PolicyConfiguration = {
  layers: 2,
  width: 32,
  heads: 2,
  context: 24,
  vocabulary: 16,
  positions: 'learned',
  activation: 'relu',
  initialisation: 'normal',
  initialScale: 0.05,
};

/** Blocks of the Llama family for heads of 8, in any number that two share. */
export const SMALL_LLAMA: LlamaBlocks = {
  keyValueHeads: 2,
  headWidth: 8,
  hidden: 20,
  epsilon: 1e-5,
  theta: 10_000,
  tied: true,
  biases: 'none',
};

/**
 * Policy with random parameters. Embeddings are small, so the ε of the first normalisation matters; all others are large
 * enough for every operator to affect the logits.
 */
export function randomPolicy(seed: number, changes: Partial<PolicyConfiguration> = {}): OnnxPolicy {
  const configuration = { ...SMALL, ...changes };
  const layout = layoutParameters(configuration);
  const parameters = new Float32Array(layout.size);
  layout.specs.forEach((spec, index) => {
    const random = new RandomStream(seed, 1, 0, 0, index);
    const [mean, sd] = spec.name.endsWith('gamma')
      ? [1, 0.3]
      : [0, /^(tokens|positions)$/.test(spec.name) ? 0.02 : 0.3];
    for (let i = 0; i < parameterSize(spec); i++) parameters[spec.offset + i] = mean + sd * random.normal();
  });
  return {
    parameters,
    configuration,
    vocabulary: Array.from({ length: configuration.vocabulary }, (_, token) => `wörd ${token}`),
    environment: { id: 'gridworld', settings: { size: 5, slip: 0.1, walls: 0, map: 'fixed', secret: true } },
    experiment: 'preset=gridworld&seed=4',
    member: { arm: 'world-model', seed: 3 },
    update: 17,
    temperature: 0.7,
    results: { successRate: 0.1 + 0.2, observationCrossEntropy: 1e-9, heldOutSuccess: null },
    licence: 'CC0-1.0',
  };
}

export interface ReferenceOutput {
  /** Logits of each sequence, [tokens, vocabulary]. */
  readonly logits: readonly Float64Array[];
  /** The critic's value after each token of each sequence, [tokens]. */
  readonly values: readonly Float64Array[];
}

/** Forward pass of the lab, in float64 unless another backend is given. */
export async function referenceForward(
  { configuration, parameters }: OnnxPolicy,
  sequences: readonly (readonly number[])[],
  backend: Backend = new ReferenceBackend({ poison: true }),
): Promise<ReferenceOutput> {
  const { vocabulary: V, width: C } = configuration;
  const layout = layoutParameters(configuration);
  const capacity = sequences.flat().length;
  const rows = {
    table: backend.tensor('rows', 'u32', 1, capacity * ROW_FIELDS),
    count: backend.tensor('count', 'u32', 1, 1),
    capacity,
  };
  const starts = sequences.map((_, index) => sequences.slice(0, index).flat().length);
  const table = sequences.flatMap((tokens, s) =>
    tokens.flatMap((token, t) => [token, t, starts[s] as number, packMeta(0, 0, s)]),
  );
  backend.write(rows.table, Uint32Array.from(table));
  backend.write(rows.count, Uint32Array.of(capacity));
  const tensor = backend.tensor('parameters', 'f32', 1, layout.size);
  backend.write(tensor, parameters);
  const parameter = parameterViews(layout, tensor);
  const activations = allocateActivations(backend, configuration, 1, capacity, { keep: true, label: 'test' });
  const logits = backend.tensor('logits', 'f32', 1, capacity * V);
  const program = backend.record('forward', 1, (ops) => {
    recordTrunk(ops, configuration, parameter, activations, rows, null);
    recordHead(ops, parameter, logits, activations.finalNorm, rows);
  });
  await backend.prepare();
  backend.run(program);
  const [allLogits, hidden] = await backend.read(logits, activations.finalNorm);
  const view = (name: string): Float32Array => parameters.subarray(parameter(name).offset, parameter(name).offset + C);
  const criticAt = (row: number): number =>
    view('value.weight').reduce(
      (sum, w, c) => sum + w * (hidden[row * C + c] as number),
      view('value.bias')[0] as number,
    );
  return {
    logits: sequences.map((tokens, s) =>
      Float64Array.from(allLogits.subarray((starts[s] as number) * V, ((starts[s] as number) + tokens.length) * V)),
    ),
    values: sequences.map((tokens, s) => Float64Array.from(tokens, (_, t) => criticAt((starts[s] as number) + t))),
  };
}

/** Sequences of random tokens with the given lengths. */
export function randomSequences({ configuration }: OnnxPolicy, lengths: readonly number[], seed: number): number[][] {
  return lengths.map((length, index) => {
    const random = new RandomStream(seed, 2, 0, 0, index);
    return Array.from({ length }, () => random.below(configuration.vocabulary));
  });
}

/** Largest |a − b| as a share of |b|, or of the root mean square of b if that is larger. */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length || a.length === 0) return Number.POSITIVE_INFINITY;
  const scale = Math.sqrt(Array.from(b).reduce((sum, x) => sum + x ** 2, 0) / b.length);
  return Array.from(b).reduce((most, x, i) => {
    const error = Math.abs((a[i] as number) - x) / Math.max(Math.abs(x), scale);
    return Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(most, error);
  }, 0);
}
