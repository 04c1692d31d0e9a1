/*
 * Sums with a calculator that has to be told what to work out. A call such as `calc 7 + 5` is put together freely, so it can be
 * wrong in form or ask for another sum; sums of three numbers take two calls, or one's own arithmetic. The calculator may be
 * out of order for a whole episode, unannounced.
 */
export default {
  title: 'Calculator with arguments',
  summary: 'Answer a sum, with a calculator that works out what it is told to, if it works.',
  settings: {
    operations: { default: 'add-subtract', choices: ['add', 'add-subtract', 'all'], help: 'Signs that occur.' },
    operands: { default: 3, min: 2, max: 3, help: 'Numbers in a sum.' },
    largest: { default: 6, min: 1, max: 20, help: 'The largest of them.' },
    call: {
      default: 'arguments',
      choices: ['arguments', 'question'],
      help: 'Arguments: a call names a sum of two numbers. Question: it is one word, and what was asked is worked out.',
    },
    failure: { default: 0, min: 0, max: 0.95, help: 'Share of the episodes in which the calculator is out of order.' },
    turns: { default: 4, min: 1, max: 6, help: 'Calls and answer together.' },
  },
  create({ operations, operands, largest, call, failure, turns }) {
    const signs = ['+', '-', '*'].slice(0, { add: 1, 'add-subtract': 2, all: 3 }[operations]);
    const highest = Math.min(199, operations === 'all' ? largest ** operands : largest * operands);
    const numbers = Array.from({ length: highest + 1 }, (_, i) => String(i));
    const apply = (a, sign, b) => (sign === '+' ? a + b : sign === '-' ? a - b : a * b);
    const isNumber = (value) => value >= 0 && value <= highest;
    /** Calls that lead to the answer, multiplication first. */
    const plan = ([a, first, b, second, c]) => {
      if (second === undefined) return [[a, first, b]];
      if (second === '*')
        return [
          [b, second, c],
          [a, first, b * c],
        ];
      return [
        [a, first, b],
        [apply(a, first, b), second, c],
      ];
    };
    const answerTo = (sum) => apply(...plan(sum).at(-1));
    const coin = [failure, 1 - failure].reduce((nats, p) => (p > 0 ? nats - p * Math.log(p) : nats), 0);
    return {
      words: ['sum', 'err', 'form', 'range', ...signs, ...numbers],
      actions: call === 'question' ? ['calc', ...numbers] : { words: ['calc', ...signs, ...numbers], most: 4 },
      tools: ['calc'],
      maxTurns: turns,
      longest: { prompt: 2 * operands, answer: 1 },
      task(random) {
        for (;;) {
          const sum = [random.below(largest + 1)];
          while (sum.length < 2 * operands - 1) sum.push(random.pick(signs), random.below(largest + 1));
          if (plan(sum).every((one) => isNumber(apply(...one)))) return { sum, down: random.chance(failure) };
        }
      },
      // Whether it works is no part of a question that is held out.
      apart: ({ sum }) => sum,
      start: ({ sum, down }) => ({
        state: { sum, down, tried: false, told: [], left: turns },
        say: ['sum', ...sum.map(String)],
      }),
      step(state, action) {
        const said = typeof action === 'string' ? [action] : action;
        const next = { ...state, left: state.left - 1 };
        if (said.length === 1 && numbers.includes(said[0]))
          return { state: next, done: true, success: Number(said[0]) === answerTo(state.sum), floor: 0 };
        const [a, sign, b] = call === 'question' ? plan(state.sum).at(-1) : said.slice(1);
        const isForm =
          said[0] === 'calc' && signs.includes(sign) && ![a, b].some((one) => !numbers.includes(String(one)));
        if (!isForm || (call === 'arguments' && said.length !== 4)) return { state: next, warn: 'form', floor: 0 };
        // Only the first call tells something new: whether it works.
        const floor = state.tried ? 0 : coin;
        next.tried = true;
        if (state.down) return { state: next, say: 'err', floor };
        const value = apply(Number(a), sign, Number(b));
        if (!isNumber(value)) return { state: next, say: 'range', floor };
        return { state: { ...next, told: [...state.told, value] }, say: String(value), floor };
      },
      expert({ sum, down, tried, told, left }) {
        const calls = call === 'question' ? plan(sum).slice(-1) : plan(sum);
        const isHopeless = (down && tried) || left === 1 || told.length === calls.length;
        if (isHopeless) return [String(answerTo(sum))];
        return call === 'question' ? ['calc'] : ['calc', ...calls[told.length].map(String)];
      },
      answer: ({ sum }) => String(answerTo(sum)),
      draw: ({ sum, tried, down, told }) => ({
        kind: 'text',
        lines: [
          `${sum.join(' ')} = ?`,
          ...told.map((value) => ({ text: `calculator: ${value}`, tone: 'soft' })),
          ...(tried && down ? [{ text: 'out of order', tone: 'bad' }] : []),
          { text: String(answerTo(sum)), tone: 'good' },
        ],
      }),
    };
  },
};
