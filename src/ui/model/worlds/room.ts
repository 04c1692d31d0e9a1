/** Room that a world needs on the screen: text needs more than a board. */
import type { Exhibit } from '../../../environments/environment';
import type { Scene } from '../../../environments/scene';

export type Room = 'board' | 'page';

const PAGES: readonly Scene['kind'][] = ['shop', 'story', 'terminal', 'drawing'];

/** Arms in a row at most, and pixels each needs at least. */
const ROOMS: Readonly<Record<Room, { most: number; narrowest: number }>> = {
  board: { most: 4, narrowest: 120 },
  page: { most: 3, narrowest: 232 },
};

/** A mixture takes the room of its largest world, and a world that is not played yet as much as it may need. */
export const roomOf = (shown: Pick<Exhibit, 'kinds'> | null): Room =>
  shown === null || shown.kinds.some((kind) => PAGES.includes(kind)) ? 'page' : 'board';

/** Columns of equal rows as far as can be: four arms that do not fit into one row are two rows of two. */
export function columnsOf(arms: number, room: Room): { columns: number; narrowest: number } {
  const { most, narrowest } = ROOMS[room];
  return { columns: Math.ceil(arms / Math.ceil(arms / most)), narrowest };
}
