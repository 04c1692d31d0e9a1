/**
 * A whole training step agrees between backends: the same recorded trajectories, replayed for three updates, give the
 * same losses, gradients and parameters as the float64 reference within float32 tolerance.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { gridworld } from '../../src/environments/gridworld';
import { defaultArm } from '../../src/experiment/experiment';
import { RandomStream } from '../../src/foundation/philox';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { initialParameters, layoutParameters } from '../../src/policy/parameters';
import { legalSetTable } from '../../src/rl/legalSets';
import { planMicrobatches } from '../../src/rl/microbatches';
import { hyperparameters, membersOf } from '../../src/rl/population';
import { Trajectories } from '../../src/rl/trajectories';
import { Update, type UpdateReadback } from '../../src/rl/update';
import type { Backend } from '../../src/tensor/backend';
import { HYPER_COLUMNS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { availableBackends } from '../support/backends';

const environment = gridworld.create({ size: 3, horizon: 5, minimumDistance: 1 });
const [groups, groupSize] = [5, 4];
const base = defaultArm('a', 'A');
const arms = [
  { ...base, innerEpochs: 3, klCoefficient: 0.05, clipLow: 0.02, clipHigh: 0.05, learningRate: 0.01 },
  { ...base, id: 'b', ce: { ...base.ce, observation: 0.3 }, temperature: 0.7, maxGradNorm: 0.1 },
  { ...base, id: 'c', pg: { ...base.pg, observation: 1 }, ce: { ...base.ce, prompt: 0.1 }, innerEpochs: 1 },
];
const members = membersOf(arms, [0]);
const configuration: PolicyConfiguration = {
  layers: 2,
  width: 16,
  heads: 2,
  context: environment.context,
  vocabulary: 16,
  positions: 'learned',
  activation: 'gelu',
  initialScale: 0.3,
};
const layout = layoutParameters(configuration);

/** Random walks of random lengths with random rewards; one group all equal. */
function recordedTrajectories(update: number): Trajectories {
  const trajectories = new Trajectories(members.length, groups * groupSize, environment.context);
  const random = new RandomStream(7, 9, 0, update, 0);
  for (let i = 0; i < members.length * groups * groupSize; i++) {
    trajectories.appendSaid(i, 1, 'prompt');
    trajectories.appendSaid(i, 6 + random.below(9), 'prompt');
    trajectories.appendSaid(i, 6 + random.below(9), 'prompt');
    for (let turn = random.below(5); turn >= 0; turn--) {
      trajectories.appendDrawn(i, 2 + random.below(4), 1, -1.4);
      trajectories.appendSaid(i, 6 + random.below(9), 'observation');
    }
    trajectories.rewards[i] = i % (groups * groupSize) < groupSize ? 1 : random.below(2);
  }
  return trajectories;
}

async function replay(backend: Backend): Promise<{ readbacks: UpdateReadback[]; parameters: ArrayLike<number> }> {
  const P = members.length;
  const tensor = (label: string, stride: number) => backend.tensor(label, 'f32', P, stride);
  const hyper = tensor('hyper', HYPER_COLUMNS);
  backend.write(hyper, hyperparameters(members, arms));
  const table = legalSetTable(environment, configuration.vocabulary);
  const legalSets = backend.tensor('legalSets', 'u32', 1, table.length);
  backend.write(legalSets, table);
  const state = {
    parameters: tensor('parameters', layout.size),
    firstMoment: tensor('firstMoment', layout.size),
    secondMoment: tensor('secondMoment', layout.size),
    step: tensor('step', 1),
    reference: tensor('reference', layout.size),
  };
  const initial = Float32Array.from(members.flatMap(() => [...initialParameters(layout, 3, 0)]));
  backend.write(state.parameters, initial);
  backend.write(state.reference, initial);
  const sizes = { members: P, groups, groupSize };
  const plan = planMicrobatches(backend.limits, configuration, {
    members: P,
    trajectories: groups * groupSize,
    parameters: layout.size,
    chunk: 3,
    maxActionTokens: 1,
  });
  const update = new Update(backend, environment, configuration, layout, state, sizes, plan, hyper, legalSets);
  await backend.prepare();
  const readbacks: UpdateReadback[] = [];
  const epochs = arms.map((arm) => arm.innerEpochs);
  for (let i = 0; i < 3; i++) {
    readbacks.push(await update.run(recordedTrajectories(i), epochs, { splitNorms: true }));
  }
  const [parameters] = await backend.read(state.parameters);
  return { readbacks, parameters };
}

/** Largest |a − b| beyond the tolerance's relative part. */
function worst(
  actual: ArrayLike<number> | null | undefined,
  expected: ArrayLike<number> | null | undefined,
  relative: number,
): number {
  if (!actual || !expected) throw new Error('Something was not measured.');
  expect(actual.length).toBe(expected.length);
  expect(actual.length).toBeGreaterThan(0);
  return Math.max(
    ...Array.from(
      actual,
      (value, i) => Math.abs(value - (expected[i] as number)) - relative * Math.abs(expected[i] as number),
    ),
  );
}

describe.each(availableBackends)('three replayed updates on $name', ({ create }) => {
  let expected: Awaited<ReturnType<typeof replay>>;
  let actual: Awaited<ReturnType<typeof replay>>;
  beforeAll(async () => {
    expected = await replay(new ReferenceBackend());
    actual = await replay(await create());
  });

  test.each(['firstTerms', 'laterTerms', 'counts', 'zeroVariance', 'advantage'] as const)(
    'measure the same %s',
    (name) => {
      expected.readbacks.forEach((readback, i) => {
        // Sums over up to 100 tokens of values of order 1; drift of three updates of AdamW included.
        expect(worst(actual.readbacks[i]?.[name], readback[name], 1e-3)).toBeLessThan(2e-3);
      });
    },
  );

  test.each(['gradNorm', 'policyGradNorm', 'worldModelGradNorm'] as const)('have the same %s', (name) => {
    expected.readbacks.forEach((readback, i) => {
      expect(readback[name]?.[0]).toBeGreaterThanOrEqual(0);
      expect(worst(actual.readbacks[i]?.[name], readback[name], 2e-3)).toBeLessThan(1e-5);
    });
  });

  test('end at the same parameters', () => {
    // AdamW turns a gradient that is almost zero into a whole step of either sign: single parameters may differ by a
    // part of a step (0.01), all together hardly.
    expect(worst(actual.parameters, expected.parameters, 1e-4)).toBeLessThan(5e-3);
    const total = Array.from(actual.parameters, (value, i) => Math.abs(value - (expected.parameters[i] as number)));
    expect(total.reduce((a, b) => a + b, 0) / total.length).toBeLessThan(1e-5);
  });
});

test('the step moves the parameters, measures clipping and both gradients', async () => {
  const { readbacks, parameters } = await replay(new ReferenceBackend());
  const initial = initialParameters(layout, 3, 0);
  expect(worst(Array.from(parameters).slice(0, layout.size), initial, 0)).toBeGreaterThan(0.01);
  const [first] = readbacks;
  expect(first?.laterTerms[4]).toBeGreaterThan(0);
  expect(first?.policyGradNorm?.[1]).toBeGreaterThan(0);
  expect(first?.worldModelGradNorm?.[1]).toBeGreaterThan(0);
  expect(first?.worldModelGradNorm?.[0]).toBe(0);
  expect(first?.zeroVariance[0]).toBeGreaterThanOrEqual(1 / groups);
});
