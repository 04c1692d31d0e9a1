/** A machine measured in short: on the GPU and the CPU that are here, and where there is no GPU. */
import { expect, test } from 'vitest';
import { benchTable } from '../../src/cli/machine/benchTable';
import { benchmark } from '../../src/train/bench/benchmark';
import type { MachineReport } from '../../src/train/bench/report';
import { chooseBackend } from '../../src/train/run/choose/backends';
import { sharedGpu } from '../support/gpu';
import { isNightly } from '../support/nightly';

const alone = {
  workers: 1,
  start: () => {
    throw new Error('One thread needs no other.');
  },
};

async function measured(gpu: GPU | undefined): Promise<{ report: MachineReport; shares: number[] }> {
  const shares: number[] = [];
  const report = await benchmark('machine', {
    choose: (_, choice = 'cpu') => chooseBackend(choice, undefined, alone),
    gpu,
    quick: true,
    say: (_, share = Number.NaN) => shares.push(share),
  });
  expect(benchTable(report, 'this machine', { before: 0, after: 0 })).not.toMatch(/NaN|undefined|Infinity/);
  return { report: report as MachineReport, shares };
}

test.runIf(isNightly)(
  'on a GPU a case of every operation is checked, and updates, latencies and memory are measured',
  async () => {
    const { report, shares } = await measured((await sharedGpu()).gpu);
    const { gpu, checks, latency, memory, presets } = report;
    expect(gpu).toMatchObject({ software: true, limits: { maxBufferSize: expect.any(Number) } });
    expect(checks).toMatchObject({ beyond: [] });
    expect('cases' in checks && checks.cases).toBeGreaterThan(30);
    expect('worst' in checks && checks.worst).toBeLessThanOrEqual(1);
    expect(latency).toMatchObject({ dispatch: expect.any(Number), readback: expect.any(Number) });
    expect(memory).toMatchObject({ reached: 16 * 2 ** 20, asked: 16 * 2 ** 20 });
    expect(presets).toHaveLength(1);
    expect(presets[0]?.gpu).toMatchObject({ updates: 1, cohorts: 1, counts: { readbacks: expect.any(Number) } });
    expect(presets[0]?.cpu).toMatchObject({ updates: 1, kind: expect.stringMatching(/^cpu/) });
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(shares.at(-1)).toBeLessThan(1);
  },
);

test('without a GPU the CPU is measured, and the rest says why it is not', async () => {
  const { report } = await measured(undefined);
  expect(report.gpu).toMatchObject({ failed: expect.stringMatching(/no WebGPU/) });
  expect(report.checks).toEqual({ failed: 'no GPU' });
  expect(report.presets[0]?.cpu).toMatchObject({ updates: 1 });
});
