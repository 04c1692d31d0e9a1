/**
 * Training step of this lab against jax-js's in the tests' Chromium, and in Node against PyTorch's, where a Python here has it;
 * against PyTorch also a whole update. Run by hand:
 *   node scripts/run.mjs bench/peers.ts [--peers=jax-js,pytorch] [--shapes=small,base] [--devices=cpu,cpu-fused,webgpu]
 *     [--repetitions=6] [--updates=40] [--experiments=gridworld,gridworld-searched] [--python=PATH]
 * All sides take steps in turn. What counts is the ratio; the load of the machine is printed to judge how far it can be trusted.
 * Sides must report the same losses.
 */
import { parseArgs } from 'node:util';
import { isCpu } from '../src/foundation/cpuVariants';
import { againstJax, type JaxOptions } from './peers/againstJax';
import { againstTorch } from './peers/againstTorch';

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
const peers = values.peers.split(',');
const shapes = values.shapes.split(',') as JaxOptions['shapes'];
const devices = values.devices.split(',') as JaxOptions['devices'];
const repetitions = Number(values.repetitions);

if (peers.includes('jax-js')) await againstJax({ shapes, devices, repetitions });
if (peers.includes('pytorch')) {
  const kinds = devices.filter(isCpu);
  const updates = Number(values.updates);
  const experiments = values.experiments.split(',');
  await againstTorch({ shapes, kinds, repetitions, updates, experiments, python: values.python });
}
process.exit();
