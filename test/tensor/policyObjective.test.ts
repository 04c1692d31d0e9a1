/**
 * Properties of the policy objective for any numbers: derivatives are those of the loss, with factors that a surrogate
 * holds fixed held fixed (float64, finite differences); tokens without a policy gradient give exactly 0; weights add up.
 */

import { describe, expect, test } from 'vitest';
import { isDrawn } from '../../src/foundation/roles';
import { CHOICES } from '../../src/hyperparameters/columns';
import { batchOf, denseBatch } from '../../src/parity/cases/batch';
import { allocate, f32, type ParityCase, randomFor, runCase, unwritten } from '../../src/parity/cases/case';
import {
  type CaseMember,
  EACH_SURROGATE,
  hyperOf,
  isCarrying,
  MEMBERS,
  NO_MASK,
} from '../../src/parity/cases/objective/policyMembers';
import { objectiveCase } from '../../src/parity/cases/objective/policyTokens';
import { placeInWords } from '../../src/parity/cases/place';
import type { Operations } from '../../src/tensor/backend';
import { TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import { HYPER_COLUMNS, ROW_FIELDS } from '../../src/tensor/layout';
import { policyMember } from '../../src/tensor/objective/policy/member';
import { SEGMENT_COLUMNS } from '../../src/tensor/operations/policyObjective';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { ran } from '../support/tensors';
import { UNTILED } from './backends';
import { type SurrogateToken, surrogateOf } from './oneSurrogate';
import { HELD } from './trainingMembers';

const STEP = 1e-6;

/** Surrogates whose gradient goes through log p alone; reinforce has no ratio. */
const FIXED_RATIO: readonly string[] = ['reinforce', ...HELD];

/** What a failure says of a derivative that is not what the differences give; nothing where they agree. */
const compared = (what: string, got: number, expected: number): string[] =>
  Math.abs(got - expected) <= 2e-8 + 1e-6 * Math.abs(expected) ? [] : [`${what} is ${got}, by differences ${expected}`];

describe('A surrogate’s derivatives are those of its loss', () => {
  const settings: readonly CaseMember[] = [
    ...EACH_SURROGATE,
    { surrogate: 'cispo', ratioBound: 'absolute-above', clipHigh: 1.2 },
    { surrogate: 'sapo', sapoPositive: 3, sapoNegative: 2 },
  ];
  test.each(settings)('$surrogate', (own) => {
    const row = Float64Array.from(hyperOf([own]).data);
    const member = policyMember(row);
    const random = randomFor(`finite differences of ${JSON.stringify(own)}`);
    let moved = 0;
    for (let i = 0; i < 300; i++) {
      const logProb = -0.02 - Math.abs(random.normal());
      const baseLogProb = Math.min(-0.01, logProb + 0.4 * random.normal());
      const token: SurrogateToken = {
        logProb,
        baseLogProb,
        logRatio: i % 3 === 0 ? logProb - baseLogProb : 0.5 * random.normal(),
        advantage: i % 10 === 9 ? 0 : random.normal(),
        selection: 1 + (i % 2),
      };
      const { byLogProb, byRatio } = surrogateOf(token, member);
      const slope = (move: (h: number) => Partial<SurrogateToken>): number =>
        (surrogateOf({ ...token, ...move(STEP) }, member).loss -
          surrogateOf({ ...token, ...move(-STEP) }, member).loss) /
        (2 * STEP);
      const place = `token ${i}, ${JSON.stringify(token)}, of ${JSON.stringify(own)}`;
      const byHand = slope((h) => ({ logProb: logProb + h }));
      expect(compared('byLogProb', byLogProb, byHand), place).toEqual([]);
      if (FIXED_RATIO.includes(member.surrogate)) {
        expect(byRatio, `byRatio of a surrogate that holds its ratio (HELD), ${place}`).toBe(0);
      } else {
        const through = slope((h) => ({ logRatio: token.logRatio + h }));
        expect(compared('byRatio (of a ratio that HELD does not hold)', byRatio, through), place).toEqual([]);
      }
      if (byLogProb !== 0 || byRatio !== 0) moved++;
    }
    expect(moved).toBeGreaterThan(50);
  });

  test('reinforce-kl’s estimators, where no advantage weighs them', () => {
    const own: CaseMember = { surrogate: 'reinforce-kl', policyKlForm: 'estimator', backwardKl: 0.3, forwardKl: 0.7 };
    const member = policyMember(Float64Array.from(hyperOf([own]).data));
    for (const logRatio of [-21, -2, -0.1, 0, 0.1, 2, 5]) {
      const token = { logRatio, logProb: -1, baseLogProb: -1 - logRatio, advantage: 0, selection: 1 };
      const loss = (h: number): number => surrogateOf({ ...token, logRatio: logRatio + h }, member).loss;
      const expected = (loss(STEP) - loss(-STEP)) / (2 * STEP);
      const difference = Math.abs(surrogateOf(token, member).byRatio - expected);
      expect(difference, `byRatio at a log-ratio of ${logRatio}`).toBeLessThan(1e-6 * (1 + Math.abs(expected)));
    }
  });

  test.each(['within-20', 'none', 'below-10'] as const)('the clamp %s has derivative 1 inside and on it', (clamp) => {
    const member = policyMember(Float64Array.from(hyperOf([{ surrogate: 'importance', logRatioClamp: clamp }]).data));
    const byRatio = (logRatio: number): number =>
      surrogateOf({ logRatio, logProb: -1, baseLogProb: -1, advantage: -1, selection: 1 }, member).byRatio;
    const [low, high] = { 'within-20': [-20, 20], none: [-1000, 80], 'below-10': [-1000, 10] }[clamp] as [
      number,
      number,
    ];
    expect(byRatio(high)).toBeCloseTo(Math.exp(high), -30);
    expect(byRatio(high)).toBeGreaterThan(0);
    expect(byRatio(high + 1e-9)).toBe(0);
    expect(byRatio(low)).toBe(Math.exp(low));
    if (low === -20) expect(byRatio(low - 1e-9)).toBe(0);
  });
});

/** Tensors of a case on the reference, with functions to move log-probs. */
async function wholeGradients(name: string, member: CaseMember) {
  const backend = new ReferenceBackend();
  const single = objectiveCase(name, [member], [[23, 9, 1]]);
  const t = allocate(backend, single.tensors);
  const program = backend.record(name, 1, (ops) => single.build(ops, t));
  const loss = async (): Promise<number> => {
    backend.run(program);
    const [terms] = await backend.read(t.f32('terms'));
    let sum = 0;
    for (let r = 0; r < 33; r++) sum += terms[r * TERM_COLUMNS + TERM.policyLoss] as number;
    return sum;
  };
  await loss();
  const [gradient, before] = await backend.read(t.f32('dLogProb'), t.f32('logProb'));
  const differences: number[] = [];
  for (let r = 0; r < 33; r++) {
    const at = async (h: number): Promise<number> => {
      const values = before.slice();
      values[r] = (values[r] as number) + h;
      backend.write(t.f32('logProb'), values);
      return loss();
    };
    const start = before[r] as number;
    differences.push(Number.isNaN(start) ? 0 : ((await at(STEP)) - (await at(-STEP))) / (2 * STEP));
  }
  const place = (row: number): string => placeInWords(single, 'dLogProb', 0, row);
  return { gradient: Array.from(gradient.slice(0, 33)), differences, place };
}

/** True if nothing in the member's loss is held fixed: the gradient is the whole derivative, also through shared ratios. */
const isWhole = (member: CaseMember): boolean =>
  !FIXED_RATIO.includes(member.surrogate ?? 'ppo') &&
  ((member.ratioLevel ?? 'token') === 'token' ||
    member.ratioGradient === 'differentiable' ||
    member.surrogate === 'gmpo');

describe('The gradient of the whole loss is its derivative by each log-prob', () => {
  const whole = [
    ...MEMBERS,
    { ...EACH_SURROGATE[0], ratioLevel: 'turn', ratioGradient: 'differentiable' } as CaseMember,
  ];
  test.each(whole.filter(isWhole).map((member, i) => ({ name: `${i}: ${JSON.stringify(member)}`, member })))(
    '$name',
    async ({ name, member }) => {
      const { gradient, differences, place } = await wholeGradients(name, member);
      const wrong = gradient.flatMap((value, r) =>
        compared(`dLogProb of ${place(r)}`, value, differences[r] as number),
      );
      expect(wrong, `of the member ${name}`).toEqual([]);
      if (member.policyGradient === undefined) expect(gradient.some((value) => value !== 0)).toBe(true);
    },
  );
});

describe('Straight-through ratios', () => {
  test.each(['turn', 'sequence'] as const)(
    'of a %s give each token the gradient of its own loss',
    async (ratioLevel) => {
      const backend = new ReferenceBackend();
      const name = `straight-through ${ratioLevel}`;
      const single = objectiveCase(name, [{ ratioLevel }], [[23, 9, 1]]);
      const outputs = await runCase(backend, single);
      const [segments, gradient] = outputs as [Float64Array, Float64Array];
      const token = { ...single, tensors: { ...single.tensors } } as ParityCase;
      const t = allocate(backend, token.tensors);
      const context = (t.f32('advantage').stride / 7) | 0;
      const perToken = backend.record(name, 1, (ops) => {
        const inputs = {
          logProb: t.f32('logProb'),
          oldLogProb: t.f32('oldLogProb'),
          advantage: t.f32('advantage'),
          policyWeight: t.f32('policyWeight'),
          segments: t.f32('segments'),
        };
        ops.policyObjective(t.f32('dLogProb'), t.f32('terms'), t.rows(), inputs, t.f32('hyper'), context);
      });
      // The gradient by a token's log-prob is the derivative of its loss by its segment's value.
      for (let r = 0; r < 33; r++) {
        const at = async (h: number): Promise<number> => {
          const moved = segments.slice();
          moved[r * SEGMENT_COLUMNS] = (moved[r * SEGMENT_COLUMNS] as number) + h;
          backend.write(t.f32('segments'), moved);
          backend.run(perToken);
          const [terms] = await backend.read(t.f32('terms'));
          return terms[r * TERM_COLUMNS + TERM.policyLoss] as number;
        };
        const expected = ((await at(STEP)) - (await at(-STEP))) / (2 * STEP);
        const place = `dLogProb of ${placeInWords(single, 'dLogProb', 0, r)}`;
        expect(compared(place, gradient[r] as number, expected)).toEqual([]);
      }
      expect(gradient.slice(0, 33).some((value) => value !== 0)).toBe(true);
    },
  );
});

describe.each(UNTILED)('$name', ({ create }) => {
  test('tokens without a policy gradient give exactly 0, whatever they hold', async () => {
    const backend = await create();
    const random = randomFor('random roles and weights');
    for (let trial = 0; trial < 6; trial++) {
      const members = Array.from({ length: 12 }, (): CaseMember => {
        const own = MEMBERS[random.below(MEMBERS.length)] as CaseMember;
        const weight = (): number => [0, 0, 1, -0.5][random.below(4)] as number;
        return {
          ...own,
          policyGradient: { prompt: weight(), action: weight(), observation: weight(), warning: weight() },
        };
      });
      const lengths = members.map(() => [1 + random.below(30), random.below(9)]);
      const single = objectiveCase(`trial ${trial}`, members, lengths);
      const [, gradient, terms] = (await runCase(backend, single)) as [Float32Array, Float32Array, Float32Array];
      const { data: table } = single.tensors['rows.table'] as { data: Uint32Array };
      const capacity = gradient.length / members.length;
      const wrong: string[] = [];
      members.forEach((member, p) => {
        const rows = (lengths[p] as number[]).reduce((a, b) => a + b, 0);
        for (let r = 0; r < rows; r++) {
          const [position = 0, , meta = 0] = table.subarray((p * capacity + r) * ROW_FIELDS + 1);
          const at = p * capacity + r;
          const loss = terms[at * TERM_COLUMNS + TERM.policyLoss] as number;
          const isNothing = position === 0 || !isCarrying(member, meta & 15);
          const both = [gradient[at] as number, loss];
          if (both.every(isNothing ? (value) => Object.is(value, 0) : Number.isFinite)) continue;
          wrong.push(`dLogProb and policyLoss are ${both} at ${placeInWords(single, 'dLogProb', p, r)}`);
        }
      });
      expect(wrong).toEqual([]);
    }
    backend.dispose();
  });

  test('weights are 0 where nothing is learnt, and a mean’s add up to 1', async () => {
    const backend = await create();
    const members = CHOICES.aggregation.flatMap((aggregation) =>
      CHOICES.countedSequences.map(
        (countedSequences): CaseMember => ({
          aggregation,
          countedSequences,
          policyGradient: { action: 1, thought: 1 },
        }),
      ),
    );
    const random = randomFor('weights add up');
    const batch = denseBatch(random, { members: members.length, groups: [3, 4, 2], context: 17 });
    const stride = batch.trajectories * 17;
    const group = batch.tensors.group.data.map((value) => (Number.isNaN(value) ? value : 1));
    const t = allocate(backend, {
      ...batch.tensors,
      group: f32(members.length, group),
      any: unwritten(members.length, stride),
      policyWeight: unwritten(members.length, stride),
      actionWeight: unwritten(members.length, stride),
      scratch: unwritten(members.length, 4 * batch.trajectories + 4),
      hyper: hyperOf(members),
    });
    const inputs = { oldLogProb: t.f32('any'), behaviourLogProb: t.f32('any'), group: t.f32('group') };
    const weights = [t.f32('policyWeight'), t.f32('actionWeight')] as const;
    const weigh = (ops: Operations): void =>
      ops.policyWeights(...weights, t.f32('scratch'), batchOf(t, batch), inputs, t.f32('hyper'));
    const [policyWeight, actionWeight] = await ran(backend, members.length, weigh, weights);
    const roles = batch.tensors['batch.roles'].data;
    // With a weight of 1 on what was drawn alone the two are the same.
    const wrong = Array.from(roles).flatMap((role, i) => {
      const both = [policyWeight[i], actionWeight[i]];
      const isRight = Object.is(both[0], both[1]) && (isDrawn(role) || Object.is(both[0], 0));
      const place = `token ${(i % stride) % 17} of trajectory ${Math.floor((i % stride) / 17)}`;
      return isRight ? [] : [`${both} at ${place}, of ${JSON.stringify(members[Math.floor(i / stride)])}`];
    });
    expect(wrong).toEqual([]);
    members.forEach(({ aggregation, countedSequences }, p) => {
      const sum = Array.from(policyWeight.subarray(p * stride, (p + 1) * stride)).reduce((a, b) => a + b, 0);
      const words = `the weights' sum of ${aggregation}, ${countedSequences}`;
      if (aggregation === 'token-mean') expect(sum, words).toBeCloseTo(1, 5);
      if (aggregation === 'seq-mean-token-mean' && countedSequences === 'with-tokens')
        expect(sum, words).toBeCloseTo(1, 5);
      if (aggregation === 'token-sum') expect(Number.isInteger(sum) && sum > 0, words).toBe(true);
    });
    backend.dispose();
  });
});

test('the members cover every surrogate, and no setting is out of its table', () => {
  expect(new Set(MEMBERS.map(({ surrogate = 'ppo' }) => surrogate))).toEqual(new Set(CHOICES.surrogate));
  expect(hyperOf([{ policyGradient: NO_MASK }]).data.length).toBe(HYPER_COLUMNS);
});
