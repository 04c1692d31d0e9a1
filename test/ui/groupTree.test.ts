/** The drawing of a group's tree: rows, rates, the worth of a step, and where keys lead, of a small tree by hand. */
import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import type { Inspection } from '../../src/train/looks/shown';
import { doneOn, numberOf, saidOf, turnsOn } from '../../src/ui/places/understand/why/tree/branchWords';
import { drawTree, treeStep } from '../../src/ui/places/understand/why/tree/drawn';

const words = ['go', 'up', 'left', 'wall'];
const [prompt, action, observation] = [ROLE.prompt, ROLE.action, ROLE.observation];

/** Four rollouts: one goes left at once; of the three that go up twice one ends there and two part again. */
const tree: Inspection['tree'] = [
  { parent: -1, from: 0, turns: 0, tokens: [0], roles: [prompt], rollouts: [0, 1, 2, 3], ends: [] },
  {
    ...{ parent: 0, from: 0, turns: 2, tokens: [1, 3, 1, 3], roles: [action, observation, action, observation] },
    ...{ rollouts: [0, 1, 2], ends: [2] },
  },
  { parent: 1, from: 2, turns: 1, tokens: [1, 3], roles: [action, observation], rollouts: [0], ends: [0] },
  { parent: 1, from: 2, turns: 1, tokens: [2, 3], roles: [action, observation], rollouts: [1], ends: [1] },
  { parent: 0, from: 0, turns: 1, tokens: [2, 3], roles: [action, observation], rollouts: [3], ends: [3] },
];
const drawn = drawTree({ tree, rewards: Float32Array.of(1, 0.5, 0, 0.5), successes: Uint8Array.of(1, 1, 0, 0) });

describe('the drawn tree', () => {
  test('has a row for each branch that ends, and forks between their own', () => {
    expect(drawn.map(({ level, row }) => [level, row])).toEqual([
      [0, 1.25],
      [1, 0.5],
      [2, 0],
      [2, 1],
      [1, 2],
    ]);
  });

  test('knows of each branch how many succeed, and what its way was worth', () => {
    expect(drawn.map(({ success }) => success)).toEqual([0.5, expect.closeTo(2 / 3, 9), 1, 1, 0]);
    expect(drawn.map(({ reward }) => reward)).toEqual([0.5, 0.5, 1, 0.5, 0.5]);
    expect(drawn.map(({ step }) => step)).toEqual([Number.NaN, 0, 0.5, 0, 0]);
    expect(drawn.map(({ ends }) => ends)).toEqual([0, 1, 1, 1, 1]);
  });

  test('is walked by keys: along branches, and up and down a column', () => {
    const walk = (...keys: string[]) => {
      let at = 0;
      return keys.map((key) => {
        const to = treeStep(key, drawn, at);
        at = to ?? at;
        return to;
      });
    };
    expect(walk('ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft')).toEqual([1, 2, 3, null, 1]);
    expect(walk('ArrowLeft', 'End', 'ArrowUp', 'Home', 'Tab')).toEqual([null, 4, 1, 0, null]);
  });

  test('says what is done on a branch, when, and how it went', () => {
    expect(tree.map((branch) => doneOn(branch, words, 1))).toEqual(['start', '↑ …', '↑', '←', '←']);
    expect(tree.map(turnsOn)).toEqual(['before the first turn', 'turns 1 to 2', 'turn 3', 'turn 3', 'turn 1']);
    expect(tree.map((_, at) => numberOf(drawn, at))).toEqual(['1', '1.1', '1.1.1', '1.1.2', '1.2']);
    const [, up] = drawn;
    if (up === undefined || tree[1] === undefined) throw new Error('There is no such branch.');
    expect(saidOf(up, tree[1])).toBe(', turns 1 to 2: 3 rollouts, 67% succeed, 1 end here');
  });
});
