/**
 * Parity cases of weights that are kept in two bytes a number: cases of operations that read maps, embeddings and heads, with those
 * of random bits. Vectors beside them stay float32.
 */
import type { HalfType } from '../../tensor/halves';
import { type ParityCase, randomFor, type TensorSpec } from './case';

/** Operations that read weights without a gradient of theirs. */
const OPERATIONS: readonly ParityCase['operation'][] = [
  'embed',
  'embedTied',
  'linear',
  'linearBackwardInput',
  'fusedLogProb',
  'fusedLogProbBackward',
];

/** Sign and fraction of a number of two bytes, and the greatest exponent below 1. */
const BELOW_ONE: Readonly<
  Record<HalfType, { readonly free: number; readonly exponent: number; readonly step: number }>
> = {
  bf16: { free: 0x807f, exponent: 126, step: 7 },
  f16: { free: 0x83ff, exponent: 14, step: 10 },
};

/** Numbers below 1 of any size, the smallest ones too, which have no leading 1. */
function halves(name: string, type: HalfType, { members, data }: TensorSpec): TensorSpec {
  const random = randomFor(name);
  const { free, exponent, step } = BELOW_ONE[type];
  const draw = (): number => {
    const bits = random.bits();
    const smaller = (bits >>> 16) % 4 === 0 ? (bits >>> 18) % (exponent + 1) : (bits >>> 18) % 3;
    return (bits & free) | ((exponent - smaller) << step);
  };
  return { type, members, data: Uint16Array.from(data, draw) };
}

/** The same case with its maps, embeddings and heads in two bytes a number. */
function halved(parityCase: ParityCase, type: HalfType): ParityCase {
  const name = `${parityCase.name}, of ${type}`;
  const { parameters } = parityCase.tensors;
  return {
    ...parityCase,
    name,
    tensors: { ...parityCase.tensors, halves: halves(name, type, parameters as TensorSpec) },
    build: (ops, t) =>
      parityCase.build(ops, {
        ...t,
        view: (place) => (place.shape.length === 2 ? { ...place, tensor: t.weights('halves') } : t.view(place)),
      }),
  };
}

/** False where positions or what has a gradient would have to be float32 too, and for numbers that are chosen. */
const isFrozen = ({ operation, name }: ParityCase): boolean =>
  !name.includes('large') &&
  (operation !== 'embed' || name.endsWith('no positions')) &&
  (operation !== 'fusedLogProbBackward' || name.endsWith('head frozen'));

/** A third of the cases of each operation. */
export const halfCases = (cases: readonly ParityCase[]): ParityCase[] =>
  OPERATIONS.flatMap((operation) =>
    cases.filter((one) => one.operation === operation && isFrozen(one)).filter((_, i) => i % 3 === 0),
  ).map((one, i) => halved(one, i % 2 === 0 ? 'bf16' : 'f16'));
