// A walk to the right end of a line; a step may slip. Change it, and see.
export default {
  title: 'Walk',
  summary: 'Reach the right end of a line on which steps may slip.',
  // Each becomes a control and a part of the link.
  settings: {
    length: { default: 6, min: 3, max: 20, help: 'Cells of the line.' },
    slip: { default: 0.1, min: 0, max: 0.5, help: 'Chance that a step goes the other way.' },
  },
  create({ length, slip }) {
    return {
      // Every word that the world may say, and those that the agent may say.
      words: Array.from({ length }, (_, i) => `c${i}`),
      actions: ['left', 'right'],
      // Turns of an episode, and the most words of the prompt and of an answer.
      maxTurns: 12,
      longest: { prompt: 1, answer: 1 },
      // Share of the tasks that training never sees; with few tasks, 0.
      heldOut: 0,
      // The words tell the whole state: the lab works out the floor from the dice.
      told: true,
      task: (random) => ({ from: random.below(length - 1) }),
      start: ({ from }) => ({ state: { at: from }, say: `c${from}` }),
      step({ at }, action, random) {
        const way = (action === 'right') !== random.chance(slip) ? 1 : -1;
        const next = Math.min(length - 1, Math.max(0, at + way));
        // A success ends the episode; `done: true` ends it without one.
        return { state: { at: next }, say: `c${next}`, success: next === length - 1 };
      },
      expert: () => 'right',
      draw: ({ at }) => ({
        kind: 'board',
        width: length,
        height: 1,
        cells: Array.from({ length }, (_, i) => (i === length - 1 ? 'goal' : 'floor')),
        agent: [at, 0],
      }),
    };
  },
};
