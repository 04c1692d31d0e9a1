/**
 * Comparison of training steps inside the page: both sides take steps in turn, so other load on the machine affects both.
 * The first steps compile and are not counted.
 */
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { jaxStep, type PeerStep } from './jaxStep';
import { ourStep } from './ourStep';
import { SHAPES } from './shapes';

export interface Comparison {
  /** Seconds of each repetition. */
  readonly ours: number[];
  readonly theirs: number[];
  /** Losses of every step from the first, both sides; they must agree. */
  readonly losses: { ours: number[]; theirs: number[] };
}

export interface ComparisonOptions {
  readonly shape: keyof typeof SHAPES;
  readonly device: 'webgpu' | CpuKind;
  readonly repetitions: number;
}

const WARM_UP = 2;

export async function compare({ shape, device, repetitions }: ComparisonOptions): Promise<Comparison> {
  const mine = await ourStep(device, SHAPES[shape]);
  const peer = await jaxStep(device === 'webgpu' ? 'webgpu' : 'wasm', SHAPES[shape]);
  const result: Comparison = { ours: [], theirs: [], losses: { ours: [], theirs: [] } };
  const one = async (side: 'ours' | 'theirs', { step }: PeerStep, counted: boolean): Promise<void> => {
    const start = performance.now();
    const loss = await step();
    if (counted) result[side].push((performance.now() - start) / 1000);
    result.losses[side].push(loss);
  };
  for (let i = 0; i < WARM_UP + repetitions; i++) {
    await one('ours', mine, i >= WARM_UP);
    await one('theirs', peer, i >= WARM_UP);
  }
  return result;
}
