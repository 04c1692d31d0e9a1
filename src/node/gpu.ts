// WebGPU in Node: Dawn, from the npm package `webgpu`. Uses the machine's own driver where there is a GPU; otherwise, and
// always with UNMASK_SOFTWARE_GPU=1, SwiftShader from @sparticuz/chromium. No variable has to be set before Node starts:
// the Vulkan loader is opened by its full path and stays resident, so that Dawn finds it by name, and the loader reads
// VK_DRIVER_FILES (older loaders: VK_ICD_FILENAMES) when it makes an instance.
import { existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers';
import { LabError } from '../foundation/errors';
import { packageRunsHere, unpack } from './chromiumPackage';

export interface NodeGpu {
  gpu: GPU;
  /** Name of the adapter for people: "SwiftShader driver 5.0.0 (software, through Dawn in Node)". */
  description: string;
}

/** `RTLD_NODELETE` of glibc: the library stays loaded although it is no Node add-on and process.dlopen gives up on it. */
const keepLoaded = 0x1000;

/** Dawn instances in use. Devices do not keep theirs alive; if one is collected, the process crashes in the driver. */
const alive = new Set<GPU>();

/** WebGPU of this machine, or SwiftShader. Throws LabError 'no-adapter' if neither has an adapter. */
export async function createNodeGpu(): Promise<NodeGpu> {
  const dawn = await import('webgpu');
  Object.assign(globalThis, dawn.globals);
  const forced = process.env.UNMASK_SOFTWARE_GPU === '1';
  if (!forced && mayHaveDriver()) {
    const found = await describe(dawn.create([]));
    if (found) return found;
  }
  if (!packageRunsHere) {
    throw forced
      ? noAdapter('UNMASK_SOFTWARE_GPU=1 works on Linux x64 only.', 'Unset it to use the GPU of this machine.')
      : noAdapter(
          'No GPU adapter was found.',
          'Install a driver for Vulkan, Metal or Direct3D 12, or choose --backend cpu.',
        );
  }
  loadSwiftShader();
  leaveCoresToDriver();
  const found = await describe(dawn.create([]));
  if (!found) throw noAdapter('SwiftShader was loaded but offers no adapter.', 'Choose --backend cpu.');
  return found;
}

function noAdapter(what: string, advice: string): LabError {
  return new LabError('no-adapter', what, advice);
}

async function describe(gpu: GPU): Promise<NodeGpu | null> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) return null;
  const { description, device, vendor, isFallbackAdapter } = adapter.info;
  alive.add(gpu);
  const kind = isFallbackAdapter ? 'software, ' : '';
  return { gpu, description: `${description || device || vendor} (${kind}through Dawn in Node)` };
}

/** True if there may be a GPU driver. Without this check Dawn warns about a missing libvulkan on machines without a GPU. */
function mayHaveDriver(): boolean {
  if (process.platform !== 'linux') return true;
  if (['/dev/nvidiactl', '/dev/dxg', '/dev/kfd'].some((path) => existsSync(path))) return true;
  return existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'));
}

function loadSwiftShader(): void {
  const folder = unpack('swiftshader.tar.br');
  process.env.VK_DRIVER_FILES = process.env.VK_ICD_FILENAMES = join(folder, 'vk_swiftshader_icd.json');
  try {
    process.dlopen({ exports: {} }, join(folder, 'libvulkan.so.1'), constants.dlopen.RTLD_NOW | keepLoaded);
  } catch (error) {
    if (!String(error).includes('self-register')) throw error;
  }
}

/**
 * Dawn asks for news by setImmediate, again and again for as long as it waits: that takes a whole core, on which SwiftShader
 * could compute. From here on it asks once a millisecond. Of all that is given to setImmediate only its callbacks are native
 * functions without a name.
 */
function leaveCoresToDriver(): void {
  if (globalThis.setImmediate !== setImmediate) return;
  const soon = (task: (...args: unknown[]) => void, ...args: unknown[]): unknown =>
    String(task) === 'function () { [native code] }' ? setTimeout(task, 1) : setImmediate(task, ...args);
  globalThis.setImmediate = Object.assign(soon, setImmediate) as typeof setImmediate;
}
