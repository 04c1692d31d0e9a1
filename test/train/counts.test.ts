/**
 * Budgets of what an update asks of a GPU, by the kernels and limits that a GPU has. What goes over its budget costs time there
 * that neither the CPU nor software WebGPU shows: raise a budget only for a reason. Where kernels are still to be joined, the
 * number that is aimed at stands beside.
 */
import { describe, expect, it } from 'vitest';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
import { countRequests, standingIn } from '../../src/train/bench/counts';
import type { Counts } from '../../src/train/bench/report';
import { Trainer } from '../../src/train/population/trainer';
import { gpuTwin } from '../support/gpuTwin';

const first = defaultPreset.experiment;
const rotary = { ...first, policy: { ...first.policy, positions: 'rotary' as const } };
const gridworld = findPreset('gridworld')?.experiment ?? first;

/** Most that may be asked in an update and a diagnosed one; bytes of all arms with one seed. Turns are of all cohorts. */
const BUDGETS = [
  { experiment: first, cohorts: 1, turns: 2, dispatches: [230, 290], uploads: [21, 22], kB: [605, 314] },
  { experiment: first, cohorts: 2, turns: 4, dispatches: [258, 318], uploads: [29, 30], kB: [605, 314] },
  { experiment: rotary, cohorts: 1, turns: 2, dispatches: [230, 290], uploads: [21, 22], kB: [605, 314] },
  { experiment: gridworld, cohorts: 1, turns: 12, dispatches: [276, 336], uploads: [61, 62], kB: [718, 370] },
  { experiment: gridworld, cohorts: 2, turns: 24, dispatches: [444, 504], uploads: [109, 110], kB: [718, 370] },
] as const;
/** Submissions beside one a turn and cohort: an inner step each, and what is measured; more where a step is too long for one. */
const SUBMISSIONS = { usual: 4, diagnosed: 7 };

describe.each(BUDGETS)('$experiment.preset, positions $experiment.policy.positions, in $cohorts cohorts', (budget) => {
  it('asks for what it may, in submissions that a slow GPU ends in 100 ms', async () => {
    const { experiment, cohorts, turns, dispatches, uploads, kB } = budget;
    const { backend, take } = countRequests(await gpuTwin());
    let [played, longest] = [0, 0];
    const watched = standingIn(backend, {
      run(...programs) {
        if (programs[0]?.label.startsWith('decode')) played++;
        for (const { flops = [] } of programs) longest = Math.max(longest, ...flops);
        backend.run(...programs);
      },
    });
    const plain = {
      ...experiment,
      seeds: 1,
      warmStart: { ...experiment.warmStart, updates: 0 },
      evaluation: { ...experiment.evaluation, every: 0, toolEvery: 0 },
    };
    const trainer = new Trainer(watched, plain, { cohorts });
    await trainer.prepare();
    const update = async (): Promise<Counts> => {
      take();
      played = 0;
      await (await trainer.runUpdate()).metrics;
      return take();
    };
    const [diagnosed, usual] = [await update(), await update()];
    const { microbatches } = trainer;
    trainer.dispose();
    expect({ microbatches, played }).toEqual({ microbatches: 1, played: turns });
    expect([usual.dispatches, diagnosed.dispatches]).toEqual(dispatches);
    expect([usual.uploads, diagnosed.uploads]).toEqual(uploads);
    expect([usual.readbacks, diagnosed.readbacks]).toEqual([turns + 1, turns + 2]);
    expect(usual.submissions).toBeLessThanOrEqual(turns + SUBMISSIONS.usual);
    expect(diagnosed.submissions).toBeLessThanOrEqual(turns + SUBMISSIONS.diagnosed);
    expect(usual['bytes uploaded']).toBeLessThanOrEqual(1000 * kB[0]);
    expect(diagnosed['bytes read back']).toBeLessThanOrEqual(1000 * kB[1]);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(backend.limits.maxOperationFlops);
  });
});
