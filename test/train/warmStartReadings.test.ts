/**
 * Readings of a warm start: they change no bit of the training, are the same on Workers and in parts, and each number is that of
 * float64, of an own computation, or of a case that can be counted.
 */
import { describe, expect, it } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { countRoles } from '../../src/rl/learn/batch';
import { Imitation } from '../../src/rl/learn/imitation';
import { warmStartUpdates } from '../../src/rl/learn/warmStart';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { passAtK } from '../../src/rl/measure/passAtK';
import {
  gatherReadings,
  WARM_START_METRICS,
  type WarmStartMetric,
  type WarmStartReading,
  warmStartSeries,
  withReading,
} from '../../src/rl/measure/warmStartReadings';
import { Trajectories } from '../../src/rl/play/trajectories';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { TrainerPool } from '../../src/train/pool/pool';
import { createEnvironment } from '../../src/train/population/shape';
import { Trainer } from '../../src/train/population/trainer';
import type { Training } from '../../src/train/population/training';
import { startHere } from '../support/poolHere';
import { armOf } from '../support/trained';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;

const experiment: Experiment = {
  ...preset,
  seeds: 1,
  environment: { id: 'gridworld', settings: { ...preset.environment.settings, size: 3, minimumDistance: 1 } },
  policy: { ...preset.policy, width: 16, heads: 2, layers: 1 },
  batch: { groups: 4, groupSize: 8 },
  arms: [armOf('none'), armOf('actions'), armOf('actions-and-observations'), armOf('observations-then-actions')],
  warmStart: { ...preset.warmStart, updates: 4, learningRate: 1e-2, measureEvery: 2 },
};
const [NONE, ACTIONS, BOTH] = [0, 1, 2];

async function open(what: Experiment, backend?: Backend): Promise<Trainer> {
  const trainer = new Trainer(backend ?? (await createCpuBackend()), what);
  await trainer.prepare();
  return trainer;
}

async function readingsOf(training: Training, what = experiment): Promise<WarmStartReading[]> {
  const all: WarmStartReading[] = [];
  for (let i = 0; i < warmStartUpdates(what); i++) all.push(...((await training.warmUp()).readings ?? []));
  return all;
}

const at = (readings: readonly WarmStartReading[], member: number, metric: WarmStartMetric, i: number): number =>
  warmStartSeries(readings, member, metric)[i] as number;

describe('readings of a warm start', async () => {
  const measured = await open(experiment);
  const readings = await readingsOf(measured);

  it('come before the first step, every so many steps, and after the last', async () => {
    expect(readings.map(({ step }) => step)).toEqual([0, 2, 4]);
    const odd = { ...experiment, warmStart: { ...experiment.warmStart, updates: 3 } };
    expect((await readingsOf(await open(odd), odd)).map(({ step }) => step)).toEqual([0, 2, 3]);
    expect(readings[1]?.members[NONE]).toEqual(WARM_START_METRICS.map(() => null));
  });

  it('change no bit of the training', async () => {
    const unmeasured = await open({ ...experiment, warmStart: { ...experiment.warmStart, measureEvery: 0 } });
    const first = await (await unmeasured.runUpdate()).metrics;
    expect(await (await measured.runUpdate()).metrics).toEqual(first);
    expect((await measured.snapshot()).tensors).toEqual((await unmeasured.snapshot()).tensors);
  });

  it('are the same on Workers', async () => {
    const pool = new TrainerPool(experiment, { workers: 2, start: startHere });
    await pool.prepare();
    expect(await readingsOf(pool)).toEqual(readings);
    pool.dispose();
  });

  it('are those of float64', async () => {
    const small = {
      ...experiment,
      arms: [armOf('actions-and-observations')],
      batch: { groups: 2, groupSize: 16 },
      warmStart: { ...experiment.warmStart, updates: 1 },
    };
    const exact = await readingsOf(await open(small, new ReferenceBackend()), small);
    const rounded = await readingsOf(await open(small), small);
    for (const metric of WARM_START_METRICS) {
      expect(exact).toHaveLength(2);
      warmStartSeries(exact, 0, metric).forEach((value, i) => {
        expect(at(rounded, 0, metric, i), `${metric} ${i}`).toBeCloseTo(value as number, 4);
      });
    }
  });

  it('begin at a KL of 0 and alike in all arms, and leave the start', () => {
    for (const metric of ['passAt1', 'passAt16', 'entropy', 'gradientRatio', 'gradientCosine'] as const) {
      expect(at(readings, BOTH, metric, 0)).toBe(at(readings, ACTIONS, metric, 0));
    }
    expect(Math.abs(at(readings, BOTH, 'kl', 0))).toBeLessThan(1e-6);
    expect(at(readings, BOTH, 'kl', 2)).toBeGreaterThan(1e-3);
    expect(at(readings, BOTH, 'observationCrossEntropy', 2)).toBeLessThan(
      at(readings, ACTIONS, 'observationCrossEntropy', 2),
    );
  });
});

it('pass@1 is the success of the first examination on as many episodes, and pass@16 that of 16 a task', async () => {
  const sized = { ...experiment, arms: [armOf('actions')], batch: { groups: 4, groupSize: 16 } };
  const [first] = await readingsOf(await open(sized), sized);
  // Before any step the policies are those of a run without a warm start, examined on the same tasks and random numbers.
  const examined = { ...sized, arms: [armOf('none')], evaluation: { every: 1, tasks: 4, toolEvery: 0 } };
  const values = await (await (await open(examined)).runUpdate()).metrics;
  expect(at([first as WarmStartReading], 0, 'passAt1', 0)).toBeCloseTo(values[METRIC.heldOutSuccess] as number, 12);
  expect(at([first as WarmStartReading], 0, 'passAt16', 0)).toBeCloseTo(values[METRIC.heldOutPassAt16] as number, 12);
  expect(values).toHaveLength(METRICS.length);
  expect(passAtK(16, 1, 16)).toBe(1);
});

/** Tokens that are predicted in the first step's demonstrations, by role. */
function tokensOfDemonstrations() {
  const environment = createEnvironment(experiment);
  const { groups, groupSize } = experiment.batch;
  const trajectories = new Trajectories(1, groups * groupSize, environment.context, environment.maxTurns);
  new Imitation(environment, experiment).play(trajectories, [{ arm: 'a', armIndex: 0, seed: 0 }], ['actions'], 0);
  const counts = countRoles(trajectories);
  return { actions: counts[ROLE.action] as number, observations: counts[ROLE.observation] as number };
}

it('the ratio of gradients is that of two supervised steps on one kind of token each, by their numbers', async () => {
  const norms = await Promise.all(
    (['actions', 'observations'] as const).map(async (kind) => {
      const arm = armOf('none', { imitation: kind });
      const what = { ...experiment, arms: [arm], warmStart: { ...experiment.warmStart, updates: 0, learningRate: 0 } };
      const values = await (await (await open(what)).runUpdate()).metrics;
      return values[METRIC.gradNorm] as number;
    }),
  );
  // Demonstrations of step 0 are those of update 0 where no warm start was before; each loss is a mean over its own tokens.
  const { actions, observations } = tokensOfDemonstrations();
  const [first] = await readingsOf(await open(experiment));
  const [byActions, byObservations] = norms as [number, number];
  const expected = (byObservations * observations) / (byActions * actions);
  expect(at([first as WarmStartReading], BOTH, 'gradientRatio', 0)).toBeCloseTo(expected, 4);
});

it('a reading that comes again replaces the later ones, and parts without readings have nulls', () => {
  const reading = (step: number, ...firsts: number[]): WarmStartReading => ({
    step,
    members: firsts.map((first) => WARM_START_METRICS.map((_, i) => first + i)),
  });
  const begun = [reading(0, 1), reading(2, 2), reading(4, 3)];
  expect(withReading(begun, reading(2, 9)).map(({ step }) => step)).toEqual([0, 2]);
  const gathered = gatherReadings([[1], [0, 2]], [[reading(0, 5)], []], 3);
  expect(gathered).toHaveLength(1);
  expect(gathered[0]?.members.map(([first]) => first)).toEqual([null, 5, null]);
});
