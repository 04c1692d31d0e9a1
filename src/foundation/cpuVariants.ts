/**
 * Variants of the CPU backend. `cpu` rounds a product before it is added, as WebAssembly's SIMD does on every machine;
 * `cpu-fused` rounds a·b + c once, where the processor can. Their numbers differ in the last digits, so results, links and
 * checkpoints name them.
 */
export type CpuKind = 'cpu' | 'cpu-fused';

/** Name for results, for any number of Workers. */
export const CPU_NAMES: Readonly<Record<CpuKind, string>> = {
  cpu: 'CPU (WebAssembly SIMD)',
  'cpu-fused': 'CPU (WebAssembly SIMD, fused multiply-add)',
};

/** Name with the processor's part in brackets: "one thread", "2 workers". */
export const cpuOn = (kind: CpuKind, where: string): string => CPU_NAMES[kind].replace(')', `, ${where})`);

export const isCpu = (kind: string): kind is CpuKind => kind in CPU_NAMES;

/** Variant that a result's device is, with or without a number of Workers; null for any other device. */
export function cpuKindOf(device: string): CpuKind | null {
  const isOf = (kind: CpuKind): boolean => device.startsWith(CPU_NAMES[kind].slice(0, -1));
  if (isOf('cpu-fused')) return 'cpu-fused';
  return isOf('cpu') ? 'cpu' : null;
}

/** Name of a device for people: “CPU, 2 threads”; any other device’s own name. */
export const deviceInWords = (device: string): string =>
  device.replace(/^CPU \(WebAssembly SIMD(.*)\)$/, (_, where: string) => `CPU${where.replace('workers', 'threads')}`);
