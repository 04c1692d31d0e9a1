/** Minibatches: how a batch is cut, and that a step on one is the step that its trajectories alone would give. */
import { describe, expect, it } from 'vitest';
import { defaultArm } from '../../src/experiment/experiment';
import { drawMinibatches, laterSteps } from '../../src/rl/learn/minibatches';
import { hyperparameters, membersOf } from '../../src/rl/population';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { replay, small } from './replay';

const arm = defaultArm('a', 'A');
const seeds = [{ seed: 0 }, { seed: 1 }, { seed: 0 }];
const settings = [
  { minibatches: 3, innerEpochs: 2 },
  { minibatches: 3, innerEpochs: 2 },
  { minibatches: 3, innerEpochs: 4 },
];
const draw = (update: number) => drawMinibatches(seeds, settings, 20, 5, update);

describe('Minibatches of an update', () => {
  it('hold every trajectory once an epoch, in parts that differ by one at most', () => {
    for (const numbers of draw(3)?.of.flat() ?? []) {
      const sizes = [0, 1, 2].map((minibatch) => numbers.filter((own) => own === minibatch).length);
      expect(sizes.sort()).toEqual([6, 7, 7]);
    }
  });

  it('are drawn anew for each epoch, update and seed, the same in every arm and each time', () => {
    const of = draw(3)?.of as readonly (readonly Uint8Array[])[];
    expect(draw(3)?.of).toEqual(of);
    expect(of[2]?.slice(0, 2)).toEqual(of[0]);
    const different = [...(of[2] ?? []), ...(of[1] ?? []), ...(draw(4)?.of[0] ?? [])].map((one) => one.join(''));
    expect(new Set(different).size).toBe(8);
  });

  it('are none where every member steps on its whole batch', () => {
    const whole = [
      { minibatches: 1, innerEpochs: 2 },
      { minibatches: 1, innerEpochs: 1 },
    ];
    expect(drawMinibatches([{ seed: 0 }, { seed: 1 }], whole, 20, 5, 0)).toBeNull();
    expect([...laterSteps([3, 1, 0], null)]).toEqual([
      ['all', 'none', 'none'],
      ['all', 'none', 'none'],
    ]);
  });

  it('are steps beside those of members that have none', () => {
    const of = [[], [Uint8Array.of(0, 1), Uint8Array.of(1, 0)]];
    expect([...laterSteps([3, 2], { counts: [1, 2], of })]).toEqual([
      ['none', Uint8Array.of(1, 0)],
      ['none', Uint8Array.of(0, 1)],
      ['all', Uint8Array.of(0, 1)],
      ['none', Uint8Array.of(1, 0)],
      ['all', 'none'],
    ]);
  });
});

/** Losses that are raw sums over tokens and look neither at groups nor at the old policy: so a part can be trained alone. */
const summed = {
  ...arm,
  learningRate: 0.01,
  innerEpochs: 1,
  surrogate: 'reinforce',
  aggregation: 'token-sum',
  advantageBaseline: 'none',
  advantageScale: 'none',
  worldModelBatchDenominator: 'none',
  ce: { ...arm.ce, observation: 0.2 },
} as const;

it('A step on a minibatch is the step on its trajectories alone, with M times their loss', async () => {
  const halves = [
    [0, 3, 5, 6, 9, 10, 12, 15],
    [1, 2, 4, 7, 8, 11, 13, 14],
  ];
  const members = membersOf([summed], [0]);
  const numbers = Uint8Array.from({ length: 16 }, (_, slot) => (halves[0]?.includes(slot) ? 0 : 1));
  const common = { configuration: small, diagnostics: false };
  const cut = await replay(new ReferenceBackend(), hyperparameters(members, [summed]), [1], {
    ...common,
    updates: 1,
    groups: 4,
    cutOf: () => ({ counts: [2], of: [[numbers]] }),
  });
  const twice = { ...summed, lossScale: 2, ce: { ...summed.ce, observation: 0.4 } };
  // Two updates on the walks of one: half each.
  const halved = await replay(new ReferenceBackend(), hyperparameters(members, [twice]), [1], {
    ...common,
    updates: 2,
    groups: 2,
    walks: 0,
    slotsOf: (update) => halves[update] ?? [],
  });
  const far = Array.from(cut.parameters, (value, i) => Math.abs(value - (halved.parameters[i] as number)));
  expect(Math.max(...far)).toBeLessThan(1e-12);
  // The table and the weights that stand afterwards are those of the batch.
  expect(Math.max(...Array.from(cut.policyWeight))).toBe(1);
});
