/** A silent group's hatching is explained where it is seen, and nowhere else. */
import { expect, test } from 'vitest';
import { defaultArm } from '../../src/experiment/experiment';
import { isSilent } from '../../src/ui/model/tokens/silent';

const arm = defaultArm('mask', 'Mask');
const episode = (advantage: number, ...weights: number[]) => ({ advantage, policyWeight: Float32Array.from(weights) });

test('says why actions learn nothing although the table says that they do', () => {
  expect(isSilent(episode(0, 0, 0), arm)).toBe(true);
});

test.each([
  ['the group has better and worse episodes', episode(0.7, 0, 1), arm],
  ['some action learns all the same', episode(0, 0, 1), arm],
  ['the arm does not learn from the reward', episode(0, 0, 0), { ...arm, pg: { ...arm.pg, action: 0 } }],
  ['an earlier success is imitated', { ...episode(0, 0, 0), replayed: 3 }, arm],
  ['the arm is a fixed policy', episode(0, 0, 0), { ...arm, fixedPolicy: 'ab'.repeat(32) }],
])('says nothing where %s', (_, shown, of) => {
  expect(isSilent(shown, of)).toBe(false);
});
