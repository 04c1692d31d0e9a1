/**
 * A real (software) WebGPU whose devices fail when the test says so: lost after a number of submissions, or without memory
 * above a budget, reported as WebGPU reports it: an invalid buffer, the error to the innermost out-of-memory scope, or to
 * the device as an uncaptured error where there is none.
 */
import { createNodeGpu } from '../../src/lab/nodeGpu';

/** WebGPU's own class, which nobody can make outside of a browser; told by its name, as the lab tells it. */
class GPUOutOfMemoryError {
  readonly message = 'There is no memory left (a test says so).';
}

/** The object with its methods bound to it, some properties replaced. */
function altered<T extends object>(target: T, replaced: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get(_, key) {
      if (key in replaced) return replaced[key as keyof T];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export class FaultyGpu {
  /** Devices handed out. */
  readonly devices: GPUDevice[] = [];
  /** Whether there are more to come. */
  available = true;
  /** For one device after the other: submissions until it is destroyed, a clock that counts work and not time. */
  loseAfter: number[] = [];
  /** Submissions until it reports that memory ran out. */
  exhaustAfter: number[] = [];
  /** Bytes of buffers it can give. */
  budgets: number[] = [];
  /** By all devices. */
  submissions = 0;
  /** Bytes of the newest device's buffers: those there are, and the most there were. */
  memory = { given: 0, mostGiven: 0 };
  /** Buffers refused by all devices. */
  refused = 0;
  readonly #real: GPU;

  private constructor(real: GPU) {
    this.#real = real;
  }

  static async create(): Promise<FaultyGpu> {
    process.env.UNMASK_SOFTWARE_GPU = '1';
    return new FaultyGpu((await createNodeGpu()).gpu);
  }

  /** In place of navigator.gpu. */
  get gpu(): GPU {
    const requestAdapter = async (options?: GPURequestAdapterOptions): Promise<GPUAdapter | null> => {
      const adapter = this.available ? await this.#real.requestAdapter(options) : null;
      if (adapter === null) return null;
      const requestDevice = async (descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> => {
        const device = this.#mortal(await adapter.requestDevice(descriptor));
        this.devices.push(device);
        return device;
      };
      return altered(adapter, { requestDevice });
    };
    return { requestAdapter } as unknown as GPU;
  }

  #mortal(device: GPUDevice): GPUDevice {
    let left = this.loseAfter.shift() ?? Number.POSITIVE_INFINITY;
    let exhausted = this.exhaustAfter.shift() ?? Number.POSITIVE_INFINITY;
    const budget = this.budgets.shift() ?? Number.POSITIVE_INFINITY;
    /** Open error scopes, and which have caught an error of ours. */
    const scopes: { filter: GPUErrorFilter; caught: boolean }[] = [];
    const listeners: ((event: unknown) => void)[] = [];
    const memory = { given: 0, mostGiven: 0 };
    this.memory = memory;
    const report = (): void => {
      const scope = scopes.findLast(({ filter }) => filter === 'out-of-memory');
      if (scope) scope.caught = true;
      else for (const listener of listeners) listener({ error: new GPUOutOfMemoryError() });
    };
    const submit = (commands: GPUCommandBuffer[]): void => {
      device.queue.submit(commands);
      left -= 1;
      exhausted -= 1;
      this.submissions += 1;
      if (exhausted === 0) report();
      if (left === 0) device.destroy();
    };
    return altered(device, {
      queue: altered(device.queue, { submit }),
      addEventListener: (type: string, listener: (event: unknown) => void) => {
        if (type === 'uncapturederror') listeners.push(listener);
        device.addEventListener(type, listener as EventListener);
      },
      pushErrorScope: (filter: GPUErrorFilter) => {
        scopes.push({ filter, caught: false });
        device.pushErrorScope(filter);
      },
      popErrorScope: async () => {
        const scope = scopes.pop();
        const error = await device.popErrorScope();
        return scope?.caught ? new GPUOutOfMemoryError() : error;
      },
      createBuffer: (descriptor: GPUBufferDescriptor) => {
        if (memory.given + descriptor.size <= budget) return counted(device.createBuffer(descriptor), memory);
        this.refused += 1;
        report();
        return invalidBuffer(device, descriptor);
      },
    });
  }
}

/** A buffer whose bytes are counted until it is destroyed. */
function counted(buffer: GPUBuffer, memory: { given: number; mostGiven: number }): GPUBuffer {
  const { size } = buffer;
  memory.given += size;
  memory.mostGiven = Math.max(memory.mostGiven, memory.given);
  let isThere = true;
  buffer.destroy = () => {
    if (isThere) memory.given -= size;
    isThere = false;
    Object.getPrototypeOf(buffer).destroy.call(buffer);
  };
  return buffer;
}

/** Like a buffer that could not be had: whatever uses it is refused. */
function invalidBuffer(device: GPUDevice, descriptor: GPUBufferDescriptor): GPUBuffer {
  device.pushErrorScope('validation');
  const buffer = device.createBuffer({ ...descriptor, usage: 0 });
  void device.popErrorScope();
  return buffer;
}
