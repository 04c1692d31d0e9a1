/**
 * The only access to onnxruntime-web. A build is loaded when the first session on its provider is opened: WebGPU on a
 * device lent by the lab, else WebAssembly. WebAssembly has one thread, which works everywhere, unless more are asked for
 * and possible.
 */
import type { InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { LabError, reasonOf } from '../foundation/errors';
import type { SharedGpu } from '../tensor/backend';
import { clipped } from './errors';

type Runtime = typeof import('onnxruntime-web/wasm');

export type Provider = 'webgpu' | 'wasm';
export type RuntimeTensor = Tensor;
export type Outputs = Readonly<Record<string, RuntimeTensor>>;

/** File of weights beside a model, under the path that the model has for it. */
export interface ExternalWeights {
  readonly path: string;
  readonly data: Uint8Array;
}

export interface RuntimeOptions {
  /** Device that the logits should stay on; null if there is none. Undefined: none is wanted. */
  readonly gpu?: SharedGpu | null;
  /** Reason why no device is wanted, for the user. */
  readonly withoutGpu?: string;
  readonly weights?: readonly ExternalWeights[];
  /** True if WebAssembly may use several threads, which needs a page isolated from other origins. */
  readonly threads?: boolean;
}

export interface RuntimeSession {
  readonly provider: Provider;
  /** Runtime, device and the reason for it, for the user. */
  readonly description: string;
  readonly session: InferenceSession;
  /** Tensor of numbers from 0 to 2³¹ − 1. */
  int64(values: ArrayLike<number>, dims: readonly number[]): Tensor;
  int32(values: ArrayLike<number>, dims: readonly number[]): Tensor;
  float32(values: Float32Array, dims: readonly number[]): Tensor;
  /** Tensor without elements. */
  empty(type: 'float32' | 'float16', dims: readonly number[]): Tensor;
  boolean(value: boolean): Tensor;
  /** Outputs asked for; on WebGPU they stay on the device. Throws LabError 'invalid-policy'. */
  run(inputs: Readonly<Record<string, Tensor>>, outputs: readonly string[]): Promise<Outputs>;
}

/** No log: warnings are about graphs in general, and errors are thrown. */
const QUIET = { logSeverityLevel: 4 } as const;

/** Builds by provider. The one for WebGPU suspends through the browser's JSPI: 10 MB smaller than the build without it. */
const LOADERS: Readonly<Record<Provider, () => Promise<Runtime>>> = {
  webgpu: () => import('onnxruntime-web/jspi'),
  wasm: () => import('onnxruntime-web/wasm'),
};

/** Largest number of threads: more gain little in models that a page can run. */
const MOST_THREADS = 4;

/** Number of threads to use: browsers give shared memory, and so threads, to isolated pages only. */
function threadsHere(): number {
  return globalThis.crossOriginIsolated === true ? Math.min(MOST_THREADS, navigator.hardwareConcurrency) : 1;
}

const loading = new Map<Provider, Promise<Runtime>>();

async function load(provider: Provider): Promise<Runtime> {
  const runtime = await LOADERS[provider]();
  runtime.env.logLevel = 'fatal';
  return runtime;
}

function runtimeFor(provider: Provider): Promise<Runtime> {
  const found = loading.get(provider) ?? load(provider);
  loading.set(provider, found);
  return found.catch((cause: unknown) => {
    loading.delete(provider);
    const what = 'onnxruntime-web, which runs policies out of files, could not be loaded.';
    throw new LabError('unsupported', what, 'Check the connection, and try again.', { cause });
  });
}

/**
 * Session on WebGPU if a device is lent and the model runs there, else on WebAssembly; the description says which and
 * why. Throws LabError 'unsupported' if the runtime cannot be loaded, 'invalid-policy' if it refuses the model.
 */
export async function openSession(model: Uint8Array, options: RuntimeOptions = {}): Promise<RuntimeSession> {
  const { gpu } = options;
  if (gpu === undefined) return onWebAssembly(model, options, options.withoutGpu);
  if (gpu === null) return onWebAssembly(model, options, 'the lab computes on the CPU here');
  if (!('Suspending' in WebAssembly))
    return onWebAssembly(model, options, 'this browser lacks JSPI, which WebGPU needs');
  try {
    return await onGpu(model, options, gpu);
  } catch (cause) {
    return onWebAssembly(model, options, `WebGPU would not do, ${clipped(reasonOf(cause))}`);
  }
}

/**
 * Session on WebGPU. The device is passed with each session, because version 1.30 overwrites `env.webgpu.device`, though it
 * is documented.
 */
async function onGpu(model: Uint8Array, { weights = [] }: RuntimeOptions, gpu: SharedGpu): Promise<RuntimeSession> {
  const runtime = await runtimeFor('webgpu');
  runtime.env.wasm.numThreads = 1;
  const session = await runtime.InferenceSession.create(model, {
    ...QUIET,
    executionProviders: [{ name: 'webgpu', device: gpu.device }],
    preferredOutputLocation: 'gpu-buffer',
    externalData: weights,
  });
  const where = `WebGPU, on the lab’s own device, ${gpu.description}: logits stay there`;
  return sessionOn('webgpu', runtime, session, where);
}

async function onWebAssembly(model: Uint8Array, options: RuntimeOptions, why?: string): Promise<RuntimeSession> {
  const runtime = await runtimeFor('wasm');
  try {
    const { weights = [], threads = false } = options;
    // Only the number at the first session of this Worker counts, because that session starts the threads.
    runtime.env.wasm.numThreads = threads ? threadsHere() : 1;
    const session = await runtime.InferenceSession.create(model, {
      ...QUIET,
      executionProviders: ['wasm'],
      externalData: weights,
    });
    const where = `WebAssembly, ${runtime.env.wasm.numThreads === 1 ? 'one thread' : `${runtime.env.wasm.numThreads} threads`}`;
    return sessionOn('wasm', runtime, session, why === undefined ? where : `${where}: ${why}`);
  } catch (cause) {
    const what = `onnxruntime refuses this model: ${reasonOf(cause)}.`;
    throw new LabError('invalid-policy', what, 'Choose another file.', { cause });
  }
}

function sessionOn(provider: Provider, runtime: Runtime, session: InferenceSession, where: string): RuntimeSession {
  const { Tensor } = runtime;
  return {
    provider,
    description: `onnxruntime-web ${runtime.env.versions.web ?? ''} (${where})`,
    session,
    int64: (values, dims) => new Tensor('int64', toInt64(values), dims),
    int32: (values, dims) => new Tensor('int32', Int32Array.from(values), dims),
    float32: (values, dims) => new Tensor('float32', values, dims),
    empty: (type, dims) =>
      type === 'float16' ? new Tensor(type, new Uint16Array(0), dims) : new Tensor(type, new Float32Array(0), dims),
    boolean: (value) => new Tensor('bool', [value], [1]),
    async run(inputs, outputs) {
      try {
        return await session.run(inputs, [...outputs], QUIET);
      } catch (cause) {
        const what = `onnxruntime could not run the model: ${reasonOf(cause)}.`;
        throw new LabError('invalid-policy', what, 'Choose another file, or shorter texts.', { cause });
      }
    },
  };
}

/** Numbers as int64, by halves, low ones first as in WebAssembly: a BigInt for each would take ten times as long. */
function toInt64(values: ArrayLike<number>): BigInt64Array {
  const halves = new Int32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) halves[2 * i] = values[i] as number;
  return new BigInt64Array(halves.buffer);
}
