/** Credit by the turns' own rewards (IGPO) on every backend: two rollouts that can be worked out by hand. */
import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { CHOICES } from '../../src/hyperparameters/columns';
import type { HyperOptions } from '../../src/parity/cases/hyper';
import { advantagesOf, type Token, type Trajectory } from './advantagesOf';
import { backendFor, UNTILED } from './backends';

const word = (reward: number): Token => ({ role: ROLE.action, reward, value: 0 });
const said: Token = { role: ROLE.observation, reward: 0, value: 0 };
/** Turns of two words, the second of which is paid; the world answers. */
const rollout = (...rewards: readonly number[]): Trajectory =>
  rewards.flatMap((reward) => [word(0), word(reward), said]);

const credit: HyperOptions = {
  advantageCredit: CHOICES.advantageCredit.indexOf('turn-rewards'),
  advantageDeviation: CHOICES.advantageDeviation.indexOf('population'),
  advantageEpsilon: 0,
  turnDiscount: 0.5,
};
const apart: HyperOptions = { ...credit, turnComparison: CHOICES.turnComparison.indexOf('last-apart') };
const undivided: HyperOptions = { ...credit, advantageScale: CHOICES.advantageScale.indexOf('none') };
/** Beside the two a group of its own whose rewards have nothing to do with theirs. */
const groups = [
  [rollout(0.5, -0.25, 1), rollout(0.25, 0)],
  [rollout(7), rollout(5, 3)],
];

describe.each(UNTILED)('$name: credit by turns', (one) => {
  const backend = backendFor(one);

  test('is each turn’s reward among all of the group’s turns, and what follows it', async () => {
    const got = await advantagesOf(backend(), { groups, members: [credit, undivided, apart] });
    const expectTurns = (p: number, b: number, turns: readonly number[]): void => {
      const found = got.advantage(p)[b] ?? [];
      expect(found).toHaveLength(3 * turns.length);
      for (const [k, value] of turns.entries()) {
        for (const i of [0, 1]) expect(found[3 * k + i], `${p}, ${b}, ${k}`).toBeCloseTo(value, 5);
        expect(found[3 * k + 2]).toBe(0);
      }
      expect(got.returns(p)[b]).toEqual(found);
    };
    // Five turns with the mean 0.3: 0.2, −0.55, 0.7 and −0.05, −0.3. What follows counts half.
    const centred = [
      [0.2 + 0.5 * (-0.55 + 0.5 * 0.7), -0.55 + 0.5 * 0.7, 0.7],
      [-0.05 + 0.5 * -0.3, -0.3],
    ];
    const deviation = Math.sqrt((0.04 + 0.3025 + 0.49 + 0.0025 + 0.09) / 5);
    for (const [b, turns] of centred.entries()) {
      expectTurns(
        0,
        b,
        turns.map((value) => value / deviation),
      );
      expectTurns(1, b, turns);
    }
    // The last turns, 1 and 0, are ±1. Of ½, −¼ and ¼ the mean is ⅙ and the deviation √14/12.
    const root = Math.sqrt(14);
    const [second, first] = [-5 / root + 0.5, 4 / root];
    expectTurns(2, 0, [first + 0.5 * second, second, 1]);
    expectTurns(2, 1, [1 / root - 0.5, -1]);
  });

  test('is exactly 0 where all turns are paid alike, and for a turn that none can be compared with', async () => {
    const alike = [[rollout(0.7, 0.7, 0.7), rollout(0.7)], [rollout(0.3)]];
    const got = await advantagesOf(backend(), { groups: alike, members: [credit, undivided, apart] });
    for (const p of [0, 1, 2])
      expect(
        got
          .advantage(p)
          .flat()
          .every((value) => value === 0),
      ).toBe(true);
  });
});
