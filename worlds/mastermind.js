/*
 * Mastermind: guess a hidden code; the answer counts pegs that are right, and colours that are right but elsewhere. To
 * predict an answer one has to infer which codes are still possible, so its floor is known exactly: count them.
 */
export default {
  title: 'Mastermind',
  summary: 'Find a hidden code from how many pegs of each guess are right, or right but elsewhere.',
  settings: {
    pegs: { default: 3, min: 2, max: 4, help: 'Pegs of the code.' },
    colours: { default: 4, min: 2, max: 6, help: 'Colours that a peg can have.' },
    guesses: { default: 5, min: 1, max: 10, help: 'Guesses of an episode.' },
  },
  create({ pegs, colours, guesses }) {
    const names = ['red', 'blue', 'green', 'white', 'black', 'gold'].slice(0, colours);
    let codes = [[]];
    for (let peg = 0; peg < pegs; peg++) codes = codes.flatMap((code) => names.map((name) => [...code, name]));

    /** `2 1`: two pegs right, one colour right but elsewhere. */
    const answerOf = (code, guess) => {
      let right = 0;
      let common = 0;
      for (let peg = 0; peg < pegs; peg++) if (code[peg] === guess[peg]) right++;
      for (const name of names) {
        const times = (list) => list.filter((one) => one === name).length;
        common += Math.min(times(code), times(guess));
      }
      return [`right-${right}`, `elsewhere-${common - right}`];
    };
    /** An answer as a text, worked out once for each code and guess. */
    const known = new Map();
    const answerAsText = (code, guess) => {
      const key = code.join() + guess.join();
      if (!known.has(key)) known.set(key, answerOf(code, guess).join());
      return known.get(key);
    };
    /** Codes that would have given these answers to these guesses. */
    const possible = (asked) =>
      codes.filter((code) => asked.every(([guess, answer]) => answerAsText(code, guess) === answer));
    const counts = Array.from({ length: pegs + 1 }, (_, i) => i);
    return {
      words: ['guess', 'short', ...counts.map((i) => `right-${i}`), ...counts.map((i) => `elsewhere-${i}`)],
      actions: { words: names, most: pegs },
      maxTurns: guesses,
      longest: { prompt: 1, answer: 2 },
      // All codes are played: a predictor that knew of codes held out could do better than the floor.
      heldOut: 0,
      task: (random) => ({ code: random.pick(codes) }),
      start: ({ code }) => ({ state: { code, asked: [] }, say: 'guess' }),
      step({ code, asked }, guess) {
        if (guess.length !== pegs) return { state: { code, asked }, warn: 'short', floor: 0 };
        const answer = answerOf(code, guess);
        // Every code that fits so far is as likely as the next; the entropy is that of the answer they would give.
        const answers = new Map();
        const left = possible(asked);
        for (const one of left) {
          const key = answerAsText(one, guess);
          answers.set(key, (answers.get(key) ?? 0) + 1);
        }
        let floor = 0;
        for (const times of answers.values()) floor -= (times / left.length) * Math.log(times / left.length);
        const state = { code, asked: [...asked, [guess, answer.join()]] };
        return { state, say: answer, success: answer[0] === `right-${pegs}`, floor: Math.max(0, floor) };
      },
      // The first code that is still possible.
      expert: ({ asked }) => possible(asked)[0],
      answer: ({ code }) => code,
      draw: ({ code, asked }) => ({
        kind: 'table',
        head: ['guess', 'answer'],
        rows: [...asked.map(([guess, answer]) => [guess.join(' '), answer]), [code.join(' '), 'the code']],
      }),
    };
  },
};
