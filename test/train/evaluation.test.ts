/** Examinations: they measure what they should, change no number of the training, and use tasks never trained on. */
import { describe, expect, it } from 'vitest';
import { findEnvironment } from '../../src/environments/registry';
import { defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { isEvaluated } from '../../src/rl/measure/evaluation';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { passAtK, passHatK } from '../../src/rl/measure/passAtK';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { TrainerPool } from '../../src/train/pool/pool';
import { Trainer } from '../../src/train/population/trainer';
import type { Training } from '../../src/train/population/training';
import { lastExamination } from '../../src/train/result/examination';
import { availableBackends } from '../support/backends';
import { startHere } from '../support/poolHere';
import { cpuTrainer, metricsOf } from '../support/trained';

const preset = (id: string): Experiment => (findPreset(id) as { experiment: Experiment }).experiment;
const tiny = { ...preset('gridworld-tiny'), evaluation: { every: 2, tasks: 3, toolEvery: 0 } };
const OF_TOOL = METRICS.filter((name) => /^(practised|new)(Tool|Lie)/.test(name));
const EXAMINED = [...METRICS.filter((name) => name.startsWith('heldOut') || name.startsWith('toolOff')), ...OF_TOOL];

const calculator: Experiment = {
  ...preset('calculator-without-tool'),
  seeds: 2,
  policy: { ...tiny.policy, width: 32 },
  batch: { groups: 8, groupSize: 4 },
  evaluation: { every: 2, tasks: 8, toolEvery: 0 },
  warmStart: { ...tiny.warmStart, updates: 120, learningRate: 3e-3 },
  arms: [
    { ...defaultArm('imitator', 'Imitator'), warmStart: 'actions' },
    { ...defaultArm('novice', 'Novice'), warmStart: 'none' },
  ],
};

async function run(training: Training, updates: number): Promise<Float64Array[]> {
  await training.prepare();
  const metrics = await metricsOf(training, updates);
  return metrics;
}

const at = (values: Float64Array | undefined, member: number, name: MetricName): number =>
  values?.[member * METRICS.length + METRIC[name]] as number;

/** Metrics of the training itself, without those of examinations. */
const trained = (metrics: readonly Float64Array[]): number[][] =>
  metrics.map((row) =>
    [...row].filter((_, i) => !EXAMINED.includes(METRICS[i % METRICS.length] as (typeof EXAMINED)[number])),
  );

describe.each(availableBackends)('examinations on $name', ({ create }) => {
  // Software WebGPU compiles all kernels for the first test that needs them.
  it('change no number of the training', async () => {
    const small = { ...tiny, seeds: 1 };
    const examined = new Trainer(await create(), small);
    const plain = new Trainer(await create(), { ...small, evaluation: { ...small.evaluation, every: 0 } });
    const [with_, without] = [await run(examined, 3), await run(plain, 3)];
    expect(trained(with_)).toEqual(trained(without));
    expect((await examined.snapshot()).tensors).toEqual((await plain.snapshot()).tensors);
    expect(at(with_[0], 0, 'heldOutCrossEntropy')).toBeGreaterThan(1);
    for (const name of EXAMINED) expect(at(without[0], 0, name), name).toBeNaN();
  });
});

describe('examinations', () => {
  it('take place before the first update, then before the last of every so many', () => {
    const chosen = (every: number) =>
      Array.from({ length: 8 }, (_, update) => update).filter((u) => isEvaluated(u, every));
    expect(chosen(0)).toEqual([]);
    expect(chosen(1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(chosen(4)).toEqual([0, 3, 7]);
  });

  it('give the same on Workers and from a snapshot', async () => {
    const trainer = new Trainer(await createCpuBackend(), tiny);
    const alone = await run(trainer, 2);
    const snapshot = await trainer.snapshot();
    alone.push(...(await run(trainer, 2)));
    const pool = new TrainerPool(tiny, { workers: 2, start: startHere });
    expect(await run(pool, 4)).toEqual(alone);
    pool.dispose();
    const resumed = await cpuTrainer(tiny);
    await resumed.restore(snapshot);
    expect(await run(resumed, 2)).toEqual(alone.slice(2));
  });

  it('tell an imitator from a novice, and what either can do without its tool', async () => {
    const [metrics] = await run(new Trainer(await createCpuBackend(), calculator), 1);
    for (let seed = 0; seed < 2; seed++) {
      const [imitator, novice] = [seed, 2 + seed];
      // The tool works in half of the tasks: a policy that copies it is right in these, and guesses in the others.
      expect(at(metrics, imitator, 'heldOutGreedySuccess')).toBeGreaterThan(0.2);
      expect(at(metrics, imitator, 'heldOutSuccess')).toBeGreaterThan(at(metrics, novice, 'heldOutSuccess') + 0.1);
      expect(at(metrics, imitator, 'toolOffSuccess')).toBeLessThan(0.3);
      expect(at(metrics, imitator, 'heldOutPassAt4')).toBeGreaterThanOrEqual(at(metrics, imitator, 'heldOutPassAt2'));
      expect(at(metrics, imitator, 'heldOutPassHat4')).toBeLessThanOrEqual(at(metrics, imitator, 'heldOutPassHat2'));
      expect(at(metrics, imitator, 'heldOutPassHat2')).toBeLessThanOrEqual(at(metrics, imitator, 'heldOutSuccess'));
      expect(at(metrics, imitator, 'heldOutPassAt8')).toBeNaN();
    }
    // The fixed episodes are the same for all members, so members of equal weights have equal cross-entropy.
    const twins = { ...calculator, arms: [calculator.arms[1], { ...calculator.arms[1], id: 'twin' }] } as Experiment;
    const [twin] = await run(new Trainer(await createCpuBackend(), twins), 1);
    for (const name of EXAMINED) expect(at(twin, 0, name), name).toEqual(at(twin, 2, name));
  });

  it('of the tool tell practised from new tasks, up from down, and whom an imitator follows; they change no number', async () => {
    const environment = { ...calculator.environment, settings: { ...calculator.environment.settings, heldOut: 0.2 } };
    const asked = { ...calculator, environment, evaluation: { every: 0, tasks: 64, toolEvery: 2 } };
    const plain = { ...asked, evaluation: { ...asked.evaluation, toolEvery: 0 } };
    const [examined, without] = [
      await run(new Trainer(await createCpuBackend(), asked), 2),
      await run(new Trainer(await createCpuBackend(), plain), 2),
    ];
    expect(trained(examined)).toEqual(trained(without));
    for (const name of OF_TOOL) expect(at(without[0], 0, name), name).toBeNaN();
    for (let seed = 0; seed < 2; seed++) {
      const of = (name: MetricName): number => at(examined[0], seed, name);
      // An imitator of an agent that asks and copies is right while the tool works, guesses without it, and believes a lie.
      for (const split of ['practised', 'new'] as const) {
        expect(of(`${split}ToolUp`)).toBeGreaterThan(of(`${split}ToolDown`) + 0.2);
        expect(of(`${split}LieFollowed`)).toBeGreaterThan(of(`${split}LieResisted`) + 0.2);
        expect(of(`${split}ToolAsked`)).toBeGreaterThan(0.8);
        // What the lying tool says is as far from what is right: the same episodes, graded in two ways.
        expect(of(`${split}LieFollowed`) + of(`${split}LieResisted`)).toBeLessThanOrEqual(1);
      }
      // It copies what the tool says, whatever that is.
      expect(Math.abs(of('practisedLieFollowed') - of('practisedToolUp'))).toBeLessThan(0.4);
    }
    // Where nothing is held out there is nothing new.
    const whole = { ...asked, environment: calculator.environment };
    const [row] = await run(new Trainer(await createCpuBackend(), whole), 1);
    expect(at(row, 0, 'practisedToolUp')).toBeGreaterThan(0);
    expect(at(row, 0, 'newToolUp')).toBeNaN();
  });

  it('draw tasks that training never draws', () => {
    const { id, settings } = preset('gridworld-tiny').environment;
    const environments = [
      findEnvironment(id)?.create(settings),
      findEnvironment('calculator')?.create({ heldOut: 0.2 }),
    ];
    for (const environment of environments) {
      if (environment === undefined) throw new Error('an environment is missing');
      if (environment.hasHeldOut === false) continue;
      const drawn = (stream: number, split: 'train' | 'held-out') =>
        Array.from({ length: 600 }, (_, i) =>
          environment
            .drawTask(new RandomStream(0, stream, 0, 0, i), split)
            .slice(0, 3)
            .join(),
        );
      const trainedOn = new Set(drawn(STREAM.tasks, 'train'));
      expect(drawn(STREAM.evaluation, 'held-out').filter((task) => trainedOn.has(task))).toEqual([]);
    }
  });

  it('are in the result as they were last', () => {
    const curve = Object.fromEntries(METRICS.map((name) => [name, [0.5, null, null]])) as Record<
      MetricName,
      (number | null)[]
    >;
    curve.heldOutSuccess = [0.1, 0.25, null];
    curve.heldOutPassAt2 = [0.1, 0.4, null];
    curve.heldOutPassHat2 = [0, 0.1, null];
    curve.toolOffSuccess = [0.1, 0.125, null];
    expect(lastExamination(curve, () => true)).toEqual({
      update: 1,
      heldOut: {
        success: 0.25,
        greedySuccess: null,
        passAt: { 1: 0.25, 2: 0.4 },
        passHat: { 2: 0.1 },
        observationCrossEntropy: null,
      },
      training: null,
      toolOff: { success: 0.125, greedySuccess: null },
    });
    expect(lastExamination({ ...curve, toolOffSuccess: [null, null, null] }, () => true)?.toolOff).toBeNull();
    expect(lastExamination({ ...curve, heldOutSuccess: [null, null, null] }, () => true)).toBeNull();
  });
});

describe('pass@k and pass^k', () => {
  it.each([1, 2, 3, 5])(
    'of 5 episodes with k = %i are the shares of subsets with a success, and with nothing else',
    (k) => {
      for (let successes = 0; successes <= 5; successes++) {
        let [all, hit, whole] = [0, 0, 0];
        for (let subset = 0; subset < 32; subset++) {
          const chosen = [0, 1, 2, 3, 4].filter((i) => (subset >> i) & 1);
          if (chosen.length !== k) continue;
          all += 1;
          if (chosen.some((i) => i < successes)) hit += 1;
          if (chosen.every((i) => i < successes)) whole += 1;
        }
        expect(passAtK(5, successes, k)).toBeCloseTo(hit / all, 12);
        expect(passHatK(5, successes, k)).toBeCloseTo(whole / all, 12);
      }
      expect(passAtK(3, 1, 4)).toBeNaN();
      expect(passHatK(3, 1, 4)).toBeNaN();
    },
  );

  it('are unbiased: their means over all outcomes of n episodes are 1 − (1 − p)ᵏ and pᵏ', () => {
    const [n, p] = [6, 0.3];
    for (const k of [1, 2, 4, 6]) {
      let [any, all] = [0, 0];
      for (let outcome = 0; outcome < 2 ** n; outcome++) {
        const successes = Array.from({ length: n }, (_, i) => (outcome >> i) & 1).reduce((sum, one) => sum + one, 0);
        const chance = p ** successes * (1 - p) ** (n - successes);
        any += chance * passAtK(n, successes, k);
        all += chance * passHatK(n, successes, k);
      }
      expect(any).toBeCloseTo(1 - (1 - p) ** k, 12);
      expect(all).toBeCloseTo(p ** k, 12);
    }
  });
});
