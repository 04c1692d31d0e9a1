/**
 * Training step of this lab against jax-js's in the tests' Chromium, and in Node against PyTorch's, where a Python here has it;
 * against PyTorch also a whole update. Run by hand:
 *   node scripts/run.mjs bench/peers.ts [--peers=jax-js,pytorch] [--shapes=small,base] [--devices=cpu,cpu-fused,webgpu]
 *     [--repetitions=6] [--updates=40] [--experiments=gridworld,gridworld-searched] [--python=PATH]
 * All sides take steps in turn. What counts is the ratio; the load of the machine is printed to judge how far it can be trusted.
 * A comparison stops where the sides do not compute the same: the losses of all steps must agree, and before updates are timed,
 * what each side learns in one update from the same parameters and the same batch (peers/firstUpdate.ts). Each side then plays its
 * own batches, so later updates agree only in what they come to; that is printed.
 */
import { parseArgs } from 'node:util';
import { CPU_NAMES, type CpuKind, isCpu } from '../src/foundation/cpuVariants';
import { againstJax } from './peers/againstJax';
import { againstTorch } from './peers/againstTorch';
import { chosen, counted } from './peers/options';
import { SHAPES } from './peers/shapes';

const { values } = parseArgs({
  options: {
    peers: { type: 'string', default: 'jax-js,pytorch' },
    shapes: { type: 'string', default: 'small,base' },
    devices: { type: 'string', default: 'cpu,cpu-fused,webgpu' },
    repetitions: { type: 'string', default: '6' },
    updates: { type: 'string', default: '40' },
    experiments: { type: 'string', default: 'gridworld,gridworld-searched' },
    python: { type: 'string' },
  },
});
const peers = chosen('peers', values.peers, ['jax-js', 'pytorch']);
const shapes = chosen('shapes', values.shapes, Object.keys(SHAPES) as (keyof typeof SHAPES)[]);
const devices = chosen('devices', values.devices, [...(Object.keys(CPU_NAMES) as CpuKind[]), 'webgpu']);
const repetitions = counted('repetitions', values.repetitions, 1);
const updates = counted('updates', values.updates, 0);

if (peers.includes('jax-js')) await againstJax({ shapes, devices, repetitions });
if (peers.includes('pytorch')) {
  const kinds = devices.filter(isCpu);
  const experiments = values.experiments.split(',');
  if (kinds.length === 0)
    console.log(`PyTorch is compared on the CPU alone: --devices=${Object.keys(CPU_NAMES).join(',')}.`);
  else await againstTorch({ shapes, kinds, repetitions, updates, experiments, python: values.python });
}
process.exit();
