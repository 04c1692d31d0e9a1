/** Picture of a gridworld's present board, without what the agent did. */
import type { BoardScene } from '../scene';
import { DOOR_OPEN, FLOOR, type GridLayout, HOLE, KEY_HELD, KEY_LIES, type Rules, WALL } from './rules';

export function boardOf(
  rules: Rules,
  layout: GridLayout,
  state: number,
  isSlippery: boolean,
): Omit<BoardScene, 'controls' | 'action'> {
  const place = (cell: number): readonly [number, number] => [cell % rules.size, Math.floor(cell / rules.size)];
  const door = rules.hasDoor ? rules.doorOf(state) : DOOR_OPEN;
  const look = (kind: number, cell: number): BoardScene['cells'][number] => {
    if (kind === WALL) return 'wall';
    if (kind === HOLE) return 'hole';
    if (cell === layout.goal || cell === layout.secondTarget) return rules.boxes > 0 ? 'target' : 'goal';
    if (cell === layout.key && door === KEY_LIES) return 'key';
    if (cell === layout.door) return door === DOOR_OPEN ? 'open-door' : 'door';
    return isSlippery && kind === FLOOR ? 'ice' : 'floor';
  };
  return {
    kind: 'board',
    width: rules.size,
    height: rules.size,
    cells: Array.from(layout.floor, look),
    agent: place(rules.agentOf(state)),
    boxes: Array.from({ length: rules.boxes }, (_, box) => place(rules.boxOf(state, box))),
    carrying: door === KEY_HELD ? 'key' : null,
  };
}
