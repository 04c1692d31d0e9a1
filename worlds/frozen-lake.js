/*
 * Frozen lake: cross the ice to the goal, around the holes. It is slippery: a step goes to one of its two sides by chance.
 * Where one comes out is said, so only the slip is left to chance, and the lab computes the exact floor from the dice.
 */
export default {
  title: 'Frozen lake',
  summary: 'Cross the ice to the goal without falling into a hole; steps may slip to one side.',
  settings: {
    size: { default: 4, min: 3, max: 8, help: 'Cells along each side.' },
    holes: { default: 0.2, min: 0, max: 0.4, help: 'Share of the cells that are holes.' },
    slip: {
      default: 0.2,
      min: 0,
      max: 0.9,
      help: 'Chance that a step goes to one of its sides; two thirds is the usual.',
    },
    map: { default: 0, min: 0, max: 9999, help: 'Which lake; all tasks are on the same one.' },
  },
  create({ size, holes, slip, map }) {
    const count = size * size;
    const names = Array.from({ length: count }, (_, cell) => 'abcdefgh'[cell % size] + (1 + Math.floor(cell / size)));
    const moves = ['up', 'right', 'down', 'left'];
    const to = (cell, move) => {
      const x = (cell % size) + [0, 1, 0, -1][move];
      const y = Math.floor(cell / size) + [-1, 0, 1, 0][move];
      return x < 0 || y < 0 || x >= size || y >= size ? cell : y * size + x;
    };
    /** Steps from each cell to the goal, Infinity where there is no way on the ice. */
    const distances = (goal, isHole) => {
      const steps = new Array(count).fill(Infinity);
      steps[goal] = 0;
      for (const queue = [goal]; queue.length > 0; ) {
        const cell = queue.shift();
        for (let move = 0; move < 4; move++) {
          const next = to(cell, move);
          if (isHole[next] || steps[next] < Infinity) continue;
          steps[next] = steps[cell] + 1;
          queue.push(next);
        }
      }
      return steps;
    };
    // The lake is made from its number, by a little generator of its own, until most of its ice hangs together.
    let seed = map + 1;
    const next = () => {
      seed = (Math.imul(seed, 48271) >>> 0) % 2147483647;
      return seed / 2147483647;
    };
    const goal = count - 1;
    let isHole;
    do {
      isHole = names.map((_, cell) => cell !== goal && next() < holes);
    } while (distances(goal, isHole).filter(Number.isFinite).length < count * (1 - holes) * 0.7);
    const steps = distances(goal, isHole);
    const starts = names.flatMap((_, cell) => (steps[cell] >= 2 && steps[cell] < Infinity ? [cell] : []));
    const horizon = 6 * size;

    /** Best chance to arrive from each cell with so many turns left. */
    const chances = [steps.map((_, cell) => (cell === goal ? 1 : 0))];
    const value = (cell, move, after) =>
      (1 - slip) * after[to(cell, move)] +
      (slip / 2) * (after[to(cell, (move + 1) % 4)] + after[to(cell, (move + 3) % 4)]);
    for (let turn = 1; turn <= horizon; turn++) {
      const after = chances[turn - 1];
      chances.push(
        names.map((_, cell) => {
          if (cell === goal || isHole[cell]) return after[cell];
          // A little impatience: of two ways that are as safe, the shorter.
          return 0.999999 * Math.max(...moves.map((__, move) => value(cell, move, after)));
        }),
      );
    }
    return {
      words: [...names, 'splash'],
      actions: moves,
      maxTurns: horizon,
      longest: { prompt: 1, answer: 1 },
      heldOut: 0,
      told: true,
      task: (random) => ({ start: random.pick(starts) }),
      start: ({ start }) => ({ state: { at: start, turn: 0 }, say: names[start] }),
      step({ at, turn }, action, random) {
        const way = moves.indexOf(action);
        const slipped = random.weighted([1 - slip, slip / 2, slip / 2]);
        const cell = to(at, (way + [0, 1, 3][slipped]) % 4);
        const state = { at: cell, turn: turn + 1 };
        if (isHole[cell]) return { state, say: 'splash', done: true };
        return { state, say: names[cell], success: cell === goal };
      },
      progress: ({ at }) => (isHole[at] ? 0 : 1 - Math.min(1, steps[at] / (2 * size))),
      expert({ at, turn }) {
        const after = chances[Math.max(0, horizon - turn - 1)];
        const values = moves.map((_, move) => value(at, move, after));
        return moves[values.indexOf(Math.max(...values))];
      },
      draw: ({ at }) => ({
        kind: 'board',
        width: size,
        height: size,
        cells: names.map((_, cell) => (cell === goal ? 'goal' : isHole[cell] ? 'hole' : 'ice')),
        agent: [at % size, Math.floor(at / size)],
      }),
    };
  },
};
