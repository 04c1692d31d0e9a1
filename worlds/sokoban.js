/*
 * Sokoban: push a box onto its target. Levels come from a generator that pulls the box away from the target, so each can be
 * solved; a box in a corner cannot be moved again. All of the board is told, and nothing is left to chance.
 */
export default {
  title: 'Sokoban',
  summary: 'Push the box onto its target; it cannot be pulled.',
  settings: {
    size: { default: 5, min: 4, max: 7, help: 'Cells along each side; the border is wall.' },
    pulls: { default: 6, min: 1, max: 20, help: 'Random steps by which a level is made: more are harder levels.' },
    blocks: { default: 1, min: 0, max: 4, help: 'Blocks of wall inside.' },
    turns: { default: 16, min: 4, max: 60, help: 'Turns of an episode.' },
  },
  create({ size, pulls, blocks, turns }) {
    const count = size * size;
    const names = Array.from({ length: count }, (_, cell) => 'abcdefg'[cell % size] + (1 + Math.floor(cell / size)));
    const moves = ['up', 'right', 'down', 'left'];
    const to = (cell, move) => {
      const x = (cell % size) + [0, 1, 0, -1][move];
      const y = Math.floor(cell / size) + [-1, 0, 1, 0][move];
      return x < 0 || y < 0 || x >= size || y >= size ? -1 : y * size + x;
    };
    const isFree = (walls, cell) => cell >= 0 && !walls.includes(cell);
    /** Agent and box after a move; the same where it is blocked. */
    const after = ({ walls, target, agent, box }, move) => {
      const cell = to(agent, move);
      const same = { walls, target, agent, box };
      if (!isFree(walls, cell)) return same;
      if (cell !== box) return { ...same, agent: cell };
      const pushed = to(box, move);
      return isFree(walls, pushed) ? { walls, target, agent: cell, box: pushed } : same;
    };
    const plan = (start) => {
      const seen = new Map([[start.agent * count + start.box, null]]);
      const queue = [start];
      for (let i = 0; i < queue.length; i++) {
        for (let move = 0; move < 4; move++) {
          const next = after(queue[i], move);
          const key = next.agent * count + next.box;
          if (seen.has(key)) continue;
          seen.set(key, { from: queue[i], move });
          if (next.box === start.target) {
            const way = [];
            let step = seen.get(key);
            while (step !== null) {
              way.unshift(step.move);
              step = seen.get(step.from.agent * count + step.from.box);
            }
            return way;
          }
          queue.push(next);
        }
      }
      return null;
    };
    const tell = ({ agent, box }) => ['at', names[agent], 'box', names[box]];
    return {
      words: ['at', 'box', 'target', 'walls', ...names],
      actions: moves,
      maxTurns: turns,
      longest: { prompt: 2 + 1 + blocks + 4, answer: 4 },
      heldOut: 0.2,
      told: true,
      task(random) {
        for (;;) {
          const cells = random.shuffle(names.map((_, cell) => cell));
          const walls = cells.slice(0, blocks).sort((a, b) => a - b);
          let [box, agent] = cells.slice(blocks);
          const target = box;
          for (let step = 0; step < pulls; step++) {
            const move = random.below(4);
            const back = to(agent, (move + 2) % 4);
            if (!isFree(walls, back) || back === box) continue;
            // The box follows where it stands before the agent.
            if (to(agent, move) === box && random.chance(0.75)) box = agent;
            agent = back;
          }
          const task = { walls, target, agent, box };
          if (box === target) continue;
          const way = plan(task);
          if (way !== null && way.length <= turns / 2) return task;
        }
      },
      start: (task) => ({
        state: task,
        say: ['target', names[task.target], 'walls', ...task.walls.map((cell) => names[cell]), ...tell(task)],
      }),
      step(state, action) {
        const next = after(state, moves.indexOf(action));
        return { state: next, say: tell(next), success: next.box === next.target };
      },
      expert(state) {
        const way = plan(state);
        return moves[way === null ? 0 : way[0]];
      },
      draw: ({ walls, target, agent, box }) => ({
        kind: 'board',
        width: size,
        height: size,
        cells: names.map((_, cell) => (walls.includes(cell) ? 'wall' : cell === target ? 'target' : 'floor')),
        agent: [agent % size, Math.floor(agent / size)],
        boxes: [[box % size, Math.floor(box / size)]],
      }),
    };
  },
};
