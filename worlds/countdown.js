/*
 * Countdown: make the target from the numbers, one operation at a time. An operation is three words, such as `6 - 2`, put
 * together freely: it can be wrong in form, or use a number that is not there, and is then complained about.
 */
export default {
  title: 'Countdown',
  summary: 'Make the target from the given numbers by adding, subtracting and multiplying.',
  settings: {
    numbers: { default: 3, min: 2, max: 4, help: 'Numbers given.' },
    largest: { default: 6, min: 3, max: 9, help: 'The largest number given.' },
    highest: {
      default: 40,
      min: 10,
      max: 99,
      help: 'The highest number that may come up; what is above does not count.',
    },
    spare: { default: 2, min: 0, max: 4, help: 'Turns beyond those that are needed.' },
  },
  create({ numbers, largest, highest, spare }) {
    const symbols = ['+', '-', '*'];
    const apply = (a, symbol, b) => (symbol === '+' ? a + b : symbol === '-' ? a - b : a * b);
    const words = Array.from({ length: highest + 1 }, (_, i) => String(i));
    const isNumber = (value) => value >= 0 && value <= highest;
    /** The numbers without one `a` and one `b`; null where they are not there. */
    const without = (have, a, b) => {
      const left = [...have];
      for (const one of [a, b]) {
        const at = left.indexOf(one);
        if (at < 0) return null;
        left.splice(at, 1);
      }
      return left;
    };
    /** Operations that lead from the numbers to the target; null where none do. */
    const plan = (have, target) => {
      if (have.includes(target)) return [];
      for (let i = 0; i < have.length; i++) {
        for (let j = 0; j < have.length; j++) {
          if (i === j) continue;
          for (const symbol of symbols) {
            const value = apply(have[i], symbol, have[j]);
            if (!isNumber(value)) continue;
            const rest = plan([...without(have, have[i], have[j]), value], target);
            if (rest !== null) return [[have[i], symbol, have[j]].map(String), ...rest];
          }
        }
      }
      return null;
    };
    return {
      words: ['make', 'from', 'have', 'form', 'missing', 'range', ...words],
      actions: { words: [...symbols, ...words], most: 3 },
      maxTurns: numbers - 1 + spare,
      longest: { prompt: 3 + numbers, answer: 1 + numbers },
      heldOut: 0.2,
      told: true,
      task(random) {
        for (;;) {
          const have = Array.from({ length: numbers }, () => 1 + random.below(largest)).sort((a, b) => a - b);
          // The target comes from using all numbers once, in some order.
          const order = random.shuffle(have);
          let target = order[0];
          for (const next of order.slice(1)) target = apply(target, random.pick(symbols), next);
          if (isNumber(target) && !have.includes(target) && plan(have, target) !== null) return { have, target };
        }
      },
      start: ({ have, target }) => ({ state: { have, target }, say: ['make', target, 'from', ...have].map(String) }),
      step({ have, target }, action) {
        const [left, symbol, right] = action;
        const same = { state: { have, target } };
        const isForm =
          action.length === 3 && symbols.includes(symbol) && ![left, right].some((one) => symbols.includes(one));
        if (!isForm) return { ...same, warn: 'form' };
        const rest = without(have, Number(left), Number(right));
        if (rest === null) return { ...same, warn: 'missing' };
        const value = apply(Number(left), symbol, Number(right));
        if (!isNumber(value)) return { ...same, warn: 'range' };
        const now = [...rest, value];
        return {
          state: { have: now, target },
          say: ['have', ...now.map(String)],
          success: value === target,
          done: now.length === 1,
        };
      },
      expert({ have, target }) {
        const way = plan(have, target);
        return way === null || way.length === 0 ? [String(have[0]), '+', String(have[1] ?? have[0])] : way[0];
      },
      draw: ({ have, target }) => ({
        kind: 'cards',
        cards: [{ title: target, text: 'target', tone: 'good' }, ...have.map((title) => ({ title }))],
      }),
    };
  },
};
