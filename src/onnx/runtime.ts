/**
 * The one way to onnxruntime-web. It is loaded when the first session is opened, and runs here on WebAssembly with one
 * thread, which needs nothing of the page or of Node that serves it.
 */
import type { InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { LabError } from '../foundation/errors';

type Runtime = typeof import('onnxruntime-web/wasm');

let loading: Promise<Runtime> | null = null;

async function load(): Promise<Runtime> {
  const runtime = await import('onnxruntime-web/wasm');
  runtime.env.wasm.numThreads = 1;
  // Its warnings are about graphs as such; what fails is thrown.
  runtime.env.logLevel = 'error';
  return runtime;
}

export type RuntimeTensor = Tensor;

export interface RuntimeSession {
  /** For the person. */
  readonly description: string;
  readonly session: InferenceSession;
  int64(values: ArrayLike<number>, dims: readonly number[]): Tensor;
  float32(values: Float32Array, dims: readonly number[]): Tensor;
}

/** Throws LabError 'unsupported' where the runtime cannot be loaded, 'invalid-policy' where it refuses the model. */
export async function openSession(model: Uint8Array): Promise<RuntimeSession> {
  loading ??= load();
  const runtime = await loading.catch((cause: unknown) => {
    loading = null;
    const what = 'onnxruntime-web, which runs policies out of files, could not be loaded.';
    throw new LabError('unsupported', what, 'Check the connection, and try again.', { cause });
  });
  try {
    const session = await runtime.InferenceSession.create(model, { executionProviders: ['wasm'] });
    return {
      description: `onnxruntime-web ${runtime.env.versions.web ?? ''} (WebAssembly, one thread)`,
      session,
      int64: (values, dims) => new runtime.Tensor('int64', BigInt64Array.from(values as number[], BigInt), dims),
      float32: (values, dims) => new runtime.Tensor('float32', values, dims),
    };
  } catch (cause) {
    const why = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ').replace(/\.$/, '');
    throw new LabError('invalid-policy', `onnxruntime refuses this model: ${why}.`, 'Choose another file.', { cause });
  }
}
