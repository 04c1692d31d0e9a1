/**
 * Tensors on the GPU: one buffer each. Buffers are padded to 16 bytes, for kernels that take four elements at a time.
 * Those with few elements per member are long enough to be bound as uniform arrays (see shaders/lib/count.wgsl).
 */
import { LabError } from '../../foundation/errors';
import { USAGE } from '../../gpu/constants';
import type { DeviceErrors } from '../../gpu/deviceErrors';
import { type BorrowedTensor, ELEMENT_BYTES, type ElementType, type Tensor } from '../backend';
import { HYPER_COLUMNS } from '../layout';

const UNIFORM_BYTES = 65_536;
/** Largest number of members: as many as have room for their hyperparameters in a uniform array. */
const MAX_MEMBERS = Math.floor(UNIFORM_BYTES / 4 / HYPER_COLUMNS);
const UNIFORM_MEMBERS = 1024;

export class WebGpuTensor<E extends ElementType = ElementType> implements Tensor<E> {
  readonly label: string;
  readonly type: E;
  readonly members: number;
  readonly stride: number;
  readonly buffer: GPUBuffer;

  constructor(
    device: GPUDevice,
    errors: DeviceErrors,
    maxBytes: number,
    label: string,
    type: E,
    members: number,
    stride: number,
  ) {
    this.label = label;
    this.type = type;
    this.members = members;
    this.stride = stride;
    const size = bufferBytes(members, stride, ELEMENT_BYTES[type]);
    if (size > maxBytes || members > MAX_MEMBERS) {
      const limit = members > MAX_MEMBERS ? `${MAX_MEMBERS} members` : `${maxBytes} bytes a tensor`;
      throw new LabError(
        'limits',
        `The tensor "${label}" has ${members} members of ${stride} elements (${size} bytes); this GPU takes ${limit}.`,
        'Choose fewer seeds, a smaller policy or fewer trajectories per batch.',
      );
    }
    const usage = USAGE.storage | USAGE.copySource | USAGE.copyTarget | (isScalar(stride) ? USAGE.uniform : 0);
    this.buffer = errors.scoped(() => device.createBuffer({ label, size, usage }));
  }

  /** Bytes without the padding. */
  get bytes(): number {
    return ELEMENT_BYTES[this.type] * this.members * this.stride;
  }
}

/** Another program's buffer on this device, as a tensor that is read. */
export class ShownBuffer implements BorrowedTensor {
  readonly label: string;
  readonly type = 'f32';
  readonly members = 1;
  readonly stride: number;
  #buffer: GPUBuffer | null = null;

  constructor(label: string, stride: number) {
    this.label = label;
    this.stride = stride;
  }

  get bytes(): number {
    return 4 * this.stride;
  }

  get buffer(): GPUBuffer {
    if (this.#buffer !== null) return this.#buffer;
    throw new LabError('internal', `Nothing was shown as "${this.label}" yet.`, 'Show it a buffer before the run.');
  }

  show(buffer: GPUBuffer): void {
    this.#buffer = buffer;
  }
}

/** The tensor as this backend's own. */
export function webGpuTensor(tensor: Tensor): WebGpuTensor | ShownBuffer {
  if (tensor instanceof WebGpuTensor || tensor instanceof ShownBuffer) return tensor;
  throw new LabError(
    'internal',
    `The tensor "${tensor.label}" belongs to another backend.`,
    'Use tensors only with the backend that made them.',
  );
}

const isScalar = (stride: number): boolean => stride <= HYPER_COLUMNS;

function bufferBytes(members: number, stride: number, each: number): number {
  const bytes = Math.max(16, Math.ceil((members * stride * each) / 16) * 16);
  if (!isScalar(stride)) return bytes;
  return Math.max(bytes, Math.min(UNIFORM_BYTES, UNIFORM_MEMBERS * stride * 4));
}
