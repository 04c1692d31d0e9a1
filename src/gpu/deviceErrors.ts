/**
 * Errors of a device, as LabErrors: its loss, and the errors that WebGPU reports after the call that caused them
 * (validation, memory). The latter wait here for the next call of the tensor backend, which throws them.
 */
import { LabError } from '../foundation/errors';

export class DeviceErrors {
  /** Resolves when the device is gone, unless `release` said that this was meant. Never rejects. */
  readonly lost: Promise<LabError>;
  #gone: LabError | null = null;
  #released = false;
  readonly #pending: LabError[] = [];
  readonly #scopes = new Set<Promise<void>>();
  readonly #device: GPUDevice;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.lost = new Promise((resolve) => {
      device.lost.then((info) => {
        if (this.#released) return;
        this.#gone = deviceLost(info);
        resolve(this.#gone);
      });
    });
    device.addEventListener('uncapturederror', (event) => this.add((event as GPUUncapturedErrorEvent).error));
  }

  /** Announces an intended loss of the device: `lost` stays unresolved. */
  release(): void {
    this.#released = true;
  }

  add(error: GPUError): void {
    if (!this.#gone) this.#pending.push(fromGpuError(error));
  }

  /**
   * Throws the loss of the device, or the first error reported since the last call. While buffers are being made,
   * errors wait for settled() or for a later check.
   */
  check(): void {
    if (this.#gone) throw this.#gone;
    // A buffer without memory makes later commands fail too: the memory is the cause, though it may be reported last.
    const cause = this.#pending.find(({ code }) => code === 'out-of-memory');
    if (!cause && this.#scopes.size > 0) return;
    const [first] = this.#pending.splice(0);
    if (first) throw cause ?? first;
  }

  /** Waits for the error scopes opened so far, then checks. */
  async settled(): Promise<void> {
    await Promise.all(this.#scopes);
    this.check();
  }

  /** Runs `create` with memory and validation errors caught for the next check. */
  scoped<T>(create: () => T): T {
    this.#device.pushErrorScope('out-of-memory');
    this.#device.pushErrorScope('validation');
    try {
      return create();
    } finally {
      for (let i = 0; i < 2; i++) this.#watch(this.#device.popErrorScope());
    }
  }

  #watch(scope: Promise<GPUError | null>): void {
    const seen = scope.then(
      (error) => {
        if (error) this.add(error);
        this.#scopes.delete(seen);
      },
      () => {
        this.#scopes.delete(seen);
      },
    );
    this.#scopes.add(seen);
  }
}

function fromGpuError(error: GPUError): LabError {
  if (error.constructor.name === 'GPUOutOfMemoryError') {
    return new LabError(
      'out-of-memory',
      'The GPU has no memory left.',
      'Choose a smaller preset or fewer seeds, or close other tabs that use the GPU.',
      { cause: error },
    );
  }
  return new LabError(
    'internal',
    `The GPU refused a command: ${error.message.trim()}`,
    'Please report this with the link of the experiment; the CPU backend is not affected.',
    { cause: error },
  );
}

function deviceLost(info: GPUDeviceLostInfo): LabError {
  const reason = info.reason === 'destroyed' ? 'was destroyed' : 'stopped answering';
  return new LabError(
    'device-lost',
    `The GPU ${reason}${info.message ? ` (${info.message.trim()})` : ''}.`,
    'If this repeats, choose a smaller preset or the CPU backend.',
  );
}
