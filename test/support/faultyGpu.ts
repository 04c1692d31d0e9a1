/**
 * A real (software) WebGPU whose devices fail when the test says so. A device is lost after a number of submissions, or has
 * no memory above a budget. Missing memory is reported as in WebGPU: an invalid buffer, and an error to the innermost
 * out-of-memory scope, or without a scope an uncaptured error of the device.
 *
 * A new device compiles every kernel again, for seconds. So the devices handed out are wrappers of one lasting device; a test
 * may ask for a real one as the first. A lost wrapper does what WebGPU demands: `lost` resolves, its buffers are destroyed,
 * commands are dropped, mappings fail.
 */
import { createNodeGpu } from '../../src/node/gpu';

/** Stand-in for WebGPU's own class, which only a browser can construct. The lab knows it by its name. */
class GPUOutOfMemoryError {
  readonly message = 'There is no memory left (a test says so).';
}

/** Proxy of an object with its methods bound to it and some properties replaced. */
export function altered<T extends object>(target: T, replaced: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get(_, key) {
      if (key in replaced) return replaced[key as keyof T];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Lasting devices, which are never destroyed, by their descriptor. */
const lasting = new Map<string, Promise<GPUDevice>>();

function lastingDevice(adapter: GPUAdapter, descriptor: GPUDeviceDescriptor | undefined): Promise<GPUDevice> {
  const key = JSON.stringify(descriptor);
  const device = lasting.get(key) ?? adapter.requestDevice(descriptor);
  lasting.set(key, device);
  return device;
}

export class FaultyGpu {
  /** Devices handed out. */
  readonly devices: GPUDevice[] = [];
  /** False if no further adapter is offered. */
  available = true;
  /** For each device in turn: submissions until it is lost. They count work, not time. */
  loseAfter: number[] = [];
  /** For each device in turn: pipelines compiled until the process it lives in dies, and all promises with it. */
  dieAfter: number[] = [];
  /** For each device in turn: submissions until it reports that memory ran out. */
  exhaustAfter: number[] = [];
  /** For each device in turn: bytes of buffers that it can give. */
  budgets: number[] = [];
  /** True if the adapter says that it is no software. */
  isHardware = false;
  /** For each device in turn: bytes it gives in one buffer. */
  pieces: number[] = [];
  /** Resolves when pipelines may be compiled. */
  compiles: Promise<void> = Promise.resolve();
  /** Submissions to all devices. */
  submissions = 0;
  /** Bytes of the newest device's buffers: at present, and at most so far. */
  memory = { given: 0, mostGiven: 0 };
  /** Buffers refused by all devices. */
  refused = 0;
  readonly #real: GPU;
  readonly #first: 'real' | 'lasting';

  private constructor(real: GPU, first: 'real' | 'lasting') {
    this.#real = real;
    this.#first = first;
  }

  /** `first`: the first device, a real one or, as all others are, a wrapper of the lasting one. */
  static async create(first: 'real' | 'lasting' = 'lasting'): Promise<FaultyGpu> {
    process.env.UNMASK_SOFTWARE_GPU = '1';
    return new FaultyGpu((await createNodeGpu()).gpu, first);
  }

  /** In place of navigator.gpu. */
  get gpu(): GPU {
    const requestAdapter = async (options?: GPURequestAdapterOptions): Promise<GPUAdapter | null> => {
      const adapter = this.available ? await this.#real.requestAdapter(options) : null;
      if (adapter === null) return null;
      const requestDevice = async (descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> => {
        const isReal = this.#first === 'real' && this.devices.length === 0;
        const device = isReal ? await adapter.requestDevice(descriptor) : await lastingDevice(adapter, descriptor);
        const mortal = this.#mortal(device, isReal ? null : new Life());
        this.devices.push(mortal);
        return mortal;
      };
      const info = { vendor: 'test', architecture: '', device: '', description: 'Test GPU' };
      return altered(adapter, { requestDevice, ...(this.isHardware && { info }) });
    };
    return { requestAdapter } as unknown as GPU;
  }

  /** `life`: of a device that stands on one that lasts. */
  #mortal(device: GPUDevice, life: Life | null): GPUDevice {
    let left = this.loseAfter.shift() ?? Number.POSITIVE_INFINITY;
    let compilable = this.dieAfter.shift() ?? Number.POSITIVE_INFINITY;
    let exhausted = this.exhaustAfter.shift() ?? Number.POSITIVE_INFINITY;
    const budget = this.budgets.shift() ?? Number.POSITIVE_INFINITY;
    const piece = this.pieces.shift();
    /** Open error scopes, and whether each has caught a simulated error. */
    const scopes: { filter: GPUErrorFilter; caught: boolean }[] = [];
    const listeners: ((event: unknown) => void)[] = [];
    const memory = { given: 0, mostGiven: 0 };
    this.memory = memory;
    const destroy = (): void => (life === null ? device.destroy() : life.end());
    const report = (): void => {
      const scope = scopes.findLast(({ filter }) => filter === 'out-of-memory');
      if (scope) scope.caught = true;
      else for (const listener of listeners) listener({ error: new GPUOutOfMemoryError() });
    };
    const submit = (commands: GPUCommandBuffer[]): void => {
      if (life?.isOver !== true) device.queue.submit(commands);
      // An empty one only wakes a readback, and how many there are is a matter of time.
      if (commands.length === 0) return;
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
      ...(piece !== undefined && { limits: altered(device.limits, { maxBufferSize: piece }) }),
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
      createComputePipelineAsync: async (descriptor: GPUComputePipelineDescriptor) => {
        compilable -= 1;
        if (compilable < 0) {
          destroy();
          throw new DOMException('Instance dropped', 'OperationError');
        }
        await this.compiles;
        return device.createComputePipelineAsync(descriptor);
      },
      popErrorScope: async () => {
        const scope = scopes.pop();
        // As Chromium says it of a GPU process that crashed.
        if (compilable < 0) throw new DOMException('Instance dropped in popErrorScope', 'OperationError');
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

/** Life of a wrapper of the lasting device, until it is lost. */
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

  /** The buffer, whose mappings fail and which is destroyed when the device is lost. */
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

/** Invalid buffer, as WebGPU returns it when memory is missing: every use of it is refused. */
function invalidBuffer(device: GPUDevice, descriptor: GPUBufferDescriptor): GPUBuffer {
  device.pushErrorScope('validation');
  const buffer = device.createBuffer({ ...descriptor, usage: 0 });
  void device.popErrorScope();
  return buffer;
}
