// Vitest's global setup of the unit and kernel projects: compiles the CPU backend's kernels before any test imports them.
export { buildWasm as setup } from '../../scripts/wasm.mjs';
