/**
 * Branches of a run, on the CPU and on (software) WebGPU: a branch has its parent's numbers until its change acts, bit for bit, and
 * a run that branched ends as the same experiment trained from its beginning, as its link would.
 */
import { describe, expect, test } from 'vitest';
import { withBranch } from '../../src/experiment/arm/branch';
import type { Change, Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import type { BackendChoice } from '../../src/train/protocol';
import { growBranch } from '../../src/train/run/branch';
import { readKept } from '../../src/train/run/keep/keptStates';
import { faultyGpuHere } from '../support/faultyGpuHere';
import { MemorySnapshots } from '../support/memorySnapshots';
import { finishedPage, SessionPage } from '../support/sessionPage';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const experiment: Experiment = {
  ...preset,
  arms: preset.arms.filter(({ id }) => id !== 'no-mask'),
  seeds: 1,
  updates: 7,
  diagnosticsEvery: 0,
};
const [, WORLD_MODEL, BRANCH] = ['action-mask', 'world-model', 'arm-9'];
const LIVE: Omit<Change, 'update'> = { arm: '*', setting: 'entropyCoefficient', value: 0.02 };

faultyGpuHere();

/** Trains so many updates, with a live change before the third. */
async function trained(choice: BackendChoice, updates: number, of = experiment): Promise<SessionPage> {
  const page = new SessionPage(choice, of);
  await page.session.prepare(false);
  for (let update = 1; update <= updates; update++) {
    page.session.step();
    await page.until(({ events }) =>
      events.some((e) => e.type === 'phase' && e.phase !== 'running' && e.update === update),
    );
    if (update === 2) page.session.change([LIVE]);
  }
  return page;
}

const timelineOf = (page: SessionPage): Change[] => page.of('changed').flatMap(({ changes }) => changes);

/** Goes on from a run with a branch of its second arm, to the end. */
async function branched(
  page: SessionPage,
  of: Experiment,
  update: number,
  value: number,
  archive = new MemorySnapshots(),
) {
  const grown = withBranch(
    { ...of, timeline: timelineOf(page) },
    { id: BRANCH as string, name: 'Branch' },
    { parent: WORLD_MODEL as string, update, setting: 'ce.observation', value },
  );
  const request = { parent: WORLD_MODEL as string, branch: BRANCH as string, update };
  const curves = Float32Array.from(page.curves);
  const handed = await page.session.handOver(update);
  if (handed === null) throw new Error('The run had no device.');
  const seconds = new Float32Array(curves.length / (METRICS.length * of.arms.length));
  const next = new SessionPage(handed.backend, grown, () => {}, {
    begun: async () => growBranch(grown, { ...request, curves, seconds }, handed),
    keeping: { run: 'cd34', resume: false, open: async () => archive },
  });
  await next.session.prepare(true);
  await next.until(
    ({ phase }) => phase === 'failed' || (phase === 'finished' && next.of('kept').some((e) => e.update === of.updates)),
  );
  expect(next.of('error')).toEqual([]);
  return { grown, next, from: handed.snapshot?.update };
}

/** All metrics of an arm with one seed, update by update. */
function curveOf(page: SessionPage, arms: number, arm: number): number[] {
  const stride = arms * METRICS.length;
  return page.curves.filter((_, i) => Math.floor((i % stride) / METRICS.length) === arm);
}

describe.each(['cpu', 'webgpu'] as const)('on %s', (choice) => {
  test('a branch without a change goes on as its parent, bit for bit', async () => {
    const value = experiment.arms[1]?.ce.observation ?? 0;
    const { next, from } = await branched(await trained(choice, 4), experiment, 4, value);
    expect(from).toBe(4);
    expect(curveOf(next, 3, 2)).toEqual(curveOf(next, 3, 1));
    const alone = await trained(choice, experiment.updates);
    expect(curveOf(next, 3, 0)).toEqual(curveOf(alone, 2, 0));
    expect(curveOf(next, 3, 1)).toEqual(curveOf(alone, 2, 1));
  });

  test('a run with a branch ends as its experiment trained from the beginning, bit for bit', async () => {
    const { grown, next } = await branched(await trained(choice, 4), experiment, 4, 0.7);
    const again = await finishedPage(choice, grown);
    expect(next.curves).toEqual(again.curves);
    const loss = (arm: number) =>
      curveOf(next, 3, arm).filter((_, i) => i % METRICS.length === METRIC.observationCrossEntropy);
    expect(loss(2).slice(0, 5)).toEqual(loss(1).slice(0, 5));
    expect(loss(2).at(-1)).not.toBe(loss(1).at(-1));
  });
});

test('a branch from an earlier update goes on from the newest state before it', async () => {
  const long = { ...experiment, updates: 24 };
  const { grown, next, from } = await branched(await trained('cpu', 22, long), long, 15, 0.7);
  expect(from).toBe(10);
  // Nobody chose it for the branch.
  expect(next.of('backend').map(({ reason }) => reason)).toEqual(['the run keeps what it began on']);
  expect(next.curves).toEqual((await finishedPage('cpu', grown)).curves);
});

test('a run with a branch is kept whole, the updates before the branching included', async () => {
  const archive = new MemorySnapshots();
  const { next } = await branched(await trained('cpu', 4), experiment, 4, 0.7, archive);
  const kept = await readKept(archive, 'cd34');
  expect(kept.snapshot.update).toBe(experiment.updates);
  expect([...kept.curves]).toEqual(next.curves);
  expect(kept.tokens).toBeGreaterThan(0);
});
