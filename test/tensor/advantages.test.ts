/**
 * Properties of advantages on every backend, for any numbers: they do not depend on the order in a group nor on other
 * members; they are 0 where no gradient may go, and exactly 0 if a group's scores are equal. GAE equals its definition.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { CHOICES, type ChoiceOf } from '../../src/hyperparameters/columns';
import type { HyperOptions } from '../../src/parity/cases/hyper';
import { advantagesOf, type Token, type Trajectory } from './advantagesOf';
import { backendFor, UNTILED } from './backends';

const number = fc.integer({ min: -16, max: 16 }).map((value) => value / 8);
const token = fc.record({ role: fc.integer({ min: 0, max: 3 }), reward: number, value: number });
const trajectory = fc.array(token, { minLength: 1, maxLength: 12 });
const group = fc.array(trajectory, { minLength: 1, maxLength: 5 });
const choice = (choices: readonly string[]) => fc.integer({ min: 0, max: choices.length - 1 });
const options: fc.Arbitrary<HyperOptions> = fc.record({
  advantageCredit: choice(CHOICES.advantageCredit),
  advantageBaseline: choice(CHOICES.advantageBaseline),
  advantageScale: choice(CHOICES.advantageScale),
  singletonGroup: choice(['zero', 'raw']),
  creditClock: choice(CHOICES.creditClock),
  whitening: choice(CHOICES.whitening),
  whiteningEpsilon: fc.constant(1e-4),
  discount: fc.constantFrom(0.5, 1),
  gaeLambda: fc.constantFrom(0.5, 1),
  turnDiscount: fc.constant(0.75),
  stepWeight: fc.constantFrom(0, 1),
  treePrior: fc.constantFrom(0, 2),
});

const single = (reward: number): Trajectory => [{ role: ROLE.action, reward, value: 0 }];
const closeTo = (got: number[][], expected: number[][], tolerance = 2e-4): void => {
  expect(got.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  got.forEach((row, b) => {
    row.forEach((value, t) => {
      const want = expected[b]?.[t] as number;
      expect(Math.abs(value - want), `${b}, ${t}: ${value}, not ${want}`).toBeLessThanOrEqual(
        tolerance * (1 + Math.abs(want)),
      );
    });
  });
};

describe.each(UNTILED)('$name: advantages', (one) => {
  const backend = backendFor(one);
  const runs = { numRuns: one.name.startsWith('webgpu') ? 8 : 60, seed: 11 };

  test('follow their trajectories when a group is reordered', async () => {
    const scene = fc.tuple(fc.array(group, { minLength: 1, maxLength: 3 }), options);
    await fc.assert(
      fc.asyncProperty(scene, async ([groups, own]) => {
        const forward = await advantagesOf(backend(), { groups, members: [own] });
        const backward = await advantagesOf(backend(), {
          groups: groups.map((all) => [...all].reverse()),
          members: [own],
        });
        let first = 0;
        for (const all of groups) {
          const end = first + all.length;
          closeTo(backward.advantage().slice(first, end).reverse(), forward.advantage().slice(first, end));
          closeTo(backward.returns().slice(first, end).reverse(), forward.returns().slice(first, end));
          first = end;
        }
      }),
      runs,
    );
  });

  test('are exactly 0 at tokens that are no action, and finite at those that are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 3 }), options, async (groups, own) => {
        const got = await advantagesOf(backend(), { groups, members: [own] });
        for (const found of [got.advantage(), got.returns()]) {
          groups.flat().forEach((tokens, b) => {
            tokens.forEach(({ role }, t) => {
              const value = found[b]?.[t] as number;
              if (role === ROLE.action) expect(Number.isFinite(value)).toBe(true);
              else expect(value).toBe(0);
            });
          });
        }
        // Position 0 is no target, nor are positions after the trajectory's end.
        groups.flat().forEach((tokens, b) => {
          const beyond = [0, ...Array.from({ length: got.T - 1 - tokens.length }, (_, i) => 1 + tokens.length + i)];
          for (const t of beyond) expect(got.all[b * got.T + t]).toBe(0);
        });
      }),
      runs,
    );
  });

  test('of a member are the same bits whoever else is in the population', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(group, { minLength: 1, maxLength: 3 }),
        fc.array(options, { minLength: 2, maxLength: 4 }),
        async (groups, members) => {
          const together = await advantagesOf(backend(), { groups, members });
          for (const [p, own] of members.entries()) {
            const alone = await advantagesOf(backend(), { groups, members: [own] });
            expect(together.advantage(p)).toEqual(alone.advantage());
            expect(together.returns(p)).toEqual(alone.returns());
          }
        },
      ),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
    );
  });

  test.each(['group-mean', 'leave-one-out', 'length-weighted-mean', 'second-best'] as const)(
    'of equal scores are exactly 0 with %s, wherever the rewards were given',
    async (baseline) => {
      // Fifteen times 0.7, and a sum that depends on its order: neither mean is exact in float32.
      const action = (reward: number): Token => ({ role: ROLE.action, reward, value: 0 });
      const given = [0.1, 0.7, 0.3];
      const spread = (gap: number): Trajectory =>
        given.flatMap((reward) => [...new Array(gap).fill(action(0)), action(reward)]);
      const groups = [Array.from({ length: 15 }, () => single(0.7)), [0, 1, 30, 41].map(spread)];
      const own = { advantageBaseline: CHOICES.advantageBaseline.indexOf(baseline), advantageEpsilon: 1e-9 };
      const got = await advantagesOf(backend(), { groups, members: [own] });
      expect(
        got
          .advantage()
          .flat()
          .every((value) => value === 0),
      ).toBe(true);
      expect(got.group('equal')).toEqual([1, 1]);
      expect(got.group('deviation')).toEqual([0, 0]);
    },
  );

  test('by GAE are Σ (γλ)^k δ, k counting action tokens, on long trajectories with observations', async () => {
    const [discount, gaeLambda] = [0.98, 0.9];
    const tokens = Array.from({ length: 150 }, (_, t): Token => {
      return { role: t % 7 < 4 ? ROLE.action : ROLE.observation, reward: t === 147 ? 1 : 0, value: Math.sin(t) / 2 };
    });
    const none = {
      advantageBaseline: CHOICES.advantageBaseline.indexOf('none'),
      advantageScale: CHOICES.advantageScale.indexOf('none'),
    };
    const gae = { advantageCredit: CHOICES.advantageCredit.indexOf('gae'), ...none, discount, gaeLambda };
    const got = await advantagesOf(backend(), { groups: [[tokens]], members: [gae] });
    const actions = tokens.flatMap(({ role }, t) => (role === ROLE.action ? [t] : []));
    const value = (i: number): number => Math.fround(tokens[actions[i] as number]?.value ?? 0);
    const delta = actions.map((t, i) => (tokens[t]?.reward as number) + discount * value(i + 1) - value(i));
    const expected = tokens.map(() => 0);
    actions.forEach((t, i) => {
      expected[t] = delta.slice(i).reduce((sum, d, k) => sum + (discount * gaeLambda) ** k * d, 0);
    });
    closeTo(got.advantage(), [expected], 2e-6);
    closeTo(
      got.returns(),
      [expected.map((sum, t) => (tokens[t]?.role === ROLE.action ? sum + Math.fround(tokens[t]?.value ?? 0) : 0))],
      2e-6,
    );
  });

  test('cut the tail of the optimal token baseline only for the one longest trajectory', async () => {
    const gapped = (reward: number): Trajectory =>
      [0, 1, 0, 1, 0].map((isObservation, t) => {
        return { role: isObservation ? ROLE.observation : ROLE.action, reward: t === 4 ? reward : 0, value: 0 };
      });
    const own = {
      advantageCredit: CHOICES.advantageCredit.indexOf('reward-to-go'),
      advantageBaseline: CHOICES.advantageBaseline.indexOf('optimal-token-tail'),
      advantageScale: CHOICES.advantageScale.indexOf('none'),
      discount: 1,
    };
    // Both have three actions, one of them at position 4, beyond that number: the baseline there is still the mean, ½.
    const tied = await advantagesOf(backend(), { groups: [[gapped(1), gapped(0)]], members: [own] });
    closeTo(
      tied.advantage(),
      [0.5, -0.5].map((half) => gapped(0).map(({ role }) => (role === ROLE.action ? half : 0))),
      1e-6,
    );
    // One longer by an action token, which stands where the other has none.
    const longer = [...gapped(0), { role: ROLE.action, reward: 1, value: 0 }];
    const cut = await advantagesOf(backend(), { groups: [[longer, gapped(0)]], members: [own] });
    expect(cut.advantage()[0]?.[4]).toBe(1);
    expect(cut.advantage()[0]?.[2]).toBeLessThan(0.6);
  });

  test('hold prediction reward and length penalty under every credit of the whole score', async () => {
    const tokens = (actions: number, observations: number, reward: number): Trajectory => [
      ...Array.from({ length: observations }, () => ({ role: ROLE.observation, reward: 0, value: 0 })),
      ...Array.from({ length: actions }, (_, i) => ({
        role: ROLE.action,
        reward: i === actions - 1 ? reward : 0,
        value: 0,
      })),
    ];
    const groups = [[tokens(1, 2, 1), tokens(4, 0, 0.5), tokens(2, 1, 0)], [tokens(3, 3, 2)]];
    const added = { predictionReward: 0.5, lengthPenaltyAction: 0.25, lengthPenaltyInput: 0.125 };
    const undiscounted = { discount: 1, gaeLambda: 1, turnDiscount: 1, singletonGroup: 1 };
    for (const name of ['none', 'group-mean', 'leave-one-out'] as const) {
      const own = {
        ...undiscounted,
        advantageBaseline: CHOICES.advantageBaseline.indexOf(name),
        advantageScale: CHOICES.advantageScale.indexOf('none'),
      };
      // The tree gives none of it where all do the same throughout, as here, and turns are compared with turns.
      const ofTurns = ['tree', 'turn-rewards'].map((one) => CHOICES.advantageCredit.indexOf(one as 'tree'));
      const credits = [...CHOICES.advantageCredit.keys()].filter((one) => !ofTurns.includes(one));
      const members = credits.map((advantageCredit) => ({ ...own, ...added, advantageCredit }));
      const got = await advantagesOf(backend(), { groups, members: [...members, own] });
      // With an untrained critic and no discount every action token gets the whole score.
      for (const p of members.keys()) closeTo(got.advantage(p), got.advantage(0), 2e-6);
      const first = (p: number) =>
        got.advantage(p).map((row, b) => row[groups.flat()[b]?.length as number] ?? row.at(-1));
      expect(first(0)).not.toEqual(first(members.length));
    }
    // By hand: 1 + ½·exp(−½) − mean·(¼·1/4 + ⅛·3/3), the input being two observations and the first token.
    const one = {
      ...undiscounted,
      ...added,
      advantageBaseline: CHOICES.advantageBaseline.indexOf('none'),
      advantageScale: 1,
    };
    const got = await advantagesOf(backend(), { groups, members: [{ ...one, advantageCredit: 1 }] });
    const mean = (1.5 + 2 * 0.5 * Math.exp(-0.5)) / 3;
    expect(got.advantage()[0]?.[2]).toBeCloseTo(1 + 0.5 * Math.exp(-0.5) - mean * (0.25 / 4 + 0.125), 5);
  });

  test('tell groups of equal rewards whatever is added to the scores, and the other way round', async () => {
    const long = (actions: number, reward: number): Trajectory =>
      Array.from({ length: actions }, (_, i) => ({
        role: ROLE.action,
        reward: i === actions - 1 ? reward : 0,
        value: 0,
      }));
    // Equal rewards, scores made unequal by length; unequal rewards whose penalised scores are both ¼.
    const groups = [
      [long(2, 1), long(1, 1)],
      [long(2, 1.25), long(1, 0.75)],
    ];
    const penalty = { lengthPenaltyAction: 1 };
    const members = [
      penalty,
      { ...penalty, groupFilter: CHOICES.groupFilter.indexOf('unequal') },
      { ...penalty, rewardSource: 1, groupFilter: CHOICES.groupFilter.indexOf('unequal') },
    ];
    const got = await advantagesOf(backend(), { groups, members });
    for (const p of [0, 1]) {
      expect(got.group('equal', p)).toEqual([1, 0]);
      expect(got.group('mean', p)).toEqual([1, 1]);
      expect(got.group('deviation', p)[0]).toBeGreaterThan(0.1);
      expect(got.group('deviation', p)[1]).toBe(0);
    }
    expect(got.group('kept', 1)).toEqual([0, 1]);
    // The advantage normalises scores: the first two differ by ½, the others are equal.
    expect(got.advantage(0)[0]?.[0]).toBeLessThan(-0.5);
    expect(got.advantage(0)[2]?.[0]).toBe(0);
    // Parts without a weight count as equal rewards.
    expect(got.group('equal', 2)).toEqual([1, 1]);
    expect(got.group('kept', 2)).toEqual([0, 0]);
  });

  test('keep the groups that deviate most, ties by their order', async () => {
    // Deviations 0, ½, 1, ½ (scores in another order), 0.
    const scores = [
      [1, 1, 1, 1],
      [0, 1, 1, 0],
      [0, 2, 2, 0],
      [1, 1, 0, 0],
      [0, 0, 0, 0],
    ];
    const groups = scores.map((own) => own.map(single));
    const filter = (kind: ChoiceOf<'groupFilter'>, groupFilterShare = 0): HyperOptions => ({
      groupFilter: CHOICES.groupFilter.indexOf(kind),
      groupFilterShare,
    });
    const members = [
      filter('none'),
      filter('unequal'),
      filter('top-deviation', 0.4),
      filter('top-deviation', 0.1),
      filter('variance-mass', 0.7),
      filter('variance-mass', 1),
    ];
    const got = await advantagesOf(backend(), { groups, members });
    expect(members.map((_, p) => got.group('kept', p))).toEqual([
      [1, 1, 1, 1, 1],
      [0, 1, 1, 1, 0],
      [0, 1, 1, 0, 0],
      [0, 0, 1, 0, 0],
      [0, 1, 1, 0, 0],
      [0, 1, 1, 1, 0],
    ]);
    members.forEach((_, p) => {
      const found = got.advantage(p).map(([value]) => value !== 0);
      expect(found).toEqual(
        got.group('kept', p).flatMap((kept, g) => scores[g]?.map(() => kept === 1 && g > 0 && g < 4)),
      );
    });
  });
});
