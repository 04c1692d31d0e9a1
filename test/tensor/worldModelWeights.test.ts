/** Weight of each token's world-model loss, on four trajectories that can be computed by hand. */

import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { CHOICES, type ChoiceOf } from '../../src/hyperparameters/columns';
import { allocate, f32, u32 } from '../../src/parity/cases/case';
import { type HyperOptions, hyperTensor } from '../../src/parity/cases/hyper';
import type { Operations } from '../../src/tensor/backend';
import { GROUP, GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS } from '../../src/tensor/columns';
import { worldModelScratch } from '../../src/tensor/operations/worldModel';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { ran } from '../support/tensors';

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
      // Groups left out of the policy gradient; the world-model loss keeps them.
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
    const inputs = { oldEntropy: t.f32('oldEntropy'), group: t.f32('group') };
    const weigh = (ops: Operations): void =>
      ops.worldModelWeights(t.f32('weight'), t.f32('scratch'), batch, inputs, t.f32('hyper'));
    const [weight] = await ran(backend, 1, weigh, [t.f32('weight')]);
    return trajectories.map((tokens, b) => tokens.map((_, i) => weight[b * T + i + 1] as number));
  }

  const only = (role: number, value: (b: number) => number): number[][] =>
    trajectories.map((tokens, b) => tokens.map(([own]) => (own === role ? value(b) : 0)));
  const expectWeights = async (own: HyperOptions, want: number[][]): Promise<void> => {
    const got = await weights(own);
    expect(got.map((own) => own.length)).toEqual(want.map((own) => own.length));
    for (const [b, own] of want.entries()) {
      for (const [i, value] of own.entries()) expect(got[b]?.[i], `token ${i} of ${b}`).toBeCloseTo(value, 6);
    }
  };
  const ECHO: HyperOptions = { crossEntropy: { observation: 1 } };
  const sequence = (name: ChoiceOf<'worldModelSequenceDenominator'>) => ({
    worldModelSequenceDenominator: CHOICES.worldModelSequenceDenominator.indexOf(name),
  });
  const batch = (name: ChoiceOf<'worldModelBatchDenominator'>) => ({
    worldModelBatchDenominator: CHOICES.worldModelBatchDenominator.indexOf(name),
  });
  const raw = { ...ECHO, ...batch('none') };

  test('is 1/own count by default', async () => {
    await expectWeights(
      ECHO,
      only(O, () => 1 / 10),
    );
  });

  test('is 1/(B·|O|) in ECHO, warnings counting in |O|', async () => {
    const own = { ...ECHO, ...sequence('observation-tokens'), ...batch('sequences'), worldModelCountEpsilon: 1e-3 };
    await expectWeights(
      own,
      only(O, (b) => 1 / (([3, 2, 3, 4][b] as number) + 1e-3) / 4),
    );
  });

  test('shares its denominator when asked', async () => {
    await expectWeights(
      { ...ECHO, ...batch('action-tokens') },
      only(O, () => 1 / 7),
    );
    await expectWeights(
      { ...ECHO, ...batch('all-tokens') },
      only(O, () => 1 / 19),
    );
  });

  test('is 0 on trajectories that are not asked for', async () => {
    const ends = (name: ChoiceOf<'worldModelTrajectories'>) => ({
      worldModelTrajectories: CHOICES.worldModelTrajectories.indexOf(name),
    });
    await expectWeights(
      { ...raw, ...ends('solved') },
      only(O, (b) => solved[b] as number),
    );
    await expectWeights(
      { ...raw, ...ends('failed') },
      only(O, (b) => 1 - (solved[b] as number)),
    );
    await expectWeights(
      { ...raw, worldModelMinValid: 0.5 },
      only(O, (b) => ((valid[b] as number) >= 0.5 ? 1 : 0)),
    );
    // The default denominator counts selected tokens only: the failed trajectories have four.
    await expectWeights(
      { ...ECHO, ...ends('failed') },
      only(O, (b) => (1 - (solved[b] as number)) / 4),
    );
  });

  test('is 0 after actions that were certain: the most uncertain turns of the batch, or of the group', async () => {
    // Six turns, half of them: 0.9, 0.7 and 0.5.
    await expectWeights({ ...raw, worldModelTurnShare: 0.5 }, [
      [0, 1, 1, 0, 0],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
      [0, 1, 0, 0, 0, 0],
    ]);
    // Three turns a group, two of them (the nearest to 1.8): 0.9 and 0.5; 0.7 and 0.3.
    await expectWeights({ ...raw, worldModelTurnShare: 0.6, worldModelTurnScope: 1 }, [
      [0, 1, 1, 0, 0],
      [0, 0, 0, 1],
      [0, 1, 1, 1],
      [0, 1, 0, 0, 0, 0],
    ]);
    // At least one.
    await expectWeights(
      { ...raw, worldModelTurnShare: 0.01 },
      only(O, (b) => (b === 1 ? 1 : 0)),
    );
  });

  test('falls with the group’s mean score, and ends at 0', async () => {
    await expectWeights(
      { ...raw, worldModelRewardScale: 1 },
      only(O, (b) => (b < 2 ? 0.5 : 0)),
    );
    await expectWeights(
      { ...raw, worldModelRewardScale: 2 },
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
    await expectWeights(own, [
      [0, first, first, 0, 0],
      [0, 0, 0, first],
      [0, 0, 0, 0],
      [0, second, 0, 0, 0, 0],
    ]);
  });
});
