/**
 * Memory of the kernels' `Params`: pages of uniform memory cut into slots at the alignment WebGPU asks for. A slot is
 * filled when its operation is recorded, and never again; a page is sent to the GPU once per recording.
 */
import { USAGE } from './constants';
import type { Kernel } from './kernel';

export type ParameterValues = Readonly<Record<string, number | readonly number[]>>;

const SLOT = 256;
const PAGE = 256 * SLOT;

export class ParameterSlots {
  readonly #device: GPUDevice;
  readonly #pages: GPUBuffer[] = [];
  readonly #bytes = new ArrayBuffer(PAGE);
  readonly #view = new DataView(this.#bytes);
  #used = 0;
  #sent = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Takes the next slot and fills it; every field of Params must be given, and nothing else. */
  add(kernel: Kernel, values: ParameterValues): GPUBufferBinding {
    const slots = Math.ceil(kernel.parameterBytes / SLOT) * SLOT;
    if (this.#pages.length === 0 || this.#used + slots > PAGE) {
      this.flush();
      this.#pages.push(
        this.#device.createBuffer({ label: 'params', size: PAGE, usage: USAGE.uniform | USAGE.copyTarget }),
      );
      this.#used = 0;
      this.#sent = 0;
    }
    const offset = this.#used;
    this.#used += slots;
    for (const name of Object.keys(values)) {
      if (!kernel.parameters.has(name)) throw new Error(`${kernel.name} has no parameter ${name}.`);
    }
    for (const [name, { type, offset: at, length }] of kernel.parameters) {
      const value = values[name];
      if (value === undefined) throw new Error(`${kernel.name} needs the parameter ${name}.`);
      const list = typeof value === 'number' ? [value] : value;
      for (let i = 0; i < length; i++) {
        const byte = offset + at + 4 * i;
        if (type === 'f32') this.#view.setFloat32(byte, list[i] ?? 0, true);
        else if (type === 'u32') this.#view.setUint32(byte, list[i] ?? 0, true);
        else this.#view.setInt32(byte, list[i] ?? 0, true);
      }
    }
    return { buffer: this.#page(), offset, size: kernel.parameterBytes };
  }

  /** Sends the slots added since the last time. */
  flush(): void {
    if (this.#used === this.#sent) return;
    this.#device.queue.writeBuffer(this.#page(), this.#sent, this.#bytes, this.#sent, this.#used - this.#sent);
    this.#sent = this.#used;
  }

  destroy(): void {
    for (const page of this.#pages.splice(0)) page.destroy();
    this.#used = 0;
    this.#sent = 0;
  }

  #page(): GPUBuffer {
    const page = this.#pages.at(-1);
    if (!page) throw new Error('No page of parameters yet.');
    return page;
  }
}
