/**
 * Timer of compute passes on the device, by timestamp queries. Browsers may round the timestamps (to 0.1 ms, say): sums
 * over many passes are right on average, single short passes are not.
 */
import { MAP_READ, USAGE } from './constants';

/** Largest number of passes: a query set holds at most 4096 queries, two a pass. */
const CAPACITY = 2048;
const QUERY_RESOLVE = 0x0200;

export class PassTimer {
  readonly #device: GPUDevice;
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;
  readonly #labels: string[] = [];

  /** Timer of a device; null where it has no timestamps. */
  static create(device: GPUDevice): PassTimer | null {
    return device.features.has('timestamp-query') ? new PassTimer(device) : null;
  }

  private constructor(device: GPUDevice) {
    const size = CAPACITY * 16;
    this.#device = device;
    this.#queries = device.createQuerySet({ label: 'passes', type: 'timestamp', count: 2 * CAPACITY });
    this.#resolved = device.createBuffer({ label: 'passes', size, usage: QUERY_RESOLVE | USAGE.copySource });
    this.#staging = device.createBuffer({ label: 'passes read', size, usage: USAGE.mapRead | USAGE.copyTarget });
  }

  /** Descriptor of the next pass; passes beyond the capacity are not timed until the next collect(). */
  pass(label: string): GPUComputePassDescriptor {
    const index = this.#labels.length;
    if (index >= CAPACITY) return { label };
    this.#labels.push(label);
    const writes = {
      querySet: this.#queries,
      beginningOfPassWriteIndex: 2 * index,
      endOfPassWriteIndex: 2 * index + 1,
    };
    return { label, timestampWrites: writes };
  }

  /** Seconds by label since the last call; waits for the device. */
  async collect(): Promise<Map<string, number>> {
    const labels = this.#labels.splice(0);
    const seconds = new Map<string, number>();
    if (labels.length === 0) return seconds;
    const bytes = 16 * labels.length;
    const encoder = this.#device.createCommandEncoder({ label: 'passes' });
    encoder.resolveQuerySet(this.#queries, 0, 2 * labels.length, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, bytes);
    this.#device.queue.submit([encoder.finish()]);
    await this.#staging.mapAsync(MAP_READ, 0, bytes);
    const stamps = new BigUint64Array(this.#staging.getMappedRange(0, bytes).slice(0));
    this.#staging.unmap();
    labels.forEach((label, i) => {
      const nanoseconds = Number((stamps[2 * i + 1] as bigint) - (stamps[2 * i] as bigint));
      seconds.set(label, (seconds.get(label) ?? 0) + Math.max(0, nanoseconds) / 1e9);
    });
    return seconds;
  }

  destroy(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }
}
