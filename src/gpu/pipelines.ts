/**
 * Compiled kernels of one device. Each distinct WGSL text is compiled once, asynchronously and several at a time;
 * callers that ask for the same text share its compilation. Errors of the compiler are reported with their source
 * lines.
 */
import { LabError } from '../foundation/errors';
import { COMPUTE_STAGE } from './constants';
import type { Kernel } from './kernel';

export interface CompiledKernel {
  readonly kernel: Kernel;
  readonly layout: GPUBindGroupLayout;
  /** Pipeline; null until compiled. */
  readonly pipeline: GPUComputePipeline | null;
}

class Entry implements CompiledKernel {
  pipeline: GPUComputePipeline | null = null;
  compiling: Promise<void> | null = null;
  readonly kernel: Kernel;
  readonly layout: GPUBindGroupLayout;

  constructor(kernel: Kernel, layout: GPUBindGroupLayout) {
    this.kernel = kernel;
    this.layout = layout;
  }
}

export class PipelineCache {
  readonly #device: GPUDevice;
  readonly #entries = new Map<string, Entry>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The kernel's place in the cache; nothing is compiled yet. */
  entry(kernel: Kernel): CompiledKernel {
    let entry = this.#entries.get(kernel.code);
    if (!entry) {
      entry = new Entry(kernel, this.#layout(kernel));
      this.#entries.set(kernel.code, entry);
    }
    return entry;
  }

  /** Compiles one kernel. Rejects with LabError 'shader-compilation'. */
  compile({ kernel }: CompiledKernel): Promise<void> {
    const entry = this.#entries.get(kernel.code);
    if (!entry) throw new Error(`${kernel.name} is not of this device.`);
    if (entry.pipeline) return Promise.resolve();
    entry.compiling ??= this.#compile(entry).finally(() => {
      entry.compiling = null;
    });
    return entry.compiling;
  }

  async #compile(entry: Entry): Promise<void> {
    const { name, code, origin } = entry.kernel;
    this.#device.pushErrorScope('validation');
    const module = this.#device.createShaderModule({ label: name, code });
    // It rejects where the device's process dies meanwhile; the loss of the device tells that.
    const refused = this.#device.popErrorScope().catch(() => null);
    try {
      entry.pipeline = await this.#device.createComputePipelineAsync({
        label: name,
        layout: this.#device.createPipelineLayout({ bindGroupLayouts: [entry.layout] }),
        compute: { module, entryPoint: 'main' },
      });
      await refused;
    } catch (cause) {
      await refused;
      const messages = await module.getCompilationInfo().then(
        (info) => info.messages,
        () => [],
      );
      throw compilationError(name, origin, code, messages, cause);
    }
  }

  #layout(kernel: Kernel): GPUBindGroupLayout {
    const entries: GPUBindGroupLayoutEntry[] = [
      { binding: 0, visibility: COMPUTE_STAGE, buffer: { type: 'uniform', minBindingSize: kernel.parameterBytes } },
    ];
    for (const { index, kind } of kernel.bindings) {
      entries.push({ binding: index, visibility: COMPUTE_STAGE, buffer: { type: kind } });
    }
    return this.#device.createBindGroupLayout({ label: kernel.name, entries });
  }
}

function compilationError(
  name: string,
  origin: string | undefined,
  code: string,
  messages: readonly GPUCompilationMessage[],
  cause: unknown,
): LabError {
  const lines = code.split('\n');
  const details = messages
    .filter((message) => message.type === 'error')
    .map(({ lineNum, linePos, message }) => {
      const source = lines[lineNum - 1] ?? '';
      return `${name}:${lineNum}:${linePos} ${message}\n    ${source}\n    ${' '.repeat(Math.max(linePos - 1, 0))}^`;
    });
  if (details.length === 0) details.push(cause instanceof Error ? cause.message : String(cause));
  return new LabError(
    'shader-compilation',
    `The GPU's compiler refused ${name}${origin === undefined ? '' : `, made from ${origin}`}.\n${details.join('\n')}\n`,
    'Please report this with the name of your GPU and browser; the CPU backend is not affected.',
    { cause },
  );
}
