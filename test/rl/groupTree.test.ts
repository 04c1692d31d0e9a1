/** The group as a tree: what is drawn of rollouts worked out by hand, and that its nodes are those that credit compares. */
import { describe, expect, test } from 'vitest';
import { groupTree } from '../../src/rl/look/groupTree';
import { Trajectories } from '../../src/rl/play/trajectories';
import { TURN_PATH, TURN_PATH_COLUMNS } from '../../src/tensor/operations/advantage';

const PROMPT = 9;
const MAX_TURNS = 4;

/** Turns, each an action and what the world answered; a third word is a thought before the action. */
type Turn = readonly [action: number, said: number, thought?: number];

function played(rollouts: readonly (readonly Turn[])[]): Trajectories {
  const trajectories = new Trajectories(1, rollouts.length, 16, MAX_TURNS);
  for (const [i, turns] of rollouts.entries()) {
    trajectories.appendSaid(i, PROMPT, 'prompt');
    for (const [action, said, thought] of turns) {
      const anchor = trajectories.anchorOf(i);
      if (thought !== undefined) trajectories.appendDrawn(i, thought, 0, 0, 'thought');
      trajectories.appendDrawn(i, action, 0, 0);
      const actionEnd = trajectories.lengths[i] as number;
      trajectories.appendSaid(i, said, 'observation');
      trajectories.endTurn(i, actionEnd, 0, anchor);
    }
  }
  return trajectories;
}

const ROLLOUTS: readonly (readonly Turn[])[] = [
  [
    [1, 5],
    [1, 6],
    [2, 7],
  ],
  [
    [1, 5, 8],
    [1, 6],
    [3, 7],
  ],
  [
    [1, 5],
    [1, 6],
  ],
  [
    [2, 5],
    [1, 6],
  ],
];

describe('the group as a tree', () => {
  test('joins what rollouts share and parts where they differ or end', () => {
    const branch = ({ parent, from, turns, tokens, rollouts, ends }: ReturnType<typeof groupTree>[number]) => ({
      ...{ parent, from, turns, tokens, rollouts, ends },
    });
    expect(groupTree(played(ROLLOUTS), 0, 4).map(branch)).toEqual([
      { parent: -1, from: 0, turns: 0, tokens: [PROMPT], rollouts: [0, 1, 2, 3], ends: [] },
      { parent: 0, from: 0, turns: 2, tokens: [1, 5, 1, 6], rollouts: [0, 1, 2], ends: [2] },
      { parent: 1, from: 2, turns: 1, tokens: [2, 7], rollouts: [0], ends: [0] },
      { parent: 1, from: 2, turns: 1, tokens: [3, 7], rollouts: [1], ends: [1] },
      { parent: 0, from: 0, turns: 2, tokens: [2, 5, 1, 6], rollouts: [3], ends: [3] },
    ]);
  });

  test('of a group that never parts is one branch', () => {
    const same: readonly Turn[] = [
      [1, 5],
      [2, 6],
    ];
    const [only, ...more] = groupTree(played([same, same]), 0, 2);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ parent: -1, turns: 2, tokens: [PROMPT, 1, 5, 2, 6], ends: [0, 1] });
  });

  test('of another group has its rollouts alone', () => {
    expect(groupTree(played(ROLLOUTS), 2, 2).map(({ rollouts }) => rollouts)).toEqual([[0, 1], [0], [1]]);
  });
});

describe('the paths that credit compares', () => {
  const { turnPath } = played(ROLLOUTS);
  const path = (rollout: number, turn: number, column: keyof typeof TURN_PATH): number =>
    turnPath[(rollout * MAX_TURNS + turn) * TURN_PATH_COLUMNS + TURN_PATH[column]] as number;

  test('are equal while rollouts stay together, whatever they thought', () => {
    for (const turn of [0, 1]) expect(path(1, turn, 'history')).toBe(path(0, turn, 'history'));
    expect(path(1, 2, 'history')).toBe(path(0, 2, 'history'));
    expect(path(1, 1, 'action')).toBe(path(0, 1, 'action'));
  });

  test('differ once they part, also where the same is seen and done again', () => {
    expect(path(3, 0, 'history')).toBe(path(0, 0, 'history'));
    expect(path(3, 0, 'action')).not.toBe(path(0, 0, 'action'));
    expect(path(3, 1, 'history')).not.toBe(path(0, 1, 'history'));
    expect(path(3, 1, 'action')).toBe(path(0, 1, 'action'));
    expect(path(0, 2, 'action')).not.toBe(path(1, 2, 'action'));
  });

  test('of an emptied trajectory begin anew', () => {
    const again = played(ROLLOUTS);
    const before = again.turnPath.slice();
    again.clear();
    expect(again.turnPath.every((number) => number === 0)).toBe(true);
    again.appendSaid(0, PROMPT, 'prompt');
    again.appendDrawn(0, 1, 0, 0);
    again.endTurn(0, 2, 0, 0);
    expect(again.turnPath.slice(0, TURN_PATH_COLUMNS)).toEqual(before.slice(0, TURN_PATH_COLUMNS));
  });
});
