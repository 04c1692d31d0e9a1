/** Transfer of a session's logits, on host or device, to the tensor that a backend's kernels read. */
import type { Backend, Tensor } from '../tensor/backend';

/** Logits after each token that a feed added; valid until the next feed. */
export interface FedLogits {
  /** [rows, vocabulary], on the host or on the device that was lent to the session. */
  readonly values: Float32Array | GPUBuffer;
  readonly vocabulary: number;
  readonly rows: number;
  /** Row of the logits after the i-th token added to a sequence. */
  row(sequence: number, i: number): number;
  /** Logits of that row, [vocabulary]; only on the host. */
  of(sequence: number, i: number): Float32Array;
}

export type LogitsSource = 'host' | 'device';

/** True if kernels can read the logits where the session left them, provided they take all rows in order. */
export function readInPlace(source: LogitsSource, vocabulary: number): boolean {
  return source === 'device' && vocabulary % 4 === 0;
}

/**
 * Rows of logits as kernels need them: their length a multiple of four. Rows on the device that are so already are read
 * in place; others are copied, on the device or from the host.
 */
export class LogitsInput {
  readonly capacity: number;
  readonly tensor: Tensor<'f32'>;
  readonly #backend: Backend;
  readonly #vocabulary: number;
  readonly #rowLength: number;
  readonly #show: ((buffer: GPUBuffer) => void) | null;

  /** `whole`: all rows are always taken, in order, at most `capacity` of them. Allocates. */
  constructor(
    backend: Backend,
    label: string,
    sizes: { readonly capacity: number; readonly vocabulary: number },
    source: LogitsSource,
    { whole }: { readonly whole: boolean },
  ) {
    const { capacity, vocabulary } = sizes;
    const { sharedGpu } = backend;
    this.#backend = backend;
    this.#vocabulary = vocabulary;
    this.#rowLength = Math.ceil(vocabulary / 4) * 4;
    this.capacity = capacity;
    if (whole && readInPlace(source, vocabulary) && sharedGpu !== null) {
      const shown = sharedGpu.borrowed(label, capacity * vocabulary);
      this.tensor = shown;
      this.#show = (buffer) => shown.show(buffer);
    } else {
      this.tensor = backend.tensor(label, 'f32', 1, capacity * this.#rowLength);
      this.#show = null;
    }
  }

  /** Puts row rows[i] of the logits into row i of the tensor. */
  take(logits: FedLogits, rows: ArrayLike<number>): void {
    const { values } = logits;
    if (values instanceof Float32Array) this.#write(values, rows);
    else if (this.#show !== null) {
      if (rows.length !== logits.rows) throw new RangeError(`${rows.length} of ${logits.rows} rows cannot be shown.`);
      this.#show(values);
    } else this.#copy(values, rows);
  }

  #write(values: Float32Array, rows: ArrayLike<number>): void {
    const taken = new Float32Array(rows.length * this.#rowLength);
    const V = this.#vocabulary;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      taken.set(values.subarray(row * V, (row + 1) * V), i * this.#rowLength);
    }
    this.#backend.write(this.tensor, taken);
  }

  #copy(buffer: GPUBuffer, rows: ArrayLike<number>): void {
    const length = this.#vocabulary;
    const ranges = Array.from(rows, (row, i) => ({ from: row * length, to: i * this.#rowLength, length }));
    this.#backend.sharedGpu?.copy(this.tensor, buffer, ranges);
  }
}
