/** Series, operations timed over sizes, and their tensors: numbers that are not 0, whole trajectories, all tokens legal. */
import { ROLE } from '../../foundation/roles';
import type { Backend, Operations, ParameterView, Sequences, Tensor } from '../../tensor/backend';
import { HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS } from '../../tensor/layout';

export interface SeriesSize {
  readonly at: number;
  /** Size in words: "V = 4,096, 2,048 rows". */
  readonly words: string;
  readonly flops: number;
  readonly bytes: number;
  /** Elements of the large tensors, to know beforehand whether they fit. */
  readonly tensors: readonly number[];
  /** True where a single dispatch does all the work; sizes too large for a slow device are then left out. */
  readonly whole: boolean;
  /** Allocates the tensors; the result records the operation. */
  build(backend: Backend): (operations: Operations) => void;
}

export interface TimedSeries {
  readonly axis: string;
  readonly bound: 'compute' | 'memory';
  sizes(software: boolean): readonly SeriesSize[];
}

/** Channels of the fused head and of attention, as in a small policy. */
export const WIDTH = 64;
/** Tokens of a trajectory, where the series is not over its length. */
export const TRAJECTORY = 16;

export const inDigits = (value: number): string => value.toLocaleString('en');

export function rowsFor(backend: Backend, trajectories: number, length: number, vocabulary: number): Sequences {
  const capacity = trajectories * length;
  const data = new Uint32Array(capacity * ROW_FIELDS);
  for (let r = 0; r < capacity; r++) {
    const s = Math.floor(r / length);
    data.set([(r * 7) % vocabulary, r % length, s * length, packMeta(ROLE.observation, 0, s)], r * ROW_FIELDS);
  }
  const u32 = (label: string, values: Uint32Array): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', 1, values.length);
    backend.write(tensor, values);
    return tensor;
  };
  return {
    table: u32('table', data),
    count: u32('count', Uint32Array.of(capacity)),
    start: u32(
      'start',
      Uint32Array.from({ length: trajectories + 1 }, (_, s) => s * length),
    ),
    capacity,
    sequences: trajectories,
  };
}

/** Hyperparameters and legal sets: all tokens legal, temperature 1, and weights that make every target needed. */
export function settings(backend: Backend, vocabulary: number): { hyper: Tensor<'f32'>; legalSets: Tensor<'u32'> } {
  const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
  const row = new Float32Array(HYPER_COLUMNS);
  row[HYPER.temperature] = 1;
  row[HYPER.learningRate] = 1e-4;
  row[HYPER.beta1] = 0.9;
  row[HYPER.beta2] = 0.999;
  row[HYPER.epsilon] = 1e-8;
  row[HYPER.maxGradNorm] = 1;
  row[HYPER.crossEntropy + ROLE.observation] = 1;
  backend.write(hyper, row);
  const words = Math.ceil(vocabulary / 32);
  const legalSets = backend.tensor('legalSets', 'u32', 1, words);
  const legal = new Uint32Array(words).fill(0xffffffff);
  if (vocabulary % 32 !== 0) legal[words - 1] = 2 ** (vocabulary % 32) - 1;
  backend.write(legalSets, legal);
  return { hyper, legalSets };
}

export const view = (tensor: Tensor<'f32'>, shape: readonly number[]): ParameterView => ({ tensor, offset: 0, shape });
