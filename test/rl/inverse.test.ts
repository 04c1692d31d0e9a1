/** Inverse dynamics: its windows, its gradient against finite differences, every backend, and what it leaves as it was. */
import { describe, expect, test } from 'vitest';
import { scheduledArm } from '../../src/experiment/arm/schedule';
import type { Arm } from '../../src/experiment/experiment';
import { ROLE } from '../../src/foundation/roles';
import { InverseDynamics } from '../../src/rl/learn/inverse/inverseDynamics';
import { drawWindows, type WindowOptions } from '../../src/rl/learn/inverse/windows';
import { Trajectories } from '../../src/rl/play/trajectories';
import type { Backend } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { availableBackends } from '../support/backends';
import { expectOthersUnchanged, tiny, tinyMask, trainTiny } from '../support/tinyTraining';
import { AddedBench, expectGradientOfMean, expectThoseOfReference, WEIGHT } from './addedBench';

const members = [{ seed: 0 }, { seed: 0 }, { seed: 1 }];

describe('windows', () => {
  const CONTEXT = 10;
  /** Two turns, the second of two words; then an action that nothing answered. */
  function episode(trajectories: Trajectories, i: number): void {
    for (const token of [1, 7]) trajectories.appendSaid(i, token, 'prompt');
    trajectories.appendDrawn(i, 9, 0, -1, 'thought');
    trajectories.appendDrawn(i, 3, 1, -1);
    trajectories.appendSaid(i, 8, 'observation');
    for (const token of [4, 5]) trajectories.appendDrawn(i, token, 1, -1);
    trajectories.appendSaid(i, 6, 'warning');
    trajectories.appendDrawn(i, 3, 1, -1);
  }
  const draw = (weights: readonly number[], update: number) => {
    const [windows, trajectories] = [new Trajectories(3, 4, CONTEXT, 3), new Trajectories(3, 4, CONTEXT, 3)];
    for (let i = 0; i < 12; i++) episode(trajectories, i);
    const drawn = drawWindows(windows, trajectories, { members, weights, experimentSeed: 1, update });
    const tokens = Array.from({ length: 12 }, (_, i) =>
      [...windows.tokens.subarray(i * CONTEXT, i * CONTEXT + (windows.lengths[i] as number))].join(' '),
    );
    return { ...drawn, tokens, windows };
  };
  const [FIRST, SECOND] = ['0 1 7 0 8 0 3', '0 8 0 6 0 4 5'];

  test('have what was said before and after, then the action: of any turn that was answered, without thoughts', () => {
    const all = [0, 1, 2, 3, 4].flatMap((update) => draw([1, 1, 1], update).tokens);
    expect(new Set(all)).toEqual(new Set([FIRST, SECOND]));
  });

  test('are the same in all arms of a seed, and none where the weight is 0', () => {
    const { tokens, counts } = draw([0.5, 2, 0], 0);
    expect(tokens.slice(0, 4)).toEqual(tokens.slice(4, 8));
    expect(tokens.slice(8)).toEqual(['', '', '', '']);
    expect(counts[2]).toBe(0);
    expect(draw([1, 1, 1], 0).tokens.slice(8)).not.toEqual(['', '', '', '']);
  });

  test('share the weight among the words of their actions', () => {
    const { tokens, counts, weight, windows } = draw([0.5, 2, 0], 0);
    const words = tokens.slice(0, 4).reduce((sum, window) => sum + (window === SECOND ? 2 : 1), 0);
    expect([...counts]).toEqual([words, words, 0]);
    expect(weight.slice(0, 40).reduce((a, b) => a + b)).toBeCloseTo(0.5, 6);
    expect(weight.slice(40, 80).reduce((a, b) => a + b)).toBeCloseTo(2, 6);
    expect(weight.slice(80).every((one) => one === 0)).toBe(true);
    weight.forEach((one, at) => {
      const isTarget =
        windows.roles[at] === ROLE.observation && at % CONTEXT < (windows.lengths[Math.floor(at / CONTEXT)] as number);
      expect(one > 0).toBe(isTarget && at < 80);
    });
  });
});

/** Members whose weights are η. */
const benchOf = (backend: Backend, weights: readonly number[]): AddedBench =>
  new AddedBench(backend, weights.length, { trajectories: 20, microbatches: 1, chunks: 2 }, (on, options) => {
    const loss = new InverseDynamics(on, options);
    const drawn: WindowOptions = { members: members.slice(0, weights.length), weights, experimentSeed: 5, update: 0 };
    return { first: loss.first, lay: (trajectories) => loss.lay(trajectories, drawn), read: () => loss.read() };
  });

test('the gradient is that of η · mean of −log p, by finite differences', () =>
  expectGradientOfMean(benchOf(new ReferenceBackend(), [WEIGHT])));

test.each(availableBackends)('loss and gradient are those of the reference on $name', async ({ create }) => {
  // The last has none.
  const weights = [WEIGHT, 1.5, 0];
  const expected = await benchOf(new ReferenceBackend(), weights).at();
  await expectThoseOfReference(benchOf(await create(), weights), expected);
});

describe('in a training', () => {
  const inverse: Arm = { ...tinyMask, id: 'inverse', inverseDynamics: 0.5 };

  test('no bit of an arm without it differs, with a critic, minibatches and inner epochs too', async () => {
    await expectOthersUnchanged([inverse], 'inverseCrossEntropy');
  });

  test('a critic has its gradient once, not twice', async () => {
    const critic: Arm = { ...tinyMask, advantageCredit: 'gae', valueCoefficient: 0.5, maxGradNorm: 1000 };
    const slight: Arm = { ...critic, id: 'slight', inverseDynamics: 1e-7 };
    const { of } = await trainTiny([critic, slight], 1);
    expect(of('gradNorm', 1)[0]).toBeCloseTo(of('gradNorm', 0)[0] as number, 5);
  });

  test('the action is read off what came before and after it', async () => {
    const alone: Arm = { ...inverse, pg: { ...inverse.pg, action: 0 }, entropyCoefficient: 0, inverseDynamics: 1 };
    const policy = { ...tiny.policy, layers: 2, width: 32, initialScale: 0.08 };
    const { of } = await trainTiny([alone], 100, { policy, batch: { groups: 16, groupSize: 4 } });
    const curve = of('inverseCrossEntropy', 0);
    const late = curve.slice(-10).reduce((a, b) => a + b) / 10;
    expect(curve[0]).toBeGreaterThan(2);
    // A guess among the four moves has ln 4 = 1.39 nats.
    expect(late).toBeLessThan(1);
  });

  test('updates of the policy or of the critic alone have none', () => {
    const turns: Arm = { ...inverse, worldModelEvery: 2, worldModelBetween: 'policy' };
    expect([0, 1].map((update) => scheduledArm(turns, update).inverseDynamics)).toEqual([0, 0.5]);
    const warming: Arm = { ...inverse, valueCoefficient: 0.5, criticWarmUp: 1 };
    expect([0, 1].map((update) => scheduledArm(warming, update).inverseDynamics)).toEqual([0, 0.5]);
  });
});
