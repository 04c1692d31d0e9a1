/** WGSL of the kernels: every file below shaders/, so a new one needs no list. Its name is its path there. */
import { defineKernel, type Kernel } from '../../gpu/kernel';
import { MADE } from './made';

const FOLDER = '../../../shaders/';
const FILES = import.meta.glob<string>('../../../shaders/**/*.wgsl', { query: '?raw', import: 'default', eager: true });

/** Texts by name: 'log_prob/masked.wgsl'. */
export const SHADERS: ReadonlyMap<string, string> = new Map([
  ...MADE,
  ...Object.entries(FILES).map(([path, text]) => [path.slice(FOLDER.length), text] as const),
]);

const kernels = new Map<string, Kernel>();

/** The kernel in `${name}.wgsl`. */
export function kernelOf(name: string, sizes: Readonly<Record<string, number>> = {}): Kernel {
  const key = JSON.stringify([name, sizes]);
  let kernel = kernels.get(key);
  if (!kernel) {
    kernel = defineKernel(`${name}.wgsl`, SHADERS, sizes);
    kernels.set(key, kernel);
  }
  return kernel;
}
