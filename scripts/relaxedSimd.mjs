// Turns relaxed SIMD on, which the CPU backend's fused variant is made of, where Node has it behind a flag: in 20, for every
// thread of the process. Later versions have it without.
import { setFlagsFromString } from 'node:v8';

if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
