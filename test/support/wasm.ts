// Vitest's global setup of the unit and kernel projects: the CPU backend's kernels are compiled before any test imports them.
export { buildWasm as setup } from '../../scripts/wasm.mjs';
