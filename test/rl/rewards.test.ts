// Reward of an episode: the sum of its parts, however they are spread over the turns; the outcome alone by default; noise
// that flips outcomes at its rate, in the same episodes of every arm.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { REWARD_PART_IDS, type RewardPart } from '../../src/hyperparameters/rewards';
import { measure, summariseRollout } from '../../src/rl/measure/measure';
import { METRIC } from '../../src/rl/measure/metrics';
import { nothingReplayed } from '../../src/rl/play/replay';
import { type FinishedEpisode, rewardRules, scoreEpisode } from '../../src/rl/play/rewards';
import type { Trajectories } from '../../src/rl/play/trajectories';
import { GROUP_COLUMNS, REWARD_PARTS, TERM_COLUMNS } from '../../src/tensor/columns';
import { playedAtRandom } from '../support/playedAtRandom';

const plain = defaultArm('a', 'A');
const NOTHING = Object.fromEntries(REWARD_PART_IDS.map((part) => [part, 0])) as Arm['reward'];
const paying = (part: RewardPart, more: Partial<Arm> = {}): Arm => ({
  ...plain,
  ...more,
  reward: { ...NOTHING, [part]: 1 },
});
const partOf = (episode: FinishedEpisode, part: RewardPart, more: Partial<Arm> = {}): number =>
  scoreEpisode(episode, rewardRules(paying(part, more))).total;

const episode: FinishedEpisode = {
  reward: 0.8,
  earned: [0, -0.2, 1],
  success: true,
  flipped: false,
  turns: 3,
  maxTurns: 5,
  actionTokens: 6,
  maxActionTokens: 10,
  warned: [0, 1, 0],
  repeated: [0, 1, 0],
  progress: [0.2, 0.7, 0.45, 1],
  known: [0.1, 0.4, 0.3],
  agreed: 0.75,
  tool: [1, -1, 1],
  tools: 2,
  matched: [1, 0.5, 0],
};

describe('a part', () => {
  test.each([
    ['outcome', {}, 0.8],
    ['outcome', { outcomeForm: 'binary' }, 1],
    ['outcome', { outcomeForm: 'signed' }, 1],
    ['format', {}, 2 / 3],
    ['format', { formatForm: 'all' }, 0],
    ['efficiency', {}, Math.cos((2 * Math.PI) / 9)],
    ['length', { lengthTarget: 4 }, -2],
    ['length', { lengthTarget: 6 }, 0],
    ['overlong', {}, 0],
    ['overlong', { overlongCache: 0.5 }, -0.2],
    ['overlong', { overlongCache: 1 }, -0.6],
    ['shaping', {}, 0.8],
    ['shaping', { shapingEnd: 'zero' }, -0.2],
    ['subgoals', {}, 1],
    ['subgoals', { subgoalCount: 10 }, 0.8],
    ['repetition', {}, -1],
    ['information', {}, 0.2],
    ['agreement', {}, 0.75],
    ['variety', {}, 0.5],
    ['calls', {}, 0.5],
  ] as const)('%s with %o is %f', (part, more, value) => {
    expect(partOf(episode, part, more)).toBeCloseTo(value, 12);
  });

  test('is paid at the turn that earned it', () => {
    const at = (part: RewardPart) => scoreEpisode(episode, rewardRules(paying(part))).turnRewards;
    expect(at('outcome')).toEqual([0, -0.2, 1]);
    expect(at('subgoals')).toEqual([0.5, 0, 0.5]);
    expect(at('repetition')).toEqual([0, -1, 0]);
    expect(at('agreement')).toEqual([0, 0, 0.75]);
    expect(at('variety')).toEqual([0.5, 0, 0]);
    for (const [part, gains] of [
      ['information', [0.3, -0.1, 0]],
      ['calls', [1 / 3, 0.5 / 3, 0]],
    ] as const) {
      const paid = at(part);
      for (const [turn, gain] of gains.entries()) expect(paid[turn]).toBeCloseTo(gain, 12);
    }
    expect(at('format').slice(0, 2)).toEqual([0, 0]);
    at('shaping').forEach((value, turn) => {
      expect(value).toBeCloseTo([0.5, -0.25, 0.55][turn] as number, 12);
    });
  });

  test('is turned round by a verifier that errs', () => {
    const wrong = { ...episode, flipped: true };
    expect(partOf(wrong, 'outcome', { outcomeForm: 'binary' })).toBe(0);
    expect(partOf(wrong, 'outcome', { outcomeForm: 'signed' })).toBe(-1);
    expect(partOf(wrong, 'outcome')).toBeCloseTo(0.2, 12);
    expect(partOf({ ...wrong, reward: -0.2, success: false }, 'outcome')).toBeCloseTo(0.8, 12);
  });

  test('format, of all turns, is 1 where none was warned of', () => {
    const well = { ...episode, warned: [0, 0, 0] };
    expect(partOf(well, 'format', { formatForm: 'all' })).toBe(1);
    // ToRL's price: 1 − ½ for a right answer with a failed call, against 1 without, moved by the weight.
    const paid = rewardRules({
      ...plain,
      outcomeForm: 'signed',
      formatForm: 'all',
      reward: { ...NOTHING, outcome: 1, format: 0.5 },
    });
    expect(scoreEpisode(well, paid).total - scoreEpisode(episode, paid).total).toBe(0.5);
  });

  test('that the environment does not tell is left out, not paid as 0', () => {
    const untold = { ...episode, progress: [Number.NaN, Number.NaN, Number.NaN, Number.NaN] };
    const { total, parts } = scoreEpisode(untold, rewardRules({ ...plain, reward: { ...plain.reward, shaping: 1 } }));
    expect(total).toBe(0.8);
    expect(parts[REWARD_PART_IDS.indexOf('shaping')]).toBeNaN();
    expect(partOf({ ...episode, known: [Number.NaN, Number.NaN, Number.NaN] }, 'information')).toBe(0);
    expect(partOf({ ...episode, turns: 1, known: [Number.NaN] }, 'information')).toBe(0);
    expect(partOf({ ...episode, agreed: Number.NaN }, 'agreement')).toBe(0);
    expect(partOf({ ...episode, tool: [-1, -1, -1], tools: 0 }, 'variety')).toBe(0);
    expect(partOf({ ...episode, matched: [Number.NaN, Number.NaN, Number.NaN] }, 'calls')).toBe(0);
  });
});

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const anyEpisode: fc.Arbitrary<FinishedEpisode> = fc.integer({ min: 1, max: 6 }).chain((turns) => {
  const each = <T>(value: fc.Arbitrary<T>, more = 0) =>
    fc.array(value, { minLength: turns + more, maxLength: turns + more });
  return fc
    .record({
      earned: each(fc.double({ min: -1, max: 1, noNaN: true })),
      success: fc.boolean(),
      flipped: fc.boolean(),
      actionTokens: fc.integer({ min: turns, max: 12 }),
      warned: each(fc.integer({ min: 0, max: 1 })),
      repeated: each(fc.integer({ min: 0, max: 1 })),
      progress: each(unit, 1),
      known: each(unit),
      agreed: unit,
      tool: each(fc.integer({ min: -1, max: 2 })),
      matched: each(unit),
    })
    .map((some) => ({
      ...some,
      turns,
      maxTurns: 6,
      maxActionTokens: 12,
      tools: 3,
      reward: some.earned.reduce((sum, value) => sum + value, 0),
    }));
});
const eachPart = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: REWARD_PARTS, maxLength: REWARD_PARTS });

test('all rewards of a trajectory add up to its weighted, capped parts, and caps hold', () => {
  const weights = eachPart(fc.constantFrom(0, 1, -0.5, 0.3));
  const caps = eachPart(fc.constantFrom(0, 0.25, 1));
  fc.assert(
    fc.property(anyEpisode, weights, caps, fc.constantFrom('environment', 'binary', 'signed'), (one, w, c, form) => {
      const rules = { ...rewardRules(plain), weights: w, caps: c, outcomeForm: form as Arm['outcomeForm'] };
      const { total, parts, turnRewards } = scoreEpisode(one, rules);
      const sum = parts.reduce((all, part, k) => all + (w[k] === 0 ? 0 : (w[k] as number) * part), 0);
      expect(total).toBeCloseTo(sum, 10);
      expect(turnRewards.reduce((all, reward) => all + reward, 0)).toBeCloseTo(total, 10);
      parts.forEach((part, k) => {
        if (w[k] === 0) expect(part).toBeNaN();
        else if (c[k] !== 0) expect(Math.abs(part)).toBeLessThanOrEqual(c[k] as number);
      });
    }),
  );
});

test('shaping telescopes, discounted as returns are', () => {
  fc.assert(
    fc.property(anyEpisode, fc.constantFrom(1, 0.9, 0.5), (one, discount) => {
      const arm = paying('shaping', { advantageCredit: 'reward-to-go', discount });
      const { turnRewards } = scoreEpisode(one, rewardRules(arm));
      const sum = turnRewards.reduce((all, reward, turn) => all + discount ** turn * reward, 0);
      const [start, end] = [one.progress[0] as number, one.progress[one.turns] as number];
      expect(sum).toBeCloseTo(discount ** one.turns * end - start, 10);
    }),
  );
});

const [groups, groupSize, chunk] = [25, 8, 8];
const environment = gridworld.create({
  size: 3,
  horizon: 6,
  minimumDistance: 1,
  decoding: 'free',
  malformed: 'penalty',
  penalty: 0.1,
});

const played = (arms: readonly Arm[], update = 0): Promise<Trajectories> =>
  playedAtRandom(environment, arms, { groups, groupSize, chunk, update });

describe('a rollout', () => {
  test('pays by default what the environment gives, bit for bit', async () => {
    const trajectories = await played([plain]);
    const { count, context, maxTurns, turns, turnEarned, turnEnds, rewards, tokenRewards, parts } = trajectories;
    const expected = new Float32Array(tokenRewards.length);
    for (let i = 0; i < count; i++) {
      for (let turn = 0; turn < (turns[i] as number); turn++) {
        expected[i * context + (turnEnds[i * maxTurns + turn] as number)] = turnEarned[i * maxTurns + turn] as number;
      }
      expect(parts[i * REWARD_PARTS]).toBe(rewards[i]);
    }
    expect(tokenRewards).toEqual(expected);
    expect(new Set(rewards).size).toBeGreaterThan(4);
  });

  test('errs at rate q, in the same episodes in every arm', async () => {
    const noisy: Arm = { ...plain, verifierNoise: 0.25, outcomeForm: 'signed' };
    const other: Arm = { ...noisy, reward: { ...noisy.reward, format: 0.5 } };
    const arms = [noisy, other, plain].map((arm, i) => ({ ...arm, id: `a${i}` }));
    let flips = 0;
    for (let update = 0; update < 5; update++) {
      const { count, flips: flipped, successes, parts } = await played(arms, update);
      for (let i = 0; i < count; i++) {
        expect(flipped[count + i]).toBe(flipped[i]);
        expect(flipped[2 * count + i]).toBe(0);
        expect(parts[i * REWARD_PARTS]).toBe(successes[i] === flipped[i] ? -1 : 1);
        flips += flipped[i] as number;
      }
    }
    // 1000 draws: four deviations of 0.0137.
    expect(Math.abs(flips / 1000 - 0.25)).toBeLessThan(0.055);
  });

  test('is measured part by part, unused parts as undefined', async () => {
    const arm: Arm = { ...plain, reward: { ...NOTHING, outcome: 1, format: 0.5, subgoals: 0.2, repetition: 0.1 } };
    const trajectories = await played([arm]);
    const { count, rewards, tokenRewards, context } = trajectories;
    for (let i = 0; i < count; i++) {
      const sum = tokenRewards.subarray(i * context, (i + 1) * context).reduce((all, reward) => all + reward, 0);
      expect(sum).toBeCloseTo(rewards[i] as number, 5);
    }
    const readback = {
      firstTerms: new Float32Array(TERM_COLUMNS),
      laterTerms: new Float32Array(TERM_COLUMNS),
      counts: [0, 1, 1, 1, 0],
      gradNorm: [1],
      policyGradNorm: null,
      worldModelGradNorm: null,
      group: new Float32Array(groups * GROUP_COLUMNS),
      tokens: null,
      gradients: null,
      formulas: [],
      inverse: null,
      distillation: null,
    };
    const options = {
      innerEpochs: [1],
      minibatches: [1],
      critic: [false],
      reference: true,
      actionLoss: [true],
      imitates: [false],
      relabelled: [Number.NaN],
      replayed: nothingReplayed(1),
    };
    const collected = { tasks: Float64Array.of(groups), tokensGivenUp: 0, turnCaps: Float64Array.of(Number.NaN) };
    const values = measure(summariseRollout(trajectories, [false], collected, {}), readback, options);
    const of = (name: keyof typeof METRIC): number => values[METRIC[name]] as number;
    const weighted = of('rewardOutcome') + 0.5 * of('rewardFormat');
    expect(weighted + 0.2 * of('rewardSubgoals') + 0.1 * of('rewardRepetition')).toBeCloseTo(of('return'), 5);
    expect(of('warningShare')).toBeCloseTo(1 - of('rewardFormat'), 6);
    expect(of('repeatedActions')).toBeGreaterThan(0);
    expect(of('turns')).toBeGreaterThan(1);
    expect(of('toolCalls')).toBeNaN();
    expect(of('turnCap')).toBeNaN();
    expect([of('rewardShaping'), of('rewardLength'), of('verifierFlips')]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});
