/** The reference policy is scored where something reads it, and at the diagnosis; no other number knows whether it was. */
import { describe, expect, it } from 'vitest';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { standingIn } from '../../src/train/bench/counts';
import { Trainer } from '../../src/train/population/trainer';
import { metricsOf } from '../support/trained';

const { experiment } = findPreset('gridworld-tiny') as { experiment: Experiment };
const batch = { groups: 2, groupSize: 4 };
const [plain, other] = experiment.arms as [Arm, Arm];
const UPDATES = 4;
const NOWHERE = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };
const CHOICE = { seed: 0, group: 1, trajectory: 2 };
/** Measured at the diagnosis whatever the reference is. */
const DIAGNOSED = [
  'ratioLow',
  'ratioHigh',
  'klReverse',
  'policyGradNorm',
  'worldModelGradNorm',
  'gradientCosine',
] as const;

/** The backend, which counts the submissions of the reference policy's programs. */
function counting(backend: Backend): { backend: Backend; passes: () => number } {
  let passes = 0;
  const run: Backend['run'] = (...programs) => {
    passes += programs.filter(({ label }) => label === 'reference log-probs').length;
    backend.run(...programs);
  };
  return { backend: standingIn(backend, { run }), passes: () => passes };
}

async function train(arms: readonly Arm[], diagnosticsEvery: number) {
  const { backend, passes } = counting(await createCpuBackend());
  const trainer = new Trainer(backend, { ...experiment, arms: [...arms], batch, seeds: 1, diagnosticsEvery });
  await trainer.prepare();
  const metrics = await metricsOf(trainer, UPDATES);
  const { tensors } = await trainer.snapshot();
  const scored = passes();
  return { metrics, tensors, passes: scored, inspected: await trainer.inspect(CHOICE) };
}

const klOf = (metrics: readonly Float64Array[], member: number): number[] =>
  metrics.map((values) => values[member * METRICS.length + METRIC.kl] as number);

/** Without the metrics that are measured at intervals. */
const rest = (metrics: readonly Float64Array[]): number[][] =>
  metrics.map((values) =>
    Array.from(values).filter((_, i) => {
      const name = METRICS[i % METRICS.length] as (typeof METRICS)[number];
      return name !== 'kl' && !DIAGNOSED.some((one) => one === name);
    }),
  );

describe('the reference policy', () => {
  it('is scored at the diagnosis alone where nothing reads it, to the same numbers', async () => {
    const [every, seldom, never] = await Promise.all([1, 3, 0].map((interval) => train([plain, other], interval)));
    if (!every || !seldom || !never) throw new Error('A run is missing.');
    expect([every.passes, seldom.passes, never.passes]).toEqual([4, 2, 0]);
    for (const member of [0, 1]) {
      const exact = klOf(every.metrics, member);
      expect(exact[3]).toBeGreaterThan(0);
      expect(klOf(seldom.metrics, member)).toEqual([exact[0], Number.NaN, Number.NaN, exact[3]]);
      expect(klOf(never.metrics, member)).toEqual(Array(UPDATES).fill(Number.NaN));
    }
    for (const run of [seldom, never]) {
      expect(rest(run.metrics)).toEqual(rest(every.metrics));
      expect(run.tensors).toEqual(every.tensors);
      // Whoever looks at a token sees what the reference gives it, also where no update scored it.
      expect(run.inspected).toEqual(every.inspected);
    }
  });

  const formula = { name: 'own', text: 'loss = -ref_logp * logp', place: 'policy' as const, on: NOWHERE, values: {} };
  it.each([
    { what: 'a KL in the loss', arm: { klCoefficient: 0.1 } },
    { what: 'a KL in the reward', arm: { rewardKl: 0.1 } },
    { what: 'a formula', arm: { losses: [formula] } },
  ])('is scored in every update for $what, and is then a curve of every arm', async ({ arm }) => {
    const arms = [plain, { ...other, ...arm }];
    const [always, seldom] = await Promise.all([1, 0].map((interval) => train(arms, interval)));
    if (!always || !seldom) throw new Error('A run is missing.');
    expect(seldom.passes).toBe(UPDATES);
    expect(seldom.tensors).toEqual(always.tensors);
    for (const member of [0, 1]) {
      expect(klOf(seldom.metrics, member)).toEqual(klOf(always.metrics, member));
      expect(klOf(seldom.metrics, member).every(Number.isFinite)).toBe(true);
    }
  });
});
