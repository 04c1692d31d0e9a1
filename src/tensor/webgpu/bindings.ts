/**
 * Tensors of a dispatch by the bindings of its kernel. A tensor that is larger than a device can bind is bound in part: the
 * parameters that the kernel uses, or those of a range of its workgroups, of as many members as fit. Offsets then count from
 * where the part begins, modulo 2³². All numbers are computed as with whole tensors, to the same bits.
 */
import { mebibytes } from '../../foundation/bytes';
import { LabError } from '../../foundation/errors';
import type { Kernel, KernelBinding } from '../../gpu/kernel';
import { ELEMENT_BYTES, type ParameterView, type Rows, type Sequences, type Tensor } from '../backend';
import { ShownBuffer, WebGpuTensor, webGpuTensor } from './storage';

/** Tensors and rows that a kernel is given. */
export interface KernelArguments {
  /** Tensors by binding. A parameter also fills in `<name>Offset`, in elements of its binding or of the tensor that holds it. */
  readonly tensors: Readonly<Record<string, Tensor | ParameterView>>;
  /** Rows, which fill in the bindings `table`, `count`, `start` and the numbers `sequences` and `chunks`. */
  readonly rows?: Rows | Sequences;
  /** Pass over `length` elements of each tensor with an offset and no place, `each` a workgroup. */
  readonly flat?: { readonly each: number; readonly length: number };
}

/** Range of a dispatch's members and workgroups. */
export interface DispatchRange {
  readonly firstMember: number;
  readonly members: number;
  readonly firstGroup: number;
  readonly groups: number;
}

/** Elements of a member, [from, to). */
type Range = readonly [from: number, to: number];

interface Bound {
  readonly binding: KernelBinding;
  readonly tensor: WebGpuTensor | ShownBuffer;
  /** Elements that a part uses; null where they are not known. */
  readonly used: ((part: DispatchRange) => Range) | null;
  /** Its buffer is larger than a device can bind. */
  readonly isLarge: boolean;
}

/** Bytes of which the beginning of a part is a multiple, on every device. */
const ALIGNMENT = 256;

export class Bindings {
  /** Strides between members by parameter. */
  readonly strides: Readonly<Record<string, number>>;
  /** True if a buffer of another program is bound. */
  readonly borrows: boolean;
  readonly #kernel: Kernel;
  readonly #given: KernelArguments;
  readonly #bound: readonly Bound[];
  readonly #limit: number;

  /** limit: bytes that a device binds. */
  constructor(kernel: Kernel, given: KernelArguments, limit: number) {
    this.#kernel = kernel;
    this.#given = given;
    this.#limit = limit;
    const strides: Record<string, number> = {};
    this.#bound = kernel.bindings.map((binding) => {
      const whole = tensorOf(given, binding.name);
      if (whole === undefined) throw new Error(`${kernel.name} needs the tensor ${binding.name}.`);
      const stride = `${binding.name}Stride`;
      if (kernel.parameters.has(stride)) strides[stride] = strideFor(kernel, binding, whole);
      const tensor = webGpuTensor(whole);
      if (tensor instanceof ShownBuffer && binding.kind !== 'read-only-storage') {
        throw new Error(`${kernel.name} writes ${binding.name}, which "${tensor.label}" does not allow.`);
      }
      const isLarge = binding.kind !== 'uniform' && tensor instanceof WebGpuTensor && tensor.buffer.size > limit;
      return { binding, tensor, used: this.#used(binding, tensor), isLarge };
    });
    this.strides = strides;
    this.borrows = this.#bound.some(({ tensor }) => tensor instanceof ShownBuffer);
  }

  /** Ranges of workgroups in which a pass over large tensors is made, at least. */
  ranges(groups: number): number {
    const first = (parts: number) => ({ firstMember: 0, members: 1, firstGroup: 0, groups: Math.ceil(groups / parts) });
    let parts = 1;
    while (this.#given.flat !== undefined && parts < groups && this.#large(first(parts), ALIGNMENT)) parts++;
    return parts;
  }

  /** Members in ranges, of which each can be bound at once for these workgroups: all of them in one, unless tensors are large. */
  *parts(members: number, firstGroup: number, groups: number): Generator<DispatchRange> {
    const isCuttable = this.#kernel.parameters.has('firstMember');
    for (let firstMember = 0; firstMember < members; ) {
      const part = (count: number): DispatchRange => ({ firstMember, members: count, firstGroup, groups });
      let count = members - firstMember;
      while (isCuttable && count > 1 && this.#large(part(count))) count--;
      const large = this.#large(part(count));
      if (large) throw this.#refusal(large, part(count));
      yield part(count);
      firstMember += count;
    }
  }

  /** Offsets of a part by parameter. */
  offsets(part: DispatchRange): Record<string, number> {
    const offsets: Record<string, number> = {};
    for (const parameter of this.#kernel.parameters.keys()) {
      const [, name = '', kind] = /^(\w+)(Offset|Gradient)$/.exec(parameter) ?? [];
      const argument = this.#given.tensors[name];
      const bound =
        argument && this.#bound.find(({ binding }) => binding.name === this.#holder(name, kind === 'Gradient'));
      if (!bound) continue;
      const begin = this.#bytes(bound, part)[0] / ELEMENT_BYTES[bound.tensor.type];
      offsets[parameter] = (((isView(argument) ? argument.offset : 0) - begin) / bound.binding.words) >>> 0;
    }
    return offsets;
  }

  /** Getter of a part's bind group, made once; with another program's buffer, made again for each buffer shown. */
  group(
    device: GPUDevice,
    layout: GPUBindGroupLayout,
    slot: GPUBindGroupEntry,
    part: DispatchRange,
  ): () => GPUBindGroup {
    const make = (): GPUBindGroup => {
      const entries = this.#bound.map((bound) => {
        const [offset, end] = this.#bytes(bound, part);
        const resource = { buffer: bound.tensor.buffer, offset, size: end - offset };
        return { binding: bound.binding.index, resource };
      });
      return device.createBindGroup({ label: this.#kernel.name, layout, entries: [...entries, slot] });
    };
    const shown = this.#bound.flatMap(({ tensor }) => (tensor instanceof ShownBuffer ? [tensor] : []));
    let buffers: GPUBuffer[] = [];
    let group = shown.length === 0 ? make() : null;
    return () => {
      if (group !== null && shown.every(({ buffer }, i) => buffer === buffers[i])) return group;
      buffers = shown.map(({ buffer }) => buffer);
      group = make();
      return group;
    };
  }

  /** Name of the binding that holds a tensor: its own, that of partial gradients, or that of the tensor which it is a part of. */
  #holder(name: string, isGradient: boolean): string | undefined {
    const { bindings } = this.#kernel;
    const has = (wanted: string): boolean => bindings.some((binding) => binding.name === wanted);
    if (has(name) && !isGradient) return name;
    if (has('partials')) return 'partials';
    const whole = tensorOf(this.#given, name);
    return bindings.find((binding) => tensorOf(this.#given, binding.name) === whole)?.name;
  }

  #used({ name }: KernelBinding, { stride }: Tensor): Bound['used'] {
    const { tensors, flat } = this.#given;
    const ranges = Object.entries(tensors).flatMap(([argument, given]): Range[] => {
      const isHeld = [false, true].some(
        (isGradient) =>
          this.#kernel.parameters.has(`${argument}${isGradient ? 'Gradient' : 'Offset'}`) &&
          this.#holder(argument, isGradient) === name,
      );
      if (!isView(given) || !isHeld) return [];
      // Partial gradients have the parameter once for each chunk.
      const length = given.shape.reduce((a, b) => a * b, 1) + stride - given.tensor.stride;
      return [[given.offset, given.offset + length]];
    });
    if (ranges.length > 0) {
      const range: Range = [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
      return () => range;
    }
    if (flat === undefined || !this.#kernel.parameters.has(`${name}Offset`)) return null;
    const { each, length } = flat;
    const chunks = Math.max(0, stride - length);
    return ({ firstGroup, groups }) => [each * firstGroup, Math.min(each * (firstGroup + groups), length) + chunks];
  }

  /** Bytes of a tensor's buffer that a part binds, [from, to). */
  #bytes({ binding, tensor, used, isLarge }: Bound, part: DispatchRange): Range {
    const { buffer, type, members, bytes } = tensor;
    if (!isLarge || used === null) {
      return [0, binding.fixedBytes || (tensor instanceof ShownBuffer ? Math.min(buffer.size, bytes) : buffer.size)];
    }
    const [from, to] = used(part);
    const stride = members === 1 ? 0 : tensor.stride;
    const last = part.firstMember + part.members - 1;
    const begin = ELEMENT_BYTES[type] * (part.firstMember * stride + from);
    const end = ELEMENT_BYTES[type] * (last * stride + to);
    return [begin - (begin % ALIGNMENT), Math.min(buffer.size, 16 * Math.ceil(end / 16))];
  }

  /** First tensor of which a part uses more bytes than a device binds, with `spare` bytes for where other parts begin. */
  #large(part: DispatchRange, spare = 0): Bound | undefined {
    return this.#bound.find((bound) => {
      // A buffer of another program comes later, and is bound whole.
      if (!bound.isLarge) return false;
      const [from, to] = this.#bytes(bound, part);
      return to - from + spare > this.#limit;
    });
  }

  #refusal(bound: Bound, part: DispatchRange): LabError {
    const [from, to] = this.#bytes(bound, part);
    return new LabError(
      'limits',
      `“${bound.tensor.label}” is used in one piece of ${mebibytes(to - from)} (${this.#kernel.name}); this device binds ${mebibytes(this.#limit)}.`,
      // One member's part stays as large, however few there are.
      `Choose the CPU${part.members > 1 ? ', fewer seeds or arms,' : ''} or a smaller model.`,
    );
  }
}

const isView = (given: Tensor | ParameterView): given is ParameterView => 'shape' in given;

function tensorOf({ tensors, rows }: KernelArguments, name: string): Tensor | undefined {
  const argument = tensors[name];
  if (argument !== undefined) return isView(argument) ? argument.tensor : argument;
  if (name === 'start') return rows && 'start' in rows ? rows.start : undefined;
  return name === 'table' || name === 'count' ? rows?.[name] : undefined;
}

/** Stride between members: in words for a uniform array, in elements for storage, 0 for a shared tensor. */
function strideFor(kernel: Kernel, binding: KernelBinding, tensor: Tensor): number {
  if (tensor.members === 1) return 0;
  const stride = binding.kind === 'uniform' ? tensor.stride : tensor.stride / binding.words;
  if (Number.isInteger(stride)) return stride;
  throw new LabError(
    'internal',
    `${kernel.name}: "${tensor.label}" has ${tensor.stride} elements a member, not a multiple of 4.`,
    'Please report this with the link.',
  );
}
