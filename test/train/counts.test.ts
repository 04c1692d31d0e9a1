/**
 * Budgets of what an update of the first experiment asks of a GPU, by the kernels and limits that a GPU has. What goes over
 * its budget costs time there that neither the CPU nor software WebGPU shows: raise a budget only for a reason.
 */
import { beforeAll, expect, it } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { counted } from '../../src/train/bench/counts';
import type { Counts } from '../../src/train/bench/report';
import { Trainer } from '../../src/train/population/trainer';
import { gpuTwin } from '../support/gpuTwin';

const { experiment } = defaultPreset;

/** Most that may be asked, bytes for each member. */
const USUAL: Counts = {
  dispatches: 317,
  submissions: 9,
  uploads: 21,
  'bytes uploaded': 305_000,
  readbacks: 3,
  'bytes read back': 10_000,
};
/** The same where gradients are measured apart and every token is read back. */
const DIAGNOSED: Counts = {
  ...USUAL,
  dispatches: 396,
  uploads: 22,
  submissions: 12,
  readbacks: 4,
  'bytes read back': 160_000,
};

let usual: Counts;
let diagnosed: Counts;

/** The counts with bytes for each member: those of all arms with one seed. */
const ofMember = (counts: Counts, members: number): Counts => ({
  ...counts,
  'bytes uploaded': counts['bytes uploaded'] / members,
  'bytes read back': counts['bytes read back'] / members,
});

beforeAll(async () => {
  const { backend, take } = counted(await gpuTwin());
  const trainer = new Trainer(backend, {
    ...experiment,
    seeds: 1,
    warmStart: { ...experiment.warmStart, updates: 0 },
    evaluation: { ...experiment.evaluation, every: 0, toolEvery: 0 },
  });
  await trainer.prepare();
  const update = async (): Promise<Counts> => {
    take();
    await (await trainer.runUpdate()).metrics;
    return ofMember(take(), trainer.members.length);
  };
  diagnosed = await update();
  usual = await update();
  trainer.dispose();
});

it.each([
  { name: 'an update', budget: USUAL, asked: () => usual },
  { name: 'a diagnosed update', budget: DIAGNOSED, asked: () => diagnosed },
])('asks for what $name may', ({ budget, asked }) => {
  for (const [what, most] of Object.entries(budget) as [keyof Counts, number][]) {
    expect(asked()[what], what).toBeLessThanOrEqual(most);
    // A budget far above what is asked would hold nothing.
    expect(asked()[what], what).toBeGreaterThan(0.85 * most);
  }
});
