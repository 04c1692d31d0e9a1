/**
 * QuickJS with a meter. All that its code does is work, its built-in functions too: a round of a loop, the call of a function, 32
 * bytes that are copied (scripts/meter.mjs). The same text does the same work everywhere, so that where a call ends is no matter of
 * the machine or of what else runs on it.
 */
import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core';
import { LabError } from '../../foundation/errors';
import quickJs from './quickjs.wasm?url';

/** Share of the allowed work within which QuickJS is asked to end by itself, which keeps it whole. After it QuickJS traps. */
const GRACE = 1 / 4;
/** Most work that can be allowed, so that the grace has room in 31 bits. */
const MOST = 1.6e9;

class Meter {
  readonly #left: WebAssembly.Global;
  #grace = 0;

  constructor(left: WebAssembly.Global) {
    this.#left = left;
    this.allow(MOST);
  }

  /** Allows so much work from now on, and the grace. */
  allow(work: number): void {
    const allowed = Math.min(work, MOST);
    this.#grace = Math.floor(allowed * GRACE);
    this.#left.value = allowed + this.#grace;
  }

  /** True once QuickJS has to end by itself. */
  get isSpent(): boolean {
    return this.#left.value < this.#grace;
  }

  /** True once QuickJS has trapped. */
  get hasTrapped(): boolean {
    return this.#left.value < 0;
  }
}

export interface SandboxEngine {
  readonly module: QuickJSWASMModule;
  readonly meter: Meter;
}

let compiled: Promise<WebAssembly.Module> | null = null;

async function compile(): Promise<WebAssembly.Module> {
  try {
    const response = await fetch(quickJs);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (cause) {
    compiled = null;
    const advice = 'Reload the page, with WebAssembly enabled.';
    throw new LabError('unsupported', 'The sandbox of worlds could not be loaded.', advice, { cause });
  }
}

/** A new one; it is compiled once. Throws LabError 'unsupported'. */
export async function startEngine(): Promise<SandboxEngine> {
  compiled ??= compile();
  const wasm = await compiled;
  let left: WebAssembly.Global | null = null;
  const emscriptenModule = {
    // Errors carry the text that the engine prints when it breaks.
    printErr: () => {},
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(wasm, imports);
      left = instance.exports.work as WebAssembly.Global;
      receive(instance);
      return instance.exports;
    },
  };
  const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, { emscriptenModule }));
  if (left === null) throw new LabError('internal', 'QuickJS did not start with its meter.', 'Report it.');
  return { module, meter: new Meter(left) };
}
