/**
 * Readback of buffers from the GPU. Staging buffers are used again, and one read takes all its buffers in one copy and
 * one mapAsync, so a read costs one round trip and, once sizes repeat, no allocation. Reads that are too large for one
 * staging buffer (some devices allow 256 MiB) take several at once.
 */
import { MAP_READ, USAGE } from './constants';
import type { DeviceErrors } from './deviceErrors';
import { Wake } from './wake';

export interface ReadbackSource {
  readonly buffer: GPUBuffer;
  /** Bytes to read, a multiple of 4. */
  readonly bytes: number;
}

/** Staging buffers that wait for the next read; more are destroyed. */
const KEPT = 4;

export class ReadbackRing {
  readonly #device: GPUDevice;
  readonly #errors: DeviceErrors;
  readonly #maxBytes: number;
  readonly #free: GPUBuffer[] = [];
  readonly #wake: Wake;

  /** `maxBytes`: of a staging buffer; no source may be longer. */
  constructor(device: GPUDevice, errors: DeviceErrors, maxBytes = device.limits.maxBufferSize) {
    this.#device = device;
    this.#errors = errors;
    this.#maxBytes = maxBytes;
    this.#wake = new Wake(() => device.queue.submit([]));
  }

  get waiting(): number {
    return this.#free.length;
  }

  /** Bytes of each source, after all commands submitted so far and those in `held`, which the copies are submitted with. */
  async read(sources: readonly ReadbackSource[], held: GPUCommandBuffer | null = null): Promise<ArrayBuffer[]> {
    this.#errors.check();
    const reads = divided(sources, this.#maxBytes).map((together, i) =>
      this.#readTogether(together, i === 0 && held !== null ? [held] : []),
    );
    return (await Promise.all(reads)).flat();
  }

  async #readTogether(sources: readonly ReadbackSource[], held: GPUCommandBuffer[]): Promise<ArrayBuffer[]> {
    const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
    const staging = this.#take(total);
    const encoder = this.#device.createCommandEncoder({ label: 'readback' });
    let offset = 0;
    for (const { buffer, bytes } of sources) {
      encoder.copyBufferToBuffer(buffer, 0, staging, offset, bytes);
      offset += bytes;
    }
    this.#device.queue.submit([...held, encoder.finish()]);
    try {
      await this.#wake.during(staging.mapAsync(MAP_READ, 0, total));
    } catch (cause) {
      staging.destroy();
      await Promise.race([this.#errors.lost, new Promise((resolve) => setTimeout(resolve, 100))]);
      await this.#errors.settled();
      throw cause;
    }
    const mapped = staging.getMappedRange(0, total);
    let end = 0;
    const results = sources.map(({ bytes }) => {
      end += bytes;
      return mapped.slice(end - bytes, end);
    });
    staging.unmap();
    this.#giveBack(staging);
    await this.#errors.settled();
    return results;
  }

  /** A staging buffer, free or new, of the next power of two, but at most maxBytes. */
  #take(bytes: number): GPUBuffer {
    const size = Math.min(2 ** Math.ceil(Math.log2(Math.max(bytes, 256))), this.#maxBytes);
    const index = this.#free.findIndex((buffer) => buffer.size === size);
    const found = index < 0 ? undefined : this.#free.splice(index, 1)[0];
    return (
      found ??
      this.#errors.scoped(() =>
        this.#device.createBuffer({ label: 'readback', size, usage: USAGE.mapRead | USAGE.copyTarget }),
      )
    );
  }

  #giveBack(staging: GPUBuffer): void {
    this.#free.push(staging);
    if (this.#free.length > KEPT) this.#free.shift()?.destroy();
  }
}

/** Sources in their order, as many together as fit into `maxBytes`. */
function divided(sources: readonly ReadbackSource[], maxBytes: number): ReadbackSource[][] {
  const divisions: ReadbackSource[][] = [];
  let left = 0;
  for (const source of sources) {
    if (divisions.length === 0 || source.bytes > left) {
      divisions.push([]);
      left = maxBytes;
    }
    divisions.at(-1)?.push(source);
    left -= source.bytes;
  }
  return divisions;
}
