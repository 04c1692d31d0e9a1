/**
 * WebGPU's flag values. Browsers keep them in globals (GPUBufferUsage, GPUMapMode, GPUShaderStage) that Node with Dawn
 * lacks unless someone installs them; the numbers are fixed by the specification.
 */
export const USAGE = {
  mapRead: 0x0001,
  copySource: 0x0004,
  copyTarget: 0x0008,
  uniform: 0x0040,
  storage: 0x0080,
} as const;

export const MAP_READ = 1;
export const COMPUTE_STAGE = 4;

/** Workgroups along one grid axis; every device allows this many. */
export const MAX_GRID = 65_535;
