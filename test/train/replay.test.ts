/** Replay of successes in a run: a member's bits are its own, alone and among others, and after a resumption. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { isSolvedRecord } from '../../src/rl/play/solvedMemory';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { availableBackends } from '../support/backends';
import { curveOf, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const armOf = (id: string, changes: Partial<Arm>): Arm => ({ ...defaultArm(id, id), learningRate: 0.01, ...changes });
const none = armOf('none', {});
const imitated = armOf('imitated', {
  replay: 'cross-entropy',
  minibatches: 2,
  innerEpochs: 2,
  taskChoice: 'near-half',
});
const retrained = armOf('retrained', {
  replay: 'policy-gradient',
  ratioBase: 'behaviour',
  replayShare: 0.5,
  replaySize: 6,
  replayPerTask: 2,
  replayLeaves: 'longest',
});
const arms = [none, imitated, retrained];
const experimentOf = (given: readonly Arm[], more: object = {}): Experiment =>
  parseExperiment({ ...tiny, batch: { groups: 6, groupSize: 4 }, seeds: 1, updates: 6, arms: [...given], ...more });

async function trainerOf(experiment: Experiment, backend: Promise<Backend> = createCpuBackend()): Promise<Trainer> {
  const trainer = new Trainer(await backend, experiment);
  await trainer.prepare();
  return trainer;
}

const UPDATES = 5;
const experiment = experimentOf(arms);

describe('A run with a replay of successes', () => {
  let rows: Float64Array[];
  let whole: Trainer;
  beforeAll(async () => {
    whole = await trainerOf(experiment);
    rows = await metricsOf(whole, UPDATES);
  });
  const of = (member: number, name: MetricName): number[] => curveOf(rows, member, name);

  it('charts share, age, hits and episodes remembered, of members that replay', () => {
    const names = ['replayShare', 'replayAge', 'replayHits', 'replayHeld'] as const;
    for (const name of names) expect(of(0, name).every(Number.isNaN)).toBe(true);
    for (const member of [1, 2]) {
      const [share, age, held] = [of(member, 'replayShare'), of(member, 'replayAge'), of(member, 'replayHeld')];
      expect([share[0], age[0]]).toEqual([0, Number.NaN]);
      expect(share[UPDATES - 1]).toBeGreaterThan(0);
      for (const [i, one] of age.slice(1).entries()) expect(one >= 1 && one <= i + 1).toBe(true);
      expect(held[UPDATES - 1]).toBeGreaterThan(3);
    }
    expect(Math.max(...of(1, 'replayShare'))).toBe(0.25);
    // The memory of 6 is all that there is for 12 places.
    expect(Math.max(...of(2, 'replayShare'))).toBe(0.25);
    expect(Math.max(...of(2, 'replayHeld'))).toBe(6);
    expect(of(2, 'mismatch')[UPDATES - 1]).toBeGreaterThan(10 * (of(0, 'mismatch')[UPDATES - 1] as number));
  });

  it('gives each member the bits that it has alone', async () => {
    for (const [index, arm] of arms.entries()) {
      const alone = await metricsOf(await trainerOf(experimentOf([arm])), UPDATES);
      alone.forEach((metrics, i) => {
        expect(metrics).toEqual(rows[i]?.slice(index * METRICS.length, (index + 1) * METRICS.length));
      });
    }
    expect(of(1, 'entropy')).not.toEqual(of(0, 'entropy'));
    expect(of(2, 'entropy')).not.toEqual(of(0, 'entropy'));
  });

  it('continues from a checkpoint bit for bit, with what was remembered', async () => {
    const first = await trainerOf(experiment);
    await metricsOf(first, 3);
    const snapshot = await first.snapshot();
    expect(snapshot.tasks.map((records) => records.some(isSolvedRecord))).toEqual([false, true, true]);
    expect(snapshot.tasks[1]?.some((record) => !isSolvedRecord(record))).toBe(true);
    const curves = new Float32Array(3 * 3 * METRICS.length);
    const machines = [{ update: 0, backend: 'cpu' as const }];
    const bytes = encodeCheckpoint({ snapshot, experiment, backend: 'cpu', machines, curves, tokens: 1 });
    const resumed = await trainerOf(experiment);
    await resumed.restore(decodeCheckpoint(bytes).snapshot);
    expect(await metricsOf(resumed, UPDATES - 3)).toEqual(rows.slice(3));
    const [again, once] = [await resumed.snapshot(), await whole.snapshot()];
    expect(again.tensors).toEqual(once.tensors);
    expect(again.tasks).toEqual(once.tasks);
    // Without what it remembered it would be another run.
    await resumed.restore({ ...snapshot, tasks: snapshot.tasks.map(() => []) });
    expect(await metricsOf(resumed, UPDATES - 3)).not.toEqual(rows.slice(3));
  });
});

describe.each(availableBackends)('On $name', ({ create }) => {
  it('a resumed run has the bits of one that did not stop', async () => {
    const given = experimentOf([retrained]);
    const whole = await trainerOf(given, create());
    await metricsOf(whole, 2);
    const snapshot = await whole.snapshot();
    const after = await metricsOf(whole, 1);
    const resumed = await trainerOf(given, create());
    await resumed.restore(snapshot);
    expect(await metricsOf(resumed, 1)).toEqual(after);
    expect((await resumed.snapshot()).tensors).toEqual((await whole.snapshot()).tensors);
  });
});

it('what cannot be replayed is said before the run, and of changes too', () => {
  const problems = (changes: Partial<Arm>, more: object = {}) =>
    checkExperiment({ ...experiment, arms: [{ ...none, ...changes }], ...more }).problems;
  const text = 'loss = -A * exp(logp - old_logp)';
  const losses = [{ name: 'mine', text, place: 'policy' as const, on: none.pg, values: {} }];
  const at = [{ path: 'arms.none.replay' }];
  expect(problems({ replay: 'policy-gradient' })).toEqual([]);
  expect(problems({ replay: 'cross-entropy', worldModelForm: 'constant-advantage' })).toMatchObject(at);
  expect(problems({ replay: 'policy-gradient', losses })).toMatchObject(at);
  const change = { update: 2, arm: 'none', setting: 'replay', value: 'policy-gradient' };
  expect(problems({ losses }, { timeline: [change] })).toMatchObject(at);
});
