/**
 * The tensor contract in plain TypeScript and float64: the oracle of the tests, slow and plain. A program is a list of
 * closures, and running it calls them; every write, run and read has taken effect when it returns.
 */
import { LabError } from '../../foundation/errors';
import { pulse } from '../../foundation/pulse';
import type { Backend, BackendLimits, ElementType, Operations, Program, Tensor, TensorData } from '../backend';
import type { ObjectiveHost } from '../objective/host';
import { objectiveOperations } from '../objective/operations';
import { validated } from '../validate/validate';
import * as attention from './attention';
import { logProbOperations } from './fusedLogProb';
import * as llama from './llama';
import { maskedLogProb, maskedLogProbBackward } from './logProb';
import * as optimiser from './optimiser';
import { continueAction, sample } from './sampling';
import { member, ReferenceTensor, values } from './storage';
import * as transformer from './transformer';

interface ReferenceProgram extends Program {
  readonly closures: readonly (() => void)[];
}

export class ReferenceBackend implements Backend {
  readonly kind = 'reference';
  readonly description = 'TypeScript in float64 (reference)';
  readonly limits: BackendLimits = {
    maxTensorBytes: 2 ** 31,
    maxBindingBytes: 2 ** 31,
    memoryBudgetBytes: 2 ** 31,
    maxOperationFlops: Number.POSITIVE_INFINITY,
    maxSubmissionFlops: Number.POSITIVE_INFINITY,
  };
  readonly sharedGpu = null;
  readonly lost = new Promise<LabError>(() => {});
  readonly #poison: boolean;
  #allocatedBytes = 0;

  /** `poison`: new f32 tensors hold NaN instead of zeros, so a read of elements that nobody wrote shows. */
  constructor(options: { poison?: boolean } = {}) {
    this.#poison = options.poison ?? false;
  }

  get allocatedBytes(): number {
    return this.#allocatedBytes;
  }

  tensor<E extends ElementType>(label: string, type: E, members: number, stride: number): Tensor<E> {
    const tensor = new ReferenceTensor(label, type, members, stride);
    if (this.#poison && type === 'f32') tensor.values.fill(Number.NaN);
    this.#allocatedBytes += tensor.values.byteLength;
    return tensor;
  }

  write<E extends ElementType>(tensor: Tensor<E>, data: TensorData<E>, offset = 0): void {
    const target = values(tensor);
    if (offset + data.length > target.length) {
      throw new LabError(
        'internal',
        `write: ${data.length} values at ${offset} do not fit into "${tensor.label}" of ${target.length}.`,
        'Please report this with the link of the experiment.',
      );
    }
    target.set(data, offset);
  }

  read<const L extends readonly Tensor[]>(...tensors: L): Promise<{ [I in keyof L]: TensorData<L[I]['type']> }> {
    const copies = tensors.map((tensor) => values(tensor).slice());
    return Promise.resolve(copies as unknown as { [I in keyof L]: TensorData<L[I]['type']> });
  }

  record(label: string, members: number, build: (operations: Operations) => void): Program {
    const closures: (() => void)[] = [];
    build(validated(recorder(members, closures), members));
    const program: ReferenceProgram = { label, operations: closures.length, closures };
    return program;
  }

  prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    onProgress?.(0, 0);
    return Promise.resolve();
  }

  run(...programs: readonly Program[]): void {
    for (const program of programs) {
      for (const closure of (program as ReferenceProgram).closures) {
        closure();
        pulse();
      }
    }
  }

  dispose(): void {
    this.#allocatedBytes = 0;
  }
}

/** Operations as functions (members, …args). A new export of the first four files needs no line here. */
const WRITTEN = {
  ...transformer,
  ...attention,
  ...llama,
  ...optimiser,
  maskedLogProb,
  maskedLogProbBackward,
  sample,
  continueAction,
};

type Recorded<T> = {
  [K in keyof T]: T[K] extends (members: number, ...args: infer A) => void ? (...args: A) => void : never;
};

/** Operations that append a closure over their arguments. */
function recorder(members: number, closures: (() => void)[]): Operations {
  const later = ([name, operation]: [string, (members: number, ...args: never[]) => void]) => [
    name,
    (...args: never[]) => closures.push(() => operation(members, ...args)),
  ];
  const host: ObjectiveHost = { members, record: (step) => closures.push(step), f32: member, u32: member };
  return {
    ...logProbOperations(host),
    ...objectiveOperations(host),
    ...(Object.fromEntries(Object.entries(WRITTEN).map(later)) as Recorded<typeof WRITTEN>),
  };
}
