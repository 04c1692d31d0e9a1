/**
 * A whole training step agrees between backends: the same recorded trajectories, replayed for three updates, give the
 * same losses, gradients and parameters as the float64 reference within float32 tolerance.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { initialParameters } from '../../src/policy/parameters';
import { drawMinibatches } from '../../src/rl/learn/minibatches';
import { hyperparameters, membersOf } from '../../src/rl/population';
import type { Backend } from '../../src/tensor/backend';
import { GROUP, GROUP_COLUMNS, TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { availableBackends } from '../support/backends';
import { configuration, layout, type Replay, replay } from './replay';

const base = defaultArm('a', 'A');
const imitated = { replay: 'cross-entropy', replayShare: 0.5, replayWeight: 0.7 } as const;
const retrained = { replay: 'policy-gradient', replayShare: 0.3, ratioBase: 'behaviour' } as const;
const arms: readonly Arm[] = [
  { ...base, innerEpochs: 3, klCoefficient: 0.05, clipLow: 0.02, clipHigh: 0.05, learningRate: 0.01 },
  { ...base, id: 'b', ce: { ...base.ce, observation: 0.3 }, temperature: 0.7, maxGradNorm: 0.1 },
  { ...base, id: 'c', pg: { ...base.pg, observation: 1 }, ce: { ...base.ce, prompt: 0.1 }, innerEpochs: 1 },
  { ...base, id: 'd', ce: { ...base.ce, observation: 0.3 }, innerEpochs: 2, minibatches: 3, learningRate: 0.01 },
  { ...base, id: 'e', ...imitated, innerEpochs: 2, minibatches: 2 },
  { ...base, id: 'f', ...retrained, innerEpochs: 2 },
];
const members = membersOf(arms, [0]);

function replayArms(backend: Backend): Promise<Replay> {
  const epochs = arms.map((arm) => arm.innerEpochs);
  const cutOf = (update: number) => drawMinibatches(members, arms, 20, 1, update);
  const options = { updates: 3, configuration, diagnostics: true, cutOf, settings: arms };
  return replay(backend, hyperparameters(members, arms, 0), epochs, options);
}

/** Largest |a − b| after subtracting the relative tolerance. */
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

let expected: Replay;
beforeAll(async () => {
  expected = await replayArms(new ReferenceBackend());
});

describe.each(availableBackends)('three replayed updates on $name', ({ create }) => {
  let actual: Replay;
  beforeAll(async () => {
    actual = await replayArms(await create());
  });

  test.each(['firstTerms', 'laterTerms', 'counts', 'group'] as const)('measure the same %s', (name) => {
    expected.readbacks.forEach((readback, i) => {
      // Sums over up to 100 tokens of values of order 1; drift of three updates of AdamW included.
      expect(worst(actual.readbacks[i]?.[name], readback[name], 1e-3)).toBeLessThan(2e-3);
    });
  });

  test.each(['gradNorm', 'policyGradNorm', 'worldModelGradNorm'] as const)('have the same %s', (name) => {
    expected.readbacks.forEach((readback, i) => {
      expect(readback[name]?.[0]).toBeGreaterThanOrEqual(0);
      expect(worst(actual.readbacks[i]?.[name], readback[name], 2e-3)).toBeLessThan(1e-5);
    });
  });

  test('end at the same parameters', () => {
    // AdamW turns a gradient near zero into a whole step of either sign. So single parameters may differ by part of a step
    // (0.01), but their mean hardly.
    expect(worst(actual.parameters, expected.parameters, 1e-4)).toBeLessThan(5e-3);
    const total = Array.from(actual.parameters, (value, i) => Math.abs(value - (expected.parameters[i] as number)));
    expect(total.reduce((a, b) => a + b, 0) / total.length).toBeLessThan(1e-5);
  });
});

test('the step moves the parameters, measures clipping and both gradients', () => {
  const { readbacks, parameters } = expected;
  const initial = initialParameters(layout, 3, 0);
  expect(worst(Array.from(parameters).slice(0, layout.size), initial, 0)).toBeGreaterThan(0.01);
  const [first] = readbacks;
  expect(first?.laterTerms).toHaveLength(members.length * TERM_COLUMNS);
  expect(first?.laterTerms[TERM.clipped]).toBeGreaterThan(0);
  expect(first?.policyGradNorm?.[1]).toBeGreaterThan(0);
  expect(first?.worldModelGradNorm?.[1]).toBeGreaterThan(0);
  expect(first?.worldModelGradNorm?.[0]).toBe(0);
  expect(first?.group[GROUP.equal]).toBe(1);
  expect(first?.group[GROUP_COLUMNS + GROUP.kept]).toBe(1);
});
