/**
 * Formulas in training: one that says what the lab's own loss says trains the same policy; arms with formulas change no bit
 * of others' numbers, however the batch is cut; a text that changes while it trains acts from its update on.
 */
import { describe, expect, test } from 'vitest';
import type { OwnLoss } from '../../src/experiment/arm/ownLosses';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findObjective, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { GradientWatch, type NonFinite, nonFiniteWords } from '../../src/rl/measure/nonFinite';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import type { TrainerEvent } from '../../src/train/protocol';
import { Reporter } from '../../src/train/run/reporter';
import { availableBackends } from '../support/backends';
import { cpuTrainer, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const NOWHERE = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };

function arm(id: string, changes: Partial<Arm> = {}): Arm {
  const chosen = withObjective(defaultArm(id, id), findObjective('world-model'));
  return { ...chosen, innerEpochs: 3, learningRate: 0.01, klCoefficient: 0.05, entropyCoefficient: 0.01, ...changes };
}

const loss = (name: string, text: string, more: Partial<OwnLoss> = {}): OwnLoss => ({
  name,
  text,
  place: 'policy',
  on: NOWHERE,
  values: {},
  ...more,
});

const PPO = `param low = 0.2 in [0, 1]
ratio = exp(clip(logp - old_logp, -20, 20))
loss = max(-A * ratio, -A * clip(ratio, 1 - low, 1.2))
show outside = abs(ratio - 1) > low
show reward_here = reward`;

/** Names of arms whose formulas say what the plain arm's own losses say. */
const same: readonly Arm[] = [
  arm('plain'),
  arm('policy', { losses: [loss('mine', PPO)] }),
  arm('predict', { losses: [loss('mine', 'loss = -logp', { place: 'predict' })] }),
];

const others: readonly Arm[] = [
  arm('added', {
    losses: [
      loss('doubt', 'loss = -entropy\nshow doubt = entropy', { place: 'added', on: { ...NOWHERE, observation: 0.3 } }),
    ],
  }),
  arm('group', {
    losses: [loss('mine', 'loss = -(A - mean_group(mean_trajectory(logp))) * mean_turn(logp) * std_batch(old_logp)')],
  }),
  arm('leaks', { kl: { ...arm('x').kl, observation: 1 }, losses: [loss('mine', PPO, { values: { low: 0.4 } })] }),
];

const experiment = (arms: readonly Arm[], more: Partial<Experiment> = {}): Experiment =>
  parseExperiment({ ...tiny, seeds: 1, arms: [...arms], diagnosticsEvery: 1, ...more });

async function run(given: Experiment, updates: number, backend?: Backend) {
  const trainer = new Trainer(backend ?? (await createCpuBackend()), given);
  await trainer.prepare();
  const metrics = await metricsOf(trainer, updates);
  const { parameters } = (await trainer.snapshot()).tensors;
  const N = trainer.layout.size;
  return { trainer, metrics, parametersOf: (p: number) => parameters.slice(p * N, (p + 1) * N) };
}

const row = (metrics: Float64Array | undefined, p: number): Float64Array =>
  (metrics as Float64Array).slice(p * METRICS.length, (p + 1) * METRICS.length);
const at = (metrics: Float64Array | undefined, p: number, name: MetricName): number =>
  row(metrics, p)[METRIC[name]] as number;

/** Largest difference of two rows of parameters. */
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (value, i) => Math.abs(value - (b[i] as number))));

describe.each(availableBackends)('formulas on $name', ({ create }) => {
  test('train as what they stand for', async () => {
    const { metrics, parametersOf } = await run(experiment(same), 3, await create());
    for (const p of [1, 2]) {
      expect(distance(parametersOf(p), parametersOf(0))).toBeLessThan(2e-4);
      expect(at(metrics[2], p, 'gradNorm') / at(metrics[2], 0, 'gradNorm')).toBeCloseTo(1, 3);
      expect(at(metrics[0], p, 'worldModelGradNorm') / at(metrics[0], 0, 'worldModelGradNorm')).toBeCloseTo(1, 4);
    }
    expect(at(metrics[0], 0, 'formulaLoss')).toBeNaN();
    expect(at(metrics[0], 0, 'shown1')).toBeNaN();
    expect(at(metrics[0], 1, 'shown1')).toBeGreaterThan(0);
    expect(at(metrics[0], 1, 'shown3')).toBeNaN();
    // The loss of the first step, where every ratio is 1, is the mean advantage: nearly 0 beside the cross-entropy.
    expect(at(metrics[0], 2, 'formulaLoss')).toBeGreaterThan(0.01);
  });

  test('a text takes over what a somewhat larger one had, and trains as with its own', async () => {
    const timeline = [{ update: 1, arm: 'one', setting: 'loss.mine.text', value: 'loss = -A * logp' }];
    const trainedWith = async (shown: string) => {
      const text = `loss = -A * logp * 2\nshow more = ${shown}`;
      const given = experiment([arm('one', { losses: [loss('mine', text)] })], { timeline });
      return (await run(given, 3, await create())).parametersOf(0);
    };
    // Nothing is taken over of more than twice its size.
    const apart = await trainedWith('ref_logp + sampler_logp + returns + turn_reward + is_action');
    expect(await trainedWith('ref_logp')).toEqual(apart);
  });
});

describe('a population of formulas', async () => {
  const arms = [...same, ...others];
  const together = await run(experiment(arms), 3);

  test.each(arms.map(({ id }, p) => ({ id, p })))('$id is the same alone, bit for bit', async ({ p }) => {
    const alone = await run(experiment([arms[p] as Arm]), 3);
    expect(alone.metrics).toEqual(together.metrics.map((metrics) => row(metrics, p)));
    expect(alone.parametersOf(0)).toEqual(together.parametersOf(p));
  });

  test('is the same however the batch is cut', async () => {
    const large = experiment(arms, { batch: { groups: 12, groupSize: 4 } });
    const whole = await run(large, 2);
    const backend = await createCpuBackend();
    Object.assign(backend.limits, { memoryBudgetBytes: 0.75 * whole.trainer.plan.bytes });
    const cut = await run(large, 2, backend);
    expect(cut.trainer.plan.microbatches).toBeGreaterThan(1);
    for (let p = 0; p < arms.length; p++) expect(cut.parametersOf(p)).toEqual(whole.parametersOf(p));
  });

  test('every formula does something', () => {
    for (const p of [3, 4, 5])
      expect(distance(together.parametersOf(p), together.parametersOf(0))).toBeGreaterThan(1e-3);
    expect(at(together.metrics[0], 3, 'shown1')).toBeGreaterThan(0);
  });
});

test('a text that changes acts from its update on, and a link says so bit for bit', async () => {
  const begun = experiment([arm('one', { losses: [loss('mine', PPO)] })]);
  const changes = [
    { update: 2, arm: 'one', setting: 'loss.mine.text', value: 'loss = -A * logp * 3' },
    { update: 3, arm: 'one', setting: 'loss.mine.text', value: '' },
  ];
  const trainer = await cpuTrainer(begun);
  for (let i = 0; i < 5; i++) {
    if (i === 2) trainer.setTimeline(changes);
    await (await trainer.runUpdate()).metrics;
  }
  const live = (await trainer.snapshot()).tensors.parameters;
  const planned = await run({ ...begun, timeline: changes }, 5);
  expect(planned.parametersOf(0)).toEqual(live);
  const unchanged = await run(begun, 5);
  expect(distance(unchanged.parametersOf(0), live)).toBeGreaterThan(1e-4);
  expect(at(planned.metrics[1], 0, 'formulaLoss')).not.toBeNaN();
  expect(at(planned.metrics[3], 0, 'formulaLoss')).toBeNaN();
});

test('where a formula first gave a number that is not finite is told once, with the line', async () => {
  const text = 'p = exp(logp)\nloss = sqrt(p - 2)';
  const doubt = loss('doubt', 'loss = -entropy', { place: 'added', on: { ...NOWHERE, observation: 0.1 } });
  const given = experiment([
    arm('plain'),
    arm('broken', { losses: [doubt, loss('mine', text, { place: 'predict' })] }),
  ]);
  const { metrics, trainer } = await run(given, 0);
  const events: TrainerEvent[] = [];
  const reporter = new Reporter(
    (event) => events.push(event),
    () => given,
  );
  for (let i = 0; i < 3; i++) {
    const update = await trainer.runUpdate();
    reporter.add(update, trainer.members);
    metrics.push(await update.metrics);
  }
  await reporter.flush();
  expect(metrics.map((of) => [at(of, 0, 'formulaFault'), at(of, 1, 'formulaFault')])).toEqual([
    [Number.NaN, 20_002],
    [Number.NaN, Number.NaN],
    [Number.NaN, Number.NaN],
  ]);
  expect(at(metrics[2], 0, 'gradNorm')).toBeGreaterThan(0);
  const told = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  expect(told).toEqual([
    expect.stringMatching(
      /^broken, seed 0: .* so no step was taken: line 2 of the formula mine, “loss = sqrt\(p - 2\)”, gave the first number that is not finite \(.*\)\. Correct the line\. If it goes on, the page offers a way back\.$/,
    ),
  ]);
});

test('a loss that is not finite where its derivative is, is told too; training goes on', async () => {
  const given = experiment([arm('odd', { losses: [loss('mine', 'loss = log(exp(logp) - 2)', { place: 'predict' })] })]);
  const { metrics, trainer } = await run(given, 2);
  expect(metrics.map((of) => at(of, 0, 'gradNorm') > 0)).toEqual([true, true]);
  const watch = new GradientWatch(() => given);
  const told = metrics.map((of, update) => watch.add(update, of, trainer.members));
  expect(told).toMatchObject([[{ what: 'loss', formula: { line: 1 } }], []]);
  expect(nonFiniteWords('odd seed 0', told[0]?.[0] as NonFinite)).toBe(
    'odd seed 0: the loss was not finite at update 0, its derivative was: line 1 of the formula mine, “loss = log(exp(logp) - 2)”, gave the first number that is not finite.',
  );
});
