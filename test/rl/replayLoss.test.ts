/**
 * Loss of replayed episodes, in float64: their formula by hand, and the step that the episodes alone would give. What was just
 * played is trained as if the replayed ones were not there.
 */
import { describe, expect, it } from 'vitest';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { isDrawn } from '../../src/foundation/roles';
import type { TokenReadback } from '../../src/rl/measure/tokenReadback';
import { hyperparameters, membersOf } from '../../src/rl/population';
import { TERM } from '../../src/tensor/columns';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { groupSize, recordedTrajectories, replay, replayedSlots, small } from './replay';

const GROUPS = 6;
const B = GROUPS * groupSize;
const SLOTS = Array.from({ length: B }, (_, slot) => slot);
const REPLAYED = SLOTS.slice(-replayedSlots(B));
const plain: Arm = { ...defaultArm('a', 'A'), entropyCoefficient: 0, innerEpochs: 1, learningRate: 0.01 };
const nothing = { pg: { ...plain.pg, action: 0 }, ce: { ...plain.ce, observation: 0 } };
const walks = recordedTrajectories(1, 0, SLOTS);

/** One update of an arm. slots: walks of its batch. */
async function step(arm: Arm, slots: readonly number[]) {
  const options = { updates: 1, groups: slots.length / groupSize, configuration: small, diagnostics: true };
  const table = hyperparameters(membersOf([arm], [0]), [arm]);
  const asked = { ...options, slotsOf: () => slots, settings: [arm] };
  const { readbacks, parameters } = await replay(new ReferenceBackend(), table, [1], asked);
  const [readback] = readbacks;
  if (readback === undefined) throw new Error('There was no update.');
  return { parameters, terms: readback.firstTerms, gradNorm: readback.gradNorm, tokens: readback.tokens };
}

/** Tokens that the policy drew in the replayed walks, as places in the batch, each with its advantage. */
const drawn = REPLAYED.flatMap((slot) =>
  Array.from({ length: walks.lengths[slot] as number }, (_, t) => ({
    at: slot * walks.context + t,
    advantage: 0.5 + slot / 10,
  })).filter(({ at }) => isDrawn(walks.roles[at] as number)),
);

const term = (terms: ArrayLike<number>, name: keyof typeof TERM): number => terms[TERM[name]] as number;
const old = (tokens: TokenReadback | null, at: number): number => tokens?.oldLogProb[at] as number;

describe('Replay by cross-entropy', () => {
  const arm: Arm = { ...plain, replay: 'cross-entropy', replayShare: 0.5, replayWeight: 0.7 };

  it('is w·(n/k) times the mean of −log p over what was drawn', async () => {
    const { terms, tokens } = await step(arm, SLOTS);
    const mean = drawn.reduce((sum, { at }) => sum - old(tokens, at), 0) / drawn.length;
    // 8 episodes for 12 places.
    expect(term(terms, 'crossEntropyLoss')).toBeCloseTo(0.7 * (8 / 12) * mean, 10);
    expect(mean).toBeGreaterThan(0.5);
  });

  it('alone makes the step that imitating these episodes makes', async () => {
    const only = await step({ ...arm, ...nothing, replayWeight: 1, replayShare: 1 / 3 }, SLOTS);
    const imitating = { ...plain, ...nothing, ce: { ...nothing.ce, action: 1 } };
    const imitated = await step(imitating, REPLAYED);
    expect(only.gradNorm[0]).toBeCloseTo(imitated.gradNorm[0] as number, 10);
    expect(only.gradNorm[0]).toBeGreaterThan(0.01);
    Array.from(only.parameters).forEach((value, i) => {
      expect(value).toBeCloseTo(imitated.parameters[i] as number, 8);
    });
  });

  it('leaves the loss of what was just played as it is without the replayed episodes', async () => {
    const own = SLOTS.slice(0, -REPLAYED.length);
    const world = { ...plain, ce: { ...plain.ce, observation: 0.3 } };
    const [beside, alone] = [await step({ ...arm, ...world, ...REST }, SLOTS), await step(world, own)];
    expect(term(beside.terms, 'policyLoss')).toBeCloseTo(term(alone.terms, 'policyLoss'), 10);
    expect(term(beside.terms, 'crossEntropyLoss')).toBeCloseTo(term(alone.terms, 'crossEntropyLoss'), 10);
    expect(beside.gradNorm[0]).toBeCloseTo(alone.gradNorm[0] as number, 10);
  });
});

/** A replay that weighs nothing. */
const REST = { replay: 'cross-entropy', replayWeight: 0 } as const;

describe('Replay by policy gradient', () => {
  const arm: Arm = { ...plain, replay: 'policy-gradient', replayShare: 1 / 3, ratioBase: 'behaviour' };

  it('is the arm’s clipped ratio to the policy that played, times the advantage of that time', async () => {
    const base = await step({ ...arm, replay: 'none' }, SLOTS.slice(0, -REPLAYED.length));
    const { terms, tokens } = await step({ ...arm, replayWeight: 2 }, SLOTS);
    const ratioOf = (at: number): number => Math.exp(old(tokens, at) - (walks.behaviourLogProb[at] as number));
    const losses = drawn.map(({ at, advantage: A }) => {
      const ratio = ratioOf(at);
      return Math.max(-A * ratio, -A * Math.min(Math.max(ratio, 1 - arm.clipLow), 1 + arm.clipHigh));
    });
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / drawn.length;
    expect(term(terms, 'policyLoss') - term(base.terms, 'policyLoss')).toBeCloseTo(2 * mean, 8);
    const clipped = drawn.filter(({ at }) => ratioOf(at) > 1 + arm.clipHigh).length;
    expect(term(terms, 'clipped') - term(base.terms, 'clipped')).toBe(clipped);
    expect(clipped).toBeGreaterThan(0);
    expect(mean).toBeLessThan(-0.5);
  });

  it('takes them for the policy’s own where the ratio is to the policy before the update', async () => {
    const uncorrected = { ...arm, ratioBase: 'old' } as const;
    const [base, once] = [
      await step({ ...uncorrected, replayWeight: 0 }, SLOTS),
      await step({ ...uncorrected, replayWeight: 1 }, SLOTS),
    ];
    const mean = drawn.reduce((sum, { advantage }) => sum - advantage, 0) / drawn.length;
    expect(term(once.terms, 'policyLoss') - term(base.terms, 'policyLoss')).toBeCloseTo(mean, 8);
  });
});
