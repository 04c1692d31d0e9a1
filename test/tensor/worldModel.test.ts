/** KL and world-model losses by finite differences and by hand: what the parity cases, which compare backends, cannot see. */
import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import {
  GROUP,
  GROUP_COLUMNS,
  NO_ROLE,
  OBJECTIVE_TERM,
  OBJECTIVE_TERM_COLUMNS,
  OUTCOME,
  OUTCOME_COLUMNS,
} from '../../src/tensor/columns/batch';
import {
  BATCH_DENOMINATORS,
  KL_CLAMPS,
  KL_ESTIMATORS,
  SEQUENCE_DENOMINATORS,
  WORLD_MODEL_TRAJECTORIES,
} from '../../src/tensor/columns/worldModel';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { estimateKl, ratioWeighted } from '../../src/tensor/objective/kl';
import { worldModelScratch } from '../../src/tensor/operations/worldModel';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { BACKENDS } from './backends';
import { allocate, f32, type ParityCase, u32 } from './cases/case';
import { type HyperOptions, hyperTensor } from './cases/hyper';
import { WORLD_MODEL_CASES } from './cases/worldModel';
import { checkGradients } from './finiteDifference';

const find = (name: string): ParityCase => {
  const found = WORLD_MODEL_CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case ${name}.`);
  return found;
};

/** Checks a case's derivatives by the differences of the sum of one of its terms. */
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
          sum += values[p * terms.stride + r * OBJECTIVE_TERM_COLUMNS + term] as number;
        }
        return sum;
      });
    },
    inputs: inputs.map(({ tensor, gradient, checked }) => ({
      tensor: t.f32(tensor),
      gradient: t.f32(gradient),
      checked: (p, i) => i < (counts[p] as number) && (checked?.(p) ?? true),
    })),
  });
}

describe('Derivatives, by finite differences', () => {
  test('of every KL estimator and clamp, and of the entropy bonus', async () => {
    const name = 'regularise, every estimator and clamp';
    const hyper = find(name).tensors.hyper?.data ?? [];
    const straightThrough = (p: number): boolean => hyper[p * HYPER_COLUMNS + HYPER.klStraightThrough] !== 0;
    await checkTerm(name, OBJECTIVE_TERM.regulariserLoss, [
      // A straight-through gradient is not that of its value.
      { tensor: 'logProb', gradient: 'dLogProb', checked: (p) => !straightThrough(p) },
      { tensor: 'entropy', gradient: 'dEntropy' },
    ]);
  });

  test('of every form of the world-model loss', async () => {
    const name = 'crossEntropyObjective, every form';
    const hyper = find(name).tensors.hyper?.data ?? [];
    // A clip of 0 has its edge where the policy has not moved.
    const onEdge = (p: number): boolean =>
      hyper[p * HYPER_COLUMNS + HYPER.worldModelForm] === 1 && hyper[p * HYPER_COLUMNS + HYPER.worldModelClip] === 0;
    const inputs = [{ tensor: 'logProb', gradient: 'dLogProb', checked: (p: number) => !onEdge(p) }];
    await checkTerm(name, OBJECTIVE_TERM.crossEntropyLoss, inputs);
  });
});

describe('A KL estimate', () => {
  const distances = [-30, -20, -11, -3, -0.7, -1e-4, 0, 1e-4, 0.7, 3, 11, 20, 30];

  test('straight-through has its value and the gradient of k2', () => {
    for (const estimator of KL_ESTIMATORS) {
      for (const clamp of KL_CLAMPS) {
        for (const d of distances) {
          const plain = estimateKl(d, { estimator, clamp, straightThrough: false });
          expect(estimateKl(d, { estimator, clamp, straightThrough: true })).toEqual({
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
    for (const estimator of ['k1', 'k3'] as const) {
      const options = { estimator, clamp: 'none', straightThrough: false } as const;
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
    const { value, derivative } = estimateKl(1e-7, { estimator: 'k3', clamp: 'none', straightThrough: false });
    expect(value / 5e-15).toBeCloseTo(1, 6);
    expect(derivative / 1e-7).toBeCloseTo(1, 6);
  });
});

describe.each(BACKENDS.filter(({ name }) => name !== 'webgpu, tiled'))('$name', ({ create }) => {
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
      terms: f32(2, new Float32Array(2 * T * OBJECTIVE_TERM_COLUMNS)),
      hyper: hyperTensor(...own),
    });
    const inputs = {
      logProb: t.f32('logProb'),
      entropy: t.f32('entropy'),
      oldLogProb: t.f32('oldLogProb'),
      behaviourLogProb: t.f32('oldLogProb'),
      crossEntropyWeight: t.f32('weight'),
    };
    const program = backend.record('forms', 2, (ops) => {
      const options = { accumulate: false };
      ops.crossEntropyObjective(t.f32('dLogProb'), t.f32('terms'), t.rows(), inputs, t.f32('hyper'), T, options);
    });
    await backend.prepare();
    backend.run(program);
    const [derivative] = await backend.read(t.f32('dLogProb'));
    const [crossEntropy, constant] = [derivative.subarray(1, T), derivative.subarray(T + 1)];
    expect([...crossEntropy]).toEqual([-0.5, -0.5, -0.5, -0.5]);
    const expected = [-0.5, -0.5 * Math.exp(0.1), -0.5 * Math.exp(-0.5), 0];
    expect(constant.length).toBe(expected.length);
    for (const [i, want] of expected.entries()) expect(constant[i]).toBeCloseTo(want, 6);
    backend.dispose();
  });
});

describe('The weight of a token, by hand', () => {
  const [A, O, W] = [ROLE.action, ROLE.observation, ROLE.warning];
  const T = 9;
  /** Two groups of two; the entropies of the turns' actions are 0.5 and 0.1 | 0.9 (two tokens) | 0.3 | 0.7 and 0.2. */
  const trajectories: readonly (readonly [role: number, entropy: number])[][] = [
    [
      [A, 0.5],
      [O, 0],
      [O, 0],
      [A, 0.1],
      [O, 0],
    ],
    [
      [A, 0.8],
      [A, 1],
      [W, 0],
      [O, 0],
    ],
    [
      [A, 0.3],
      [O, 0],
      [O, 0],
      [O, 0],
    ],
    [
      [A, 0.7],
      [O, 0],
      [A, 0.2],
      [W, 0],
      [O, 0],
      [O, 0],
    ],
  ];
  const solved = [1, 0, 0, 1];
  const valid = [1, 0.5, 1, 0.25];
  const means = [0.5, 1.5];

  /** Weights of the tokens after the first of each trajectory. */
  async function weights(own: HyperOptions): Promise<number[][]> {
    const backend = new ReferenceBackend({ poison: true });
    const B = trajectories.length;
    const at = (b: number, t: number) => (t === 0 ? undefined : trajectories[b]?.[t - 1]);
    const places = Array.from({ length: B * T }, (_, i) => at(Math.floor(i / T), i % T));
    const outcomes = new Float32Array(B * OUTCOME_COLUMNS).fill(Number.NaN);
    const group = new Float32Array(2 * GROUP_COLUMNS).fill(Number.NaN);
    for (let b = 0; b < B; b++) {
      outcomes[b * OUTCOME_COLUMNS + OUTCOME.solved] = solved[b] as number;
      outcomes[b * OUTCOME_COLUMNS + OUTCOME.valid] = valid[b] as number;
    }
    for (const [g, mean] of means.entries()) {
      group[g * GROUP_COLUMNS + GROUP.mean] = mean;
      // Dropped from the policy gradient: the world-model loss keeps them.
      group[g * GROUP_COLUMNS + GROUP.kept] = 0;
    }
    const size = { trajectories: B, context: T };
    const t = allocate(backend, {
      roles: u32(
        1,
        places.map((place) => place?.[0] ?? NO_ROLE),
      ),
      groupStart: u32(1, [0, 2, 4]),
      outcomes: f32(1, outcomes),
      group: f32(1, group),
      oldEntropy: f32(
        1,
        places.map((place) => (place?.[0] === A ? place[1] : Number.NaN)),
      ),
      weight: f32(1, new Float32Array(B * T).fill(Number.NaN)),
      scratch: f32(1, new Float32Array(worldModelScratch(size)).fill(Number.NaN)),
      hyper: hyperTensor(own),
    });
    const batch = {
      ...size,
      roles: t.u32('roles'),
      groupStart: t.u32('groupStart'),
      groups: 2,
      outcomes: t.f32('outcomes'),
    };
    const program = backend.record('weights', 1, (ops) => {
      const inputs = { oldEntropy: t.f32('oldEntropy'), group: t.f32('group') };
      ops.worldModelWeights(t.f32('weight'), t.f32('scratch'), batch, inputs, t.f32('hyper'));
    });
    backend.run(program);
    const [weight] = await backend.read(t.f32('weight'));
    return trajectories.map((tokens, b) => tokens.map((_, i) => weight[b * T + i + 1] as number));
  }

  const only = (role: number, value: (b: number) => number): number[][] =>
    trajectories.map((tokens, b) => tokens.map(([own]) => (own === role ? value(b) : 0)));
  const near = (got: number[][], want: number[][]): void => {
    expect(got.map((own) => own.length)).toEqual(want.map((own) => own.length));
    for (const [b, own] of want.entries()) {
      for (const [i, value] of own.entries()) expect(got[b]?.[i], `token ${i} of ${b}`).toBeCloseTo(value, 6);
    }
  };
  const ECHO: HyperOptions = { crossEntropy: { observation: 1 } };
  const sequence = (name: (typeof SEQUENCE_DENOMINATORS)[number]) => ({
    worldModelSequenceDenominator: SEQUENCE_DENOMINATORS.indexOf(name),
  });
  const batch = (name: (typeof BATCH_DENOMINATORS)[number]) => ({
    worldModelBatchDenominator: BATCH_DENOMINATORS.indexOf(name),
  });
  const raw = { ...ECHO, ...batch('none') };

  test('is 1/own count by default', async () => {
    near(
      await weights(ECHO),
      only(O, () => 1 / 10),
    );
  });

  test('is 1/(B·|O|) in ECHO, warnings counting in |O|', async () => {
    const own = { ...ECHO, ...sequence('observation-tokens'), ...batch('sequences'), worldModelCountEpsilon: 1e-3 };
    near(
      await weights(own),
      only(O, (b) => 1 / (([3, 2, 3, 4][b] as number) + 1e-3) / 4),
    );
  });

  test('shares its denominator when asked', async () => {
    near(
      await weights({ ...ECHO, ...batch('action-tokens') }),
      only(O, () => 1 / 7),
    );
    near(
      await weights({ ...ECHO, ...batch('all-tokens') }),
      only(O, () => 1 / 19),
    );
  });

  test('is 0 on trajectories that are not asked for', async () => {
    const ends = (name: (typeof WORLD_MODEL_TRAJECTORIES)[number]) => ({
      worldModelTrajectories: WORLD_MODEL_TRAJECTORIES.indexOf(name),
    });
    near(
      await weights({ ...raw, ...ends('solved') }),
      only(O, (b) => solved[b] as number),
    );
    near(
      await weights({ ...raw, ...ends('failed') }),
      only(O, (b) => 1 - (solved[b] as number)),
    );
    near(
      await weights({ ...raw, worldModelMinValid: 0.5 }),
      only(O, (b) => ((valid[b] as number) >= 0.5 ? 1 : 0)),
    );
    // Own count is that of what is left.
    near(
      await weights({ ...ECHO, ...ends('failed') }),
      only(O, (b) => (1 - (solved[b] as number)) / 4),
    );
  });

  test('is 0 after actions that were certain: the most uncertain turns of the batch, or of the group', async () => {
    // Six turns, half of them: 0.9, 0.7 and 0.5.
    near(await weights({ ...raw, worldModelTurnShare: 0.5 }), [
      [0, 1, 1, 0, 0],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
      [0, 1, 0, 0, 0, 0],
    ]);
    // Three turns a group, two of them (the nearest to 1.8): 0.9 and 0.5; 0.7 and 0.3.
    near(await weights({ ...raw, worldModelTurnShare: 0.6, worldModelTurnScope: 1 }), [
      [0, 1, 1, 0, 0],
      [0, 0, 0, 1],
      [0, 1, 1, 1],
      [0, 1, 0, 0, 0, 0],
    ]);
    // At least one.
    near(
      await weights({ ...raw, worldModelTurnShare: 0.01 }),
      only(O, (b) => (b === 1 ? 1 : 0)),
    );
  });

  test('falls with the group’s mean score, and ends at 0', async () => {
    near(
      await weights({ ...raw, worldModelRewardScale: 1 }),
      only(O, (b) => (b < 2 ? 0.5 : 0)),
    );
    near(
      await weights({ ...raw, worldModelRewardScale: 2 }),
      only(O, (b) => (b < 2 ? 0.75 : 0.25)),
    );
  });

  test('is PaW’s with all of that: mean over groups of λ_g times the mean over the group’s chosen tokens', async () => {
    const own = {
      crossEntropy: { observation: 0.3 },
      worldModelTurnShare: 0.5,
      worldModelRewardScale: 2,
      ...sequence('group-selected-tokens'),
      ...batch('groups'),
    };
    const [first, second] = [(0.3 * 0.75) / 3 / 2, (0.3 * 0.25) / 1 / 2];
    near(await weights(own), [
      [0, first, first, 0, 0],
      [0, 0, 0, first],
      [0, 0, 0, 0],
      [0, second, 0, 0, 0, 0],
    ]);
  });
});
