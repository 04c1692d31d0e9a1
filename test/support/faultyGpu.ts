/**
 * A real (software) WebGPU whose devices fail when the test says so: lost after a number of submissions, or without memory
 * above a budget, reported as WebGPU reports it: an invalid buffer, the error to the innermost out-of-memory scope, or to
 * the device as an uncaptured error where there is none.
 *
 * A device of its own compiles every kernel again, for seconds. So the devices handed out stand on one that lasts, unless
 * a test wants real ones. One that is lost then does what WebGPU says of lost devices: `lost` resolves, its buffers are
 * destroyed, commands are dropped, mappings fail.
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

/** Devices that are never destroyed, by what was asked for. */
const lasting = new Map<string, Promise<GPUDevice>>();

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
  readonly #sharesOne: boolean;

  private constructor(real: GPU, sharesOne: boolean) {
    this.#real = real;
    this.#sharesOne = sharesOne;
  }

  /** `devices`: whether each is a real one, or they stand on one that lasts. */
  static async create(devices: 'real' | 'lasting' = 'lasting'): Promise<FaultyGpu> {
    process.env.UNMASK_SOFTWARE_GPU = '1';
    return new FaultyGpu((await createNodeGpu()).gpu, devices === 'lasting');
  }

  /** In place of navigator.gpu. */
  get gpu(): GPU {
    const requestAdapter = async (options?: GPURequestAdapterOptions): Promise<GPUAdapter | null> => {
      const adapter = this.available ? await this.#real.requestAdapter(options) : null;
      if (adapter === null) return null;
      const requestDevice = async (descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> => {
        const device = this.#mortal(await this.#device(adapter, descriptor));
        this.devices.push(device);
        return device;
      };
      return altered(adapter, { requestDevice });
    };
    return { requestAdapter } as unknown as GPU;
  }

  #device(adapter: GPUAdapter, descriptor: GPUDeviceDescriptor | undefined): Promise<GPUDevice> {
    if (!this.#sharesOne) return adapter.requestDevice(descriptor);
    const key = JSON.stringify(descriptor);
    const device = lasting.get(key) ?? adapter.requestDevice(descriptor);
    lasting.set(key, device);
    return device;
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
    const life = this.#sharesOne ? new Life() : null;
    const destroy = (): void => (life === null ? device.destroy() : life.end());
    const report = (): void => {
      const scope = scopes.findLast(({ filter }) => filter === 'out-of-memory');
      if (scope) scope.caught = true;
      else for (const listener of listeners) listener({ error: new GPUOutOfMemoryError() });
    };
    const submit = (commands: GPUCommandBuffer[]): void => {
      if (life?.isOver !== true) device.queue.submit(commands);
      left -= 1;
      exhausted -= 1;
      this.submissions += 1;
      if (exhausted === 0) report();
      if (left === 0) destroy();
    };
    const writeBuffer = (...written: Parameters<GPUQueue['writeBuffer']>): void => {
      if (life?.isOver !== true) device.queue.writeBuffer(...written);
    };
    return altered(device, {
      ...(life === null ? {} : { lost: life.lost }),
      destroy,
      queue: altered(device.queue, { submit, writeBuffer }),
      addEventListener: (type: string, listener: (event: unknown) => void) => {
        if (type === 'uncapturederror') listeners.push(listener);
        device.addEventListener(type, listener as EventListener);
        void life?.lost.then(() => device.removeEventListener(type, listener as EventListener));
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
        if (memory.given + descriptor.size <= budget) {
          const buffer = counted(device.createBuffer(descriptor), memory);
          return life === null ? buffer : life.own(buffer);
        }
        this.refused += 1;
        report();
        return invalidBuffer(device, descriptor);
      },
    });
  }
}

/** From being handed out to being lost, of a device that stands on one that lasts. */
class Life {
  readonly lost: Promise<GPUDeviceLostInfo>;
  isOver = false;
  readonly #buffers: GPUBuffer[] = [];
  #lose: (info: GPUDeviceLostInfo) => void = () => {};

  constructor() {
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  /** The buffer, which ends with the device, as do mappings that are under way. */
  own(buffer: GPUBuffer): GPUBuffer {
    const fails = this.lost.then((): never => {
      throw new DOMException('The device is lost.', 'AbortError');
    });
    fails.catch(() => {});
    const map = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = (...range) => (this.isOver ? fails : Promise.race([map(...range), fails]));
    this.#buffers.push(buffer);
    return buffer;
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const buffer of this.#buffers) buffer.destroy();
    this.#lose({ reason: 'destroyed', message: '' } as GPUDeviceLostInfo);
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
