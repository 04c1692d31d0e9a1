/** KL and world-model losses by finite differences and exact means, which parity between backends cannot show. */

import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { CHOICES } from '../../src/hyperparameters/columns';
import { allocate, f32, type ParityCase, u32 } from '../../src/parity/cases/case';
import { type HyperOptions, hyperTensor } from '../../src/parity/cases/hyper';
import { WORLD_MODEL_CASES } from '../../src/parity/cases/objective/worldModel';
import { placeInWords } from '../../src/parity/cases/place';
import type { Operations } from '../../src/tensor/backend';
import { TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { estimateKl, ratioWeighted } from '../../src/tensor/objective/kl';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { ran } from '../support/tensors';
import { UNTILED } from './backends';
import { checkGradients } from './finiteDifference';

const find = (name: string): ParityCase => {
  const found = WORLD_MODEL_CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case ${name}.`);
  return found;
};

/** Checks a case's derivatives by finite differences of the sum of one of its terms. */
async function checkTerm(
  name: string,
  term: number,
  inputs: readonly { tensor: string; gradient: string; checked?: (p: number) => boolean }[],
): Promise<void> {
  const parityCase = find(name);
  const { members } = parityCase;
  const backend = new ReferenceBackend();
  const t = allocate(backend, parityCase.tensors);
  const forward = backend.record('forward', members, (ops) => {
    ops.fill(t.f32('dLogProb'), 0);
    parityCase.build(ops, t);
  });
  const counts = parityCase.tensors['rows.count']?.data ?? [];
  await checkGradients({
    backend,
    members,
    forward,
    backward: backend.record('backward', members, () => {}),
    losses: async () => {
      const terms = t.f32('terms');
      const [values] = await backend.read(terms);
      return Array.from({ length: members }, (_, p) => {
        let sum = 0;
        for (let r = 0; r < (counts[p] as number); r++) {
          sum += values[p * terms.stride + r * TERM_COLUMNS + term] as number;
        }
        return sum;
      });
    },
    inputs: inputs.map(({ tensor, gradient, checked }) => ({
      tensor: t.f32(tensor),
      gradient: t.f32(gradient),
      checked: (p, i) => i < (counts[p] as number) && (checked?.(p) ?? true),
      place: (p, i) => placeInWords(parityCase, tensor, p, i),
    })),
  });
}

describe('Derivatives, by finite differences', () => {
  test('of every KL estimator and clamp, and of the entropy bonus', async () => {
    const name = 'regularise, every estimator and clamp';
    const hyper = find(name).tensors.hyper?.data ?? [];
    const straightThrough = (p: number): boolean => hyper[p * HYPER_COLUMNS + HYPER.klStraightThrough] !== 0;
    await checkTerm(name, TERM.regulariserLoss, [
      // A straight-through gradient is not that of its value.
      { tensor: 'logProb', gradient: 'dLogProb', checked: (p) => !straightThrough(p) },
      { tensor: 'entropy', gradient: 'dEntropy' },
    ]);
  });

  test('of every form of the world-model loss', async () => {
    const name = 'crossEntropyObjective, every form';
    const hyper = find(name).tensors.hyper?.data ?? [];
    // A clip of 0 has its kink at a ratio of 1.
    const onEdge = (p: number): boolean =>
      hyper[p * HYPER_COLUMNS + HYPER.worldModelForm] === 1 && hyper[p * HYPER_COLUMNS + HYPER.worldModelClip] === 0;
    const inputs = [{ tensor: 'logProb', gradient: 'dLogProb', checked: (p: number) => !onEdge(p) }];
    await checkTerm(name, TERM.crossEntropyLoss, inputs);
  });
});

describe('A KL estimate', () => {
  const distances = [-30, -20, -11, -3, -0.7, -1e-4, 0, 1e-4, 0.7, 3, 11, 20, 30];

  test('straight-through has its value and the gradient of k2', () => {
    for (const klEstimator of CHOICES.klEstimator) {
      for (const klClamp of CHOICES.klClamp) {
        for (const d of distances) {
          const plain = estimateKl(d, { klEstimator, klClamp, klStraightThrough: false });
          expect(estimateKl(d, { klEstimator, klClamp, klStraightThrough: true })).toEqual({
            value: plain.value,
            derivative: d,
          });
        }
      }
    }
  });

  test('is unbiased for k1, k3 and the ratio-weighted ones: their means are the exact KL', () => {
    const [policy, reference, old] = [
      [0.5, 0.3, 0.2],
      [0.2, 0.2, 0.6],
      [0.4, 0.5, 0.1],
    ] as const;
    const exact = policy.reduce((sum, p, i) => sum + p * Math.log(p / (reference[i] as number)), 0);
    for (const klEstimator of ['k1', 'k3'] as const) {
      const options = { klEstimator, klClamp: 'none', klStraightThrough: false } as const;
      const at = (i: number) => estimateKl(Math.log(policy[i] as number) - Math.log(reference[i] as number), options);
      const mean = policy.reduce((sum, p, i) => sum + p * at(i).value, 0);
      expect(mean).toBeCloseTo(exact, 12);
      // Drawn from the policy before the update, weighted by the ratio to it.
      const weighted = old.reduce((sum, q, i) => {
        const logRatio = Math.log(policy[i] as number) - Math.log(q);
        return sum + q * ratioWeighted(at(i), logRatio, options).value;
      }, 0);
      expect(weighted).toBeCloseTo(exact, 12);
    }
  });

  test('k3 near 0 keeps its digits', () => {
    const { value, derivative } = estimateKl(1e-7, { klEstimator: 'k3', klClamp: 'none', klStraightThrough: false });
    expect(value / 5e-15).toBeCloseTo(1, 6);
    expect(derivative / 1e-7).toBeCloseTo(1, 6);
  });
});

describe.each(UNTILED)('$name', ({ create }) => {
  test('the metric KL is k3 in every arm, the log-ratio within ±20, whatever the loss estimates it by', async () => {
    const backend = await create();
    const differences = [0.5, -0.5, 2, 0, 25, -25];
    const T = differences.length + 1;
    const own = CHOICES.klEstimator.flatMap((_, klEstimator) =>
      CHOICES.klClamp.flatMap((_, klClamp) => [0, 1].map((on) => ({ klEstimator, klClamp, klStraightThrough: on }))),
    );
    const P = own.length;
    const dense = (values: number[]) => f32(1, [Number.NaN, ...values]);
    const t = allocate(backend, {
      'rows.table': u32(1, Array.from({ length: T }, (_, position) => [0, position, 0, ROLE.action]).flat()),
      'rows.count': u32(1, [T]),
      logProb: dense(differences.map((d) => d - 30)),
      referenceLogProb: dense(differences.map(() => -30)),
      entropy: dense(differences),
      // Measured also for tokens without a loss.
      weight: dense(differences.map(() => 0)),
      dLogProb: f32(P, new Float32Array(P * T)),
      dEntropy: f32(P, new Float32Array(P * T)),
      terms: f32(P, new Float32Array(P * T * TERM_COLUMNS)),
      hyper: hyperTensor(...own),
    });
    const inputs = {
      logProb: t.f32('logProb'),
      referenceLogProb: t.f32('referenceLogProb'),
      oldLogProb: t.f32('logProb'),
      entropy: t.f32('entropy'),
      actionWeight: t.f32('weight'),
    };
    const measure = (ops: Operations): void =>
      ops.regularise(t.f32('dLogProb'), t.f32('dEntropy'), t.f32('terms'), t.rows(), inputs, t.f32('hyper'), T);
    const [terms] = await ran(backend, P, measure, [t.f32('terms')]);
    for (let p = 0; p < P; p++) {
      for (const [i, difference] of differences.entries()) {
        const d = Math.min(Math.max(difference, -20), 20);
        const got = terms[(p * T + i + 1) * TERM_COLUMNS + TERM.kl] as number;
        const expected = Math.expm1(-d) + d;
        expect(Math.abs(got - expected)).toBeLessThanOrEqual(2e-6 + 2e-5 * expected);
      }
    }
    backend.dispose();
  });

  test('a constant advantage is cross-entropy until the policy has moved, and ends at its clip', async () => {
    const backend = await create();
    const moved = [0, 0.1, -0.5, 0.3];
    const T = moved.length + 1;
    const rows = Array.from({ length: T }, (_, position) => [0, position, 0, ROLE.observation]).flat();
    const own: HyperOptions[] = [{ worldModelForm: 0 }, { worldModelForm: 1, worldModelClip: 0.2 }];
    const dense = (values: number[]) => f32(1, [Number.NaN, ...values]);
    const t = allocate(backend, {
      'rows.table': u32(1, rows),
      'rows.count': u32(1, [T]),
      logProb: dense(moved.map((by) => by - 1)),
      oldLogProb: dense(moved.map(() => -1)),
      weight: dense(moved.map(() => 0.5)),
      entropy: dense(moved),
      dLogProb: f32(2, new Float32Array(2 * T)),
      terms: f32(2, new Float32Array(2 * T * TERM_COLUMNS)),
      hyper: hyperTensor(...own),
    });
    const inputs = {
      logProb: t.f32('logProb'),
      entropy: t.f32('entropy'),
      oldLogProb: t.f32('oldLogProb'),
      behaviourLogProb: t.f32('oldLogProb'),
      crossEntropyWeight: t.f32('weight'),
    };
    const forms = (ops: Operations): void => {
      const options = { accumulate: false };
      ops.crossEntropyObjective(t.f32('dLogProb'), t.f32('terms'), t.rows(), inputs, t.f32('hyper'), T, options);
    };
    const [derivative] = await ran(backend, 2, forms, [t.f32('dLogProb')]);
    const [crossEntropy, constant] = [derivative.subarray(1, T), derivative.subarray(T + 1)];
    expect([...crossEntropy]).toEqual([-0.5, -0.5, -0.5, -0.5]);
    const expected = [-0.5, -0.5 * Math.exp(0.1), -0.5 * Math.exp(-0.5), 0];
    expect(constant.length).toBe(expected.length);
    for (const [i, want] of expected.entries()) expect(constant[i]).toBeCloseTo(want, 6);
    backend.dispose();
  });
});
