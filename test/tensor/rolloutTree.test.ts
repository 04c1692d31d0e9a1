/** Credit by the group as a tree (RTMC) on every backend: four rollouts whose tree is small enough to work out by hand. */
import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { CHOICES } from '../../src/hyperparameters/columns';
import { allocate, f32, u32, unwritten } from '../../src/parity/cases/case';
import { type HyperOptions, hyperTensor } from '../../src/parity/cases/hyper';
import type { Backend, Operations } from '../../src/tensor/backend';
import { GROUP_COLUMNS, OUTCOME, OUTCOME_COLUMNS } from '../../src/tensor/columns';
import { advantageScratch } from '../../src/tensor/operations/advantage';
import { ran } from '../support/tensors';
import { backendFor, UNTILED } from './backends';

/** A rollout of two turns: the node and the action of each, the observation it began with, and its reward in the end. */
interface Rollout {
  readonly path: readonly [node: number, action: number, node: number, action: number];
  readonly seen: readonly [number, number];
  readonly reward: number;
}

const TURNS = 2;
/** Position 0 is no target; then action, observation, action. */
const ROLES_OF = [ROLE.prompt, ROLE.action, ROLE.observation, ROLE.action];
const T = ROLES_OF.length;

async function advantagesOf(
  backend: Backend,
  rollouts: readonly Rollout[],
  options: HyperOptions,
): Promise<number[][]> {
  const B = rollouts.length;
  const perToken = (value: (rollout: Rollout, t: number) => number) =>
    f32(
      1,
      rollouts.flatMap((rollout) => ROLES_OF.map((_, t) => value(rollout, t))),
    );
  const t = allocate(backend, {
    roles: u32(
      1,
      rollouts.flatMap(() => ROLES_OF),
    ),
    groupStart: u32(1, [0, B]),
    outcomes: f32(
      1,
      Array.from({ length: B * OUTCOME_COLUMNS }, (_, i) => (i % OUTCOME_COLUMNS === OUTCOME.usable ? 1 : 0)),
    ),
    reward: perToken(({ reward }, at) => (at === T - 1 ? reward : 0)),
    unread: perToken(() => Number.NaN),
    turnAnchor: u32(
      1,
      rollouts.flatMap(({ seen }) => seen),
    ),
    turnPath: u32(
      1,
      rollouts.flatMap(({ path }) => path),
    ),
    hyper: hyperTensor({
      advantageCredit: CHOICES.advantageCredit.indexOf('tree'),
      advantageBaseline: CHOICES.advantageBaseline.indexOf('none'),
      advantageScale: CHOICES.advantageScale.indexOf('none'),
      ...options,
    }),
    advantage: unwritten(1, B * T),
    returns: unwritten(1, B * T),
    group: unwritten(1, GROUP_COLUMNS),
    scratch: unwritten(1, advantageScratch({ trajectories: B, context: T }, TURNS)),
  });
  const batch = {
    ...{ trajectories: B, context: T, groups: 1 },
    ...{ roles: t.u32('roles'), groupStart: t.u32('groupStart'), outcomes: t.f32('outcomes') },
  };
  const unread = t.f32('unread');
  const inputs = {
    ...{ tokenReward: t.f32('reward'), oldLogProb: unread, referenceLogProb: unread, oldValue: unread },
    ...{ sumOfSquares: unread, turnAnchor: t.u32('turnAnchor'), turnPath: t.u32('turnPath'), turns: TURNS },
  };
  const [advantage, returns] = [t.f32('advantage'), t.f32('returns')];
  const score = (ops: Operations): void =>
    ops.advantages(advantage, returns, t.f32('group'), t.f32('scratch'), batch, inputs, t.f32('hyper'));
  const [found, again] = await ran(backend, 1, score, [advantage, returns]);
  expect([...again]).toEqual([...found]);
  return rollouts.map((_, b) => [...found.subarray(b * T, (b + 1) * T)]);
}

/**
 * All begin at node 1. Three do 1 there and come to node 2, one does 2 and comes to node 3. Of the three two do 1 and win,
 * one does 2 and loses; the fourth wins. At node 3 it sees what was seen at node 2.
 */
const ROLLOUTS: readonly Rollout[] = [
  { path: [1, 1, 2, 1], seen: [7, 8], reward: 1 },
  { path: [1, 1, 2, 1], seen: [7, 8], reward: 1 },
  { path: [1, 1, 2, 2], seen: [7, 8], reward: 0 },
  { path: [1, 2, 3, 1], seen: [7, 8], reward: 1 },
];

const row = (first: number, second: number): number[] => [0, first, 0, second];

function expectClose(found: readonly number[][], expected: readonly number[][]): void {
  found.forEach((own, b) => {
    for (const [t, value] of own.entries()) expect(value, `${b}, ${t}`).toBeCloseTo(expected[b]?.[t] as number, 6);
  });
}

describe.each(UNTILED)('$name: credit by the tree', (one) => {
  const backend = backendFor(one);

  test('is the mean return behind an action less that of its node', async () => {
    // V: 3/4 at node 1, 2/3 at node 2, 1 at node 3. Q: 2/3 and 1 at node 1, 1 and 0 at node 2.
    const found = await advantagesOf(backend(), ROLLOUTS, { turnDiscount: 1, treePrior: 0 });
    const [left, right] = [2 / 3 - 3 / 4, 1 - 3 / 4];
    expectClose(found, [row(left, 1 / 3), row(left, 1 / 3), row(left, -2 / 3), row(right, 0)]);
  });

  test('draws the value of a node towards the group’s mean, the more the fewer passed it', async () => {
    // The mean score is 3/4. With two visits of it: node 2 (2 + 1.5)/5 = 0.7, node 3 (1 + 1.5)/3 = 5/6; node 1 stays.
    const found = await advantagesOf(backend(), ROLLOUTS, { turnDiscount: 1, treePrior: 2 });
    const [left, right] = [2 / 3 - 3 / 4, 1 - 3 / 4];
    expectClose(found, [row(left, 0.3), row(left, 0.3), row(left, -0.7), row(right, 1 / 6)]);
  });

  test('discounts a return from turn to turn', async () => {
    // Returns at node 1 are half as large, the group’s mean score is not: V′ there is (1.5 + 1.5)/6 = ½.
    const found = await advantagesOf(backend(), ROLLOUTS, { turnDiscount: 0.5, treePrior: 2 });
    const [left, right] = [1 / 3 - 1 / 2, 1 / 2 - 1 / 2];
    expectClose(found, [row(left, 0.3), row(left, 0.3), row(left, -0.7), row(right, 1 / 6)]);
  });

  test('joins nodes with the same last observation', async () => {
    // Nodes 2 and 3 are one: V 3/4, Q 1 and 0.
    const treeState = CHOICES.treeState.indexOf('observation');
    const found = await advantagesOf(backend(), ROLLOUTS, { turnDiscount: 1, treePrior: 0, treeState });
    const [left, right] = [2 / 3 - 3 / 4, 1 - 3 / 4];
    expectClose(found, [row(left, 1 / 4), row(left, 1 / 4), row(left, -3 / 4), row(right, 1 / 4)]);
  });

  test('counts what a rollout does twice at a node once', async () => {
    // The first does 1 at node 1 twice: only its first return, ½ of 1, counts there. Q of 1: ½; V: (½ + 0)/2.
    const again: readonly Rollout[] = [
      { path: [1, 1, 1, 1], seen: [7, 7], reward: 1 },
      { path: [1, 2, 2, 1], seen: [7, 8], reward: 0 },
    ];
    const found = await advantagesOf(backend(), again, { turnDiscount: 0.5, treePrior: 0 });
    expectClose(found, [row(1 / 4, 1 / 4), row(-1 / 4, 0)]);
  });

  test('is exactly 0 where all rewards are equal and nothing is discounted', async () => {
    const equal = ROLLOUTS.map((one) => ({ ...one, reward: 0.7 }));
    const found = await advantagesOf(backend(), equal, { turnDiscount: 1, treePrior: 2 });
    expect(found.flat().every((value) => value === 0)).toBe(true);
  });
});
