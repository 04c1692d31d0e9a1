/** How much room a world needs on the screen: text needs more than a board. */
import type { Environment, Scene } from '../../../environments/environment';
import { sceneKinds } from '../../../environments/exhibit';

type Room = 'board' | 'page';

const PAGES: readonly Scene['kind'][] = ['shop', 'terminal', 'drawing'];

/** Arms in a row at most, and pixels each needs at least. */
const ROOMS: Readonly<Record<Room, { most: number; narrowest: number }>> = {
  board: { most: 4, narrowest: 120 },
  page: { most: 3, narrowest: 232 },
};

const known = new WeakMap<Environment, Room>();

/** A mixture takes the room of its largest world. */
export function roomOf(environment: Environment): Room {
  const room =
    known.get(environment) ?? (sceneKinds(environment).some((kind) => PAGES.includes(kind)) ? 'page' : 'board');
  known.set(environment, room);
  return room;
}

/** Rows as equal as can be: four arms that do not fit into one row stand in two rows of two. */
export function columnsOf(arms: number, environment: Environment): { columns: number; narrowest: number } {
  const { most, narrowest } = ROOMS[roomOf(environment)];
  return { columns: Math.ceil(arms / Math.ceil(arms / most)), narrowest };
}
