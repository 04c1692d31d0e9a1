/**
 * Recorder of operations as a list of dispatches (kernel, bind group, grid), made here and replayed later. Declarations of a
 * kernel are filled in by name: bindings and where they begin (bindings.ts), `gridWidth`, `firstGroup`, `firstMember` and
 * numbers of rows. A grid longer than 65,535 workgroups is folded into y; z is the member.
 */
import { MAX_GRID } from '../../gpu/constants';
import type { Kernel } from '../../gpu/kernel';
import type { ParameterSlots } from '../../gpu/parameterSlots';
import type { CompiledKernel, PipelineCache } from '../../gpu/pipelines';
import type { ParameterView, Rows, Tensor } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import { Bindings, type KernelArguments } from './bindings';
import type { ObjectivePart } from './objectiveParts';
import { kernelOf } from './shaders';

export interface Dispatch {
  readonly compiled: CompiledKernel;
  readonly bindGroup: () => GPUBindGroup;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface DispatchRequest extends KernelArguments {
  readonly params?: Readonly<Record<string, number | readonly number[]>>;
  /** Workgroups along the line (before folding). */
  readonly groups: number;
  readonly sizes?: Readonly<Record<string, number>>;
}

/** Operation whose dispatch waits for the next one, which may take it into its own. */
export interface Waiting {
  /** Tensor that the dispatch fills. */
  readonly out: Tensor;
  /** Rows that it is made for; none where it is no number a row. */
  readonly rows?: Rows;
  /** Sends the dispatch alone. */
  alone(): void;
  /** Dispatches it together with a product of `out`; false where the two cannot be one. */
  product?(of: Product): boolean;
  /** Turns queries and keys, or their gradients, by their position too; dispatches them or waits for a cache. */
  turning?(turn: RotaryTurn): void;
  /** Dispatches it and keeps its keys and values in a cache. */
  storing?(cache: Tensor, stored: number): void;
  /** Dispatches it and counts a step of the optimiser. */
  stepping?(step: Tensor, active: Tensor): void;
  /** Dispatches it and puts its numbers at their places in trajectories of `context` tokens. */
  scattering?(dense: Tensor, context: number): void;
  /** Part of the objective that the dispatch is. */
  readonly objective?: ObjectivePart;
}

/** Product that may take a waiting norm into its dispatch. */
export interface Product {
  readonly out: Tensor;
  readonly weight: ParameterView;
  readonly bias: ParameterView | null;
}

/** Params of shaders/forward/turn.wgsl. */
export type RotaryTurn = Readonly<Record<'frequencies' | 'turns', readonly number[]>> &
  Readonly<Record<'turned' | 'headWidth' | 'direction', number>>;

/** Work of an operation. Each of its dispatches does an equal share. */
interface Work {
  flops: number;
  dispatches: number;
}

/** A dispatch to be made, whole or in ranges of its workgroups. */
interface Planned {
  readonly work: Work;
  readonly groups: number;
  /** Ranges that it is made in, at least. */
  readonly ranges: number;
  readonly isCuttable: boolean;
  /** Dispatches of a range, each for some of the members, with its share of them. */
  range(first: number, count: number): { readonly dispatch: Dispatch; readonly share: number }[];
}

/** Threads of a one-dimensional workgroup. */
export const THREADS = 64;

/** Sizes of kernels that read weights of any type (lib/weights.wgsl). */
export const typeOf = ({ tensor }: ParameterView): Record<'F32' | 'BF16' | 'F16', number> => ({
  F32: tensor.type === 'f32' ? 1 : 0,
  BF16: tensor.type === 'bf16' ? 1 : 0,
  F16: tensor.type === 'f16' ? 1 : 0,
});

/** Threads a side of a tiled workgroup, 4 × 4 numbers each: half as many where a side would be empty by half. */
export const sideOf = (...sides: readonly number[]): number =>
  sides.some((side) => 0 < side % 64 && side % 64 <= 32) ? 8 : 16;

export const ceilDivide = (value: number, by: number): number => Math.ceil(value / by);

export const flag = (value: unknown): number => (value ? 1 : 0);
export const quads = (elements: number): number => elements / 4;

/** [rows, columns] of a matrix parameter. */
export function shapeOf({ shape }: ParameterView): [number, number] {
  return [shape[0] ?? 0, shape[1] ?? 0];
}

/**
 * Ranges of `groups` workgroups, [first, count], each at most one of `parts` equal shares, or a single workgroup. All but
 * the last fill the grid into which they are folded, so that none runs into the next.
 */
export function rangesOf(groups: number, parts: number): [number, number][] {
  const share = Math.max(1, Math.floor(groups / parts));
  const length = parts === 1 ? groups : share - (share > MAX_GRID ? share % MAX_GRID : 0);
  return Array.from({ length: ceilDivide(groups, length) }, (_, i) => [
    i * length,
    Math.min(length, groups - i * length),
  ]);
}

export class Recorder {
  readonly members: number;
  readonly variant: 'plain' | 'tiled';
  /** A buffer of another program is read. */
  borrows = false;
  #waiting: { readonly waiting: Waiting; readonly work: Work } | null = null;
  #work: Work = { flops: 0, dispatches: 0 };
  readonly #planned: Planned[] = [];
  readonly #device: GPUDevice;
  readonly #pipelines: PipelineCache;
  readonly #slots: ParameterSlots;
  readonly #maxBindingBytes: number;

  constructor(
    device: GPUDevice,
    pipelines: PipelineCache,
    slots: ParameterSlots,
    members: number,
    variant: 'plain' | 'tiled',
    maxBindingBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#device = device;
    this.#pipelines = pipelines;
    this.#slots = slots;
    this.members = members;
    this.variant = variant;
    this.#maxBindingBytes = maxBindingBytes;
  }

  /** Begins an operation of so many flops. */
  begin(flops: number): void {
    this.#work = { flops, dispatches: 0 };
  }

  /** Lets an operation wait; on software it is dispatched at once. */
  wait(waiting: Waiting): void {
    this.flush();
    if (this.variant === 'plain') waiting.alone();
    else this.#waiting = { waiting, work: this.#work };
  }

  /** Takes the operation that waits, if it fills this tensor, for the same rows if for any; the caller dispatches it. */
  take(out: Tensor, rows?: Rows): Waiting | null {
    if (this.#waiting === null) return null;
    const { waiting, work } = this.#waiting;
    if (waiting.out !== out || waiting.rows?.table !== rows?.table) return null;
    this.#waiting = null;
    const present = this.#work;
    present.flops += work.flops;
    const alone = (): void => {
      present.flops -= work.flops;
      this.#of(work, waiting.alone);
    };
    return { ...waiting, alone };
  }

  /** Dispatches the operation that waits. */
  flush(): void {
    if (this.#waiting === null) return;
    const { waiting, work } = this.#waiting;
    this.#waiting = null;
    this.#of(work, waiting.alone);
  }

  /** Makes all dispatches, each with its flops; in ranges of workgroups where one has more than `most`. */
  finish(most: number): { dispatches: Dispatch[]; flops: number[] } {
    this.flush();
    const dispatches = this.#planned.splice(0).flatMap(({ work, groups, ranges, isCuttable, range }) => {
      const flops = work.flops / work.dispatches;
      const parts = isCuttable ? Math.max(ranges, Math.ceil(flops / most)) : 1;
      return rangesOf(groups, parts).flatMap(([first, count]) =>
        range(first, count).map(({ dispatch, share }) => ({ dispatch, flops: (share * flops * count) / groups })),
      );
    });
    return { dispatches: dispatches.map(({ dispatch }) => dispatch), flops: dispatches.map(({ flops }) => flops) };
  }

  #of(work: Work, record: () => void): void {
    const outer = this.#work;
    this.#work = work;
    record();
    this.#work = outer;
  }

  /** One workgroup of 64 threads per 64 items. */
  threads(name: string | Kernel, items: number, request: Omit<DispatchRequest, 'groups'>): void {
    this.dispatch(name, { ...request, groups: ceilDivide(items, THREADS) });
  }

  /** Dispatch like `threads`, but for all members at once: the kernel sees one flat array. */
  once(name: string, items: number, request: Omit<DispatchRequest, 'groups'>): void {
    this.dispatch(name, { ...request, groups: ceilDivide(items, THREADS) }, 1);
  }

  /** `name`: of a shader, or a kernel made from something else. */
  dispatch(name: string | Kernel, { params, groups, sizes, ...given }: DispatchRequest, z = this.members): void {
    this.flush();
    if (groups === 0) return;
    const kernel = typeof name === 'string' ? kernelOf(name, sizes) : name;
    const compiled = this.#pipelines.entry(kernel);
    const bindings = new Bindings(kernel, given, this.#maxBindingBytes);
    this.borrows ||= bindings.borrows;
    const values = { ...impliedBy(kernel, given.rows), ...bindings.strides, ...params };
    const range = (firstGroup: number, count: number) =>
      [...bindings.parts(z, firstGroup, count)].map((part) => {
        const { firstMember, members } = part;
        const x = Math.min(count, MAX_GRID);
        const implied = only(kernel, { gridWidth: x, firstGroup, firstMember });
        const resource = this.#slots.add(kernel, { ...values, ...implied, ...bindings.offsets(part) });
        const bindGroup = bindings.group(this.#device, compiled.layout, { binding: 0, resource }, part);
        return { dispatch: { compiled, bindGroup, x, y: ceilDivide(count, x), z: members }, share: members / z };
      });
    const isCuttable = kernel.parameters.has('firstGroup');
    this.#work.dispatches++;
    this.#planned.push({ work: this.#work, groups, ranges: bindings.ranges(groups), isCuttable, range });
  }
}

/** Numbers that a kernel asks for. */
const only = (kernel: Kernel, values: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => kernel.parameters.has(name)));

/** Params of a kernel that follow from its rows. */
function impliedBy(kernel: Kernel, rows: DispatchRequest['rows']): Record<string, number> {
  if (rows === undefined || !('sequences' in rows)) return {};
  return only(kernel, { sequences: rows.sequences, chunks: ceilDivide(rows.sequences, GRADIENT_CHUNK) });
}
