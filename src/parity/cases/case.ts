/**
 * Parity cases: tensors with given contents, one program, and the outputs to compare. All contents are float32 or u32 and
 * drawn from Philox by the case's name, so every backend starts from the same bits. Elements that no operation may read
 * (rows beyond the count, outputs before they are written) are NaN or 0xffffffff.
 */
import { RandomStream } from '../../foundation/philox';
import type {
  Backend,
  ElementType,
  Operations,
  ParameterView,
  Program,
  Rows,
  Sequences,
  Tensor,
  WeightType,
} from '../../tensor/backend';
import { placeInWords } from './place';

export interface TensorSpec {
  readonly type: ElementType;
  readonly members: number;
  readonly data: Float32Array | Uint32Array | Uint16Array;
}

export interface OutputSpec {
  /** Name of the tensor. */
  readonly tensor: string;
  /** |got − expected| ≤ atol + rtol·|expected|; u32 tensors are compared exactly. */
  readonly atol: number;
  readonly rtol: number;
  /** 1 where elements are compared, [members · stride]; all are when absent. */
  readonly compared?: Uint8Array;
  /** True if an expected 0 must be met exactly. */
  readonly exactZeros?: boolean;
}

export interface ParityCase {
  readonly operation: keyof Operations;
  readonly name: string;
  readonly members: number;
  readonly tensors: Readonly<Record<string, TensorSpec>>;
  readonly build: (operations: Operations, tensors: CaseTensors) => void;
  readonly outputs: readonly OutputSpec[];
}

/** Tensors of a case on one backend, by name. */
export interface CaseTensors {
  f32(name: string): Tensor<'f32'>;
  u32(name: string): Tensor<'u32'>;
  /** Tensor of weights, of any type. */
  weights(name: string): Tensor<WeightType>;
  view(parameter: ParameterPlace): ParameterView;
  /** Row table from the tensors `${name}.table` and `${name}.count`. */
  rows(name?: string): Rows;
  /** Row table as rows(), with the starts of sequences from `${name}.start`. */
  sequences(name?: string): Sequences;
}

export interface ParameterPlace {
  readonly tensor: string;
  readonly offset: number;
  readonly shape: readonly number[];
}

export type CaseOutput = Float64Array | Float32Array | Uint32Array;

/** Allocates the tensors on a backend and fills them. */
export function allocate(backend: Backend, specs: Readonly<Record<string, TensorSpec>>): CaseTensors {
  const tensors = new Map<string, Tensor>();
  for (const [name, { type, members, data }] of Object.entries(specs)) {
    const tensor = backend.tensor(name, type, members, data.length / members);
    backend.write(tensor, data);
    tensors.set(name, tensor);
  }
  const find = <E extends ElementType>(name: string, type: E): Tensor<E> => {
    const tensor = tensors.get(name);
    if (tensor?.type !== type) throw new Error(`The case has no ${type} tensor named ${name}.`);
    return tensor as Tensor<E>;
  };
  const rows = (name = 'rows'): Rows => {
    const table = find(`${name}.table`, 'u32');
    return { table, count: find(`${name}.count`, 'u32'), capacity: table.stride / 4 };
  };
  return {
    f32: (name) => find(name, 'f32'),
    u32: (name) => find(name, 'u32'),
    weights: (name) => find(name, specs[name]?.type as WeightType),
    view: ({ tensor, offset, shape }) => ({ tensor: find(tensor, 'f32'), offset, shape }),
    rows,
    sequences: (name = 'rows') => {
      const start = find(`${name}.start`, 'u32');
      return { ...rows(name), start, sequences: start.stride - 1 };
    },
  };
}

/** Runs a case and reads its outputs, in the order of `outputs`. recorded: called with the program before it runs. */
export async function runCase(
  backend: Backend,
  parityCase: ParityCase,
  recorded: (program: Program) => void = () => {},
): Promise<CaseOutput[]> {
  const tensors = allocate(backend, parityCase.tensors);
  const program = backend.record(parityCase.name, parityCase.members, (operations) =>
    parityCase.build(operations, tensors),
  );
  recorded(program);
  await backend.prepare();
  backend.run(program);
  const outputs = parityCase.outputs.map(({ tensor: name }) =>
    parityCase.tensors[name]?.type === 'u32' ? tensors.u32(name) : tensors.f32(name),
  );
  return (await backend.read(...outputs)) as unknown as CaseOutput[];
}

/** Case with one member of another case alone; tensors shared by all members stay the same. */
export function aloneCase(parityCase: ParityCase, p: number): ParityCase {
  const own = <T extends TensorSpec['data'] | Uint8Array>(data: T, members: number): T => {
    const stride = data.length / members;
    return (members === 1 ? data : data.slice(p * stride, (p + 1) * stride)) as T;
  };
  const tensors = Object.entries(parityCase.tensors).map(
    ([name, { type, members, data }]) => [name, { type, members: 1, data: own(data, members) }] as const,
  );
  const outputs = parityCase.outputs.map(({ compared, ...output }) =>
    compared === undefined ? output : { ...output, compared: own(compared, parityCase.members) },
  );
  return { ...parityCase, members: 1, tensors: Object.fromEntries(tensors), outputs };
}

/** Number of differences described in words; the others have indices only. */
const TOLD = 10;

/** Agreement of a case's outputs with those of the reference. */
export interface CaseAgreement {
  /** Number of elements compared. */
  readonly compared: number;
  /** Largest difference, in units of the tolerance there; infinite where the tolerance is 0 or a value is NaN. */
  readonly worst: number;
  /** Place of that difference: `out[0, 17]`; empty where nothing differs. */
  readonly where: string;
  /** Absolute difference. */
  readonly error: number;
  /** Differences beyond tolerance, as readable lines; empty when the outputs agree. */
  readonly differences: readonly string[];
}

export function agreement(
  parityCase: ParityCase,
  got: readonly CaseOutput[],
  expected: readonly CaseOutput[],
): CaseAgreement {
  const lines: string[] = [];
  let [compared, worst, error, where] = [0, 0, 0, ''];
  parityCase.outputs.forEach((output, which) => {
    const stride = expected[which].length / (parityCase.tensors[output.tensor]?.members ?? 1);
    expected[which].forEach((want, i) => {
      if (output.compared !== undefined && output.compared[i] === 0) return;
      compared++;
      const value = got[which][i];
      if (Object.is(value, want) || value === want) return;
      const tolerance = output.exactZeros && want === 0 ? 0 : output.atol + output.rtol * Math.abs(want);
      const difference = Math.abs(value - want);
      // A NaN counts as an infinite difference.
      const share = difference / tolerance || Number.POSITIVE_INFINITY;
      const [p, element] = [Math.floor(i / stride), i % stride];
      const place = `${output.tensor}[${p}, ${element}]`;
      if (share > worst) [worst, error, where] = [share, difference, place];
      if (difference <= tolerance) return;
      const words = lines.length < TOLD ? placeInWords(parityCase, output.tensor, p, element) : '';
      lines.push(`${place} is ${value}, expected ${want}${words && ` (${words})`}`);
    });
  });
  return { compared, worst, where, error, differences: lines };
}

/** Differences beyond tolerance, as readable lines; empty when the outputs agree. */
export function differences(
  parityCase: ParityCase,
  got: readonly CaseOutput[],
  expected: readonly CaseOutput[],
): readonly string[] {
  return agreement(parityCase, got, expected).differences;
}

/** Stream of random numbers that depends on the name alone. */
export function randomFor(name: string): RandomStream {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193) >>> 0;
  return new RandomStream(hash, 0, 0, 0, 0);
}

export function f32(members: number, data: ArrayLike<number>): TensorSpec {
  return { type: 'f32', members, data: Float32Array.from(data) };
}

export function u32(members: number, data: ArrayLike<number>): TensorSpec {
  return { type: 'u32', members, data: Uint32Array.from(data) };
}

export function normal(random: RandomStream, members: number, stride: number, deviation = 1): TensorSpec {
  return f32(
    members,
    Array.from({ length: members * stride }, () => deviation * random.normal()),
  );
}

/** Tensor of NaN, for elements that an operation must write before they are read. */
export function unwritten(members: number, stride: number): TensorSpec {
  return f32(members, new Float32Array(members * stride).fill(Number.NaN));
}

/** Tensor with random values in the rows in use, NaN in the others. */
export function normalRows(
  random: RandomStream,
  counts: readonly number[],
  capacity: number,
  columns: number,
  deviation = 1,
): TensorSpec {
  const used = rowMask(counts, capacity, columns);
  return f32(
    counts.length,
    Array.from(used, (isUsed) => (isUsed === 1 ? deviation * random.normal() : Number.NaN)),
  );
}

/** Mask of a [P, capacity, columns] tensor: 1 for elements of the rows in use. */
export function rowMask(counts: readonly number[], capacity: number, columns: number): Uint8Array {
  const mask = new Uint8Array(counts.length * capacity * columns);
  counts.forEach((count, p) => {
    mask.fill(1, p * capacity * columns, (p * capacity + count) * columns);
  });
  return mask;
}

export interface ParameterPlan {
  readonly size: number;
  readonly places: readonly ParameterPlace[];
}

/** Places parameters in the named tensor, with gaps between them that no operation may touch. */
export function placeParameters(tensor: string, ...shapes: readonly (readonly number[])[]): ParameterPlan {
  let offset = 8;
  const places = shapes.map((shape) => {
    const place = { tensor, offset, shape };
    offset += shape.reduce((a, b) => a * b, 1) + 4;
    return place;
  });
  return { size: offset, places };
}

/** Partials [P, chunks, N]: NaN where gradients of the parameters must be written, 123.5 everywhere else. */
export function partialsFor(members: number, chunks: number, plan: ParameterPlan): TensorSpec {
  const data = new Float32Array(members * chunks * plan.size).fill(123.5);
  for (let chunk = 0; chunk < members * chunks; chunk++) {
    for (const { offset, shape } of plan.places) {
      const first = chunk * plan.size + offset;
      data.fill(Number.NaN, first, first + shape.reduce((a, b) => a * b, 1));
    }
  }
  return f32(members, data);
}
