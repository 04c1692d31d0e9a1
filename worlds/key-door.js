/*
 * Two rooms, a wall with a locked door between them, a key in the first room and a goal in the second. Every map comes from
 * a generator, and those of the examination are never trained on: what works there is no map learned by heart. The agent
 * sees what lies in the four directions, how far, and what it carries.
 */
export default {
  title: 'Key, door and unseen maps',
  summary: 'Fetch the key, open the door, reach the goal, on a map never seen before.',
  settings: {
    width: { default: 5, min: 5, max: 9, help: 'Cells across, the wall between the rooms included.' },
    height: { default: 4, min: 3, max: 7, help: 'Cells down.' },
    blocks: { default: 2, min: 0, max: 6, help: 'Blocks in the way at most; none ever closes it.' },
    turns: { default: 24, min: 12, max: 60, help: 'Turns of an episode.' },
  },
  create({ width, height, blocks, turns }) {
    const count = width * height;
    const moves = ['up', 'right', 'down', 'left'];
    const far = Math.max(width, height);
    const things = ['wall', 'key', 'door', 'goal'];
    const ahead = (cell, move) => {
      const x = (cell % width) + [0, 1, 0, -1][move];
      const y = Math.floor(cell / width) + [-1, 0, 1, 0][move];
      return x < 0 || y < 0 || x >= width || y >= height ? -1 : y * width + x;
    };
    /** Thing on a cell; null for floor. The edge of the map is wall. */
    const thingOn = ({ walls, key, door, goal }, cell, carries, isOpen) => {
      if (cell < 0 || walls.includes(cell)) return 'wall';
      if (cell === key && !carries) return 'key';
      if (cell === door && !isOpen) return 'door';
      return cell === goal ? 'goal' : null;
    };
    /** What is seen: for each direction the first thing, and its distance. */
    const view = ({ map, at, carries, isOpen }) =>
      moves.flatMap((_, move) => {
        let cell = ahead(at, move);
        let steps = 1;
        while (thingOn(map, cell, carries, isOpen) === null) {
          cell = ahead(cell, move);
          steps++;
        }
        return [`${thingOn(map, cell, carries, isOpen)}-${steps}`];
      });
    const after = (state, move) => {
      const { map, at, carries, isOpen } = state;
      const cell = ahead(at, move);
      const thing = thingOn(map, cell, carries, isOpen);
      if (thing === 'wall' || (thing === 'door' && !carries)) return state;
      return { map, at: cell, carries: carries || thing === 'key', isOpen: isOpen || thing === 'door' };
    };
    const keyOf = ({ at, carries, isOpen }) => (at * 2 + (carries ? 1 : 0)) * 2 + (isOpen ? 1 : 0);
    /** Moves of a shortest way to the goal; null where there is none. */
    const plan = (start) => {
      const seen = new Map([[keyOf(start), null]]);
      const queue = [start];
      for (let i = 0; i < queue.length; i++) {
        for (let move = 0; move < 4; move++) {
          const next = after(queue[i], move);
          if (seen.has(keyOf(next))) continue;
          seen.set(keyOf(next), { from: queue[i], move });
          if (next.at === start.map.goal) {
            const way = [];
            for (let step = seen.get(keyOf(next)); step !== null; step = seen.get(keyOf(step.from)))
              way.unshift(step.move);
            return way;
          }
          queue.push(next);
        }
      }
      return null;
    };
    const begin = (map) => ({ map, at: map.start, carries: false, isOpen: false });
    return {
      words: [
        ...things.flatMap((thing) => Array.from({ length: far }, (_, i) => `${thing}-${i + 1}`)),
        'empty',
        'carrying',
      ],
      actions: moves,
      maxTurns: turns,
      longest: { prompt: 5, answer: 5 },
      heldOut: 0.3,
      // Maps of the examination differ in their walls, not only in where one begins.
      apart: ({ walls, door }) => [door, [...walls].sort((a, b) => a - b)],
      task(random) {
        for (;;) {
          const wall = 2 + random.below(width - 4);
          const door = random.below(height) * width + wall;
          const walls = [];
          for (let y = 0; y < height; y++) if (y * width + wall !== door) walls.push(y * width + wall);
          const side = (isLeft) => {
            const cells = Array.from({ length: count }, (_, cell) => cell);
            return random.shuffle(cells.filter((cell) => (isLeft ? cell % width < wall : cell % width > wall)));
          };
          const [start, key, ...left] = side(true);
          const [goal, ...right] = side(false);
          walls.push(...random.shuffle([...left, ...right]).slice(0, random.below(blocks + 1)));
          const map = { start, key, door, goal, walls };
          const way = plan(begin(map));
          if (way !== null && way.length <= turns / 2) return map;
        }
      },
      start: (map) => ({ state: begin(map), say: [...view(begin(map)), 'empty'] }),
      step(state, action) {
        const next = after(state, moves.indexOf(action));
        const success = next.at === next.map.goal;
        return { state: next, say: [...view(next), next.carries ? 'carrying' : 'empty'], success };
      },
      progress: (state) => 1 - Math.min(1, (plan(state)?.length ?? 0) / (turns / 2)),
      expert: (state) => moves[plan(state)[0]],
      draw: ({ map, at, carries, isOpen }) => ({
        kind: 'board',
        width,
        height,
        cells: Array.from({ length: count }, (_, cell) => {
          if (cell === map.door) return isOpen ? 'open-door' : 'door';
          return thingOn(map, cell, carries, isOpen) ?? 'floor';
        }),
        agent: [at % width, Math.floor(at / width)],
        carrying: carries ? 'key' : null,
      }),
    };
  },
};
