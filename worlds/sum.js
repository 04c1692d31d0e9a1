/*
 * Sums in the head: numbers are given, and the last digit of their sum is asked for. Before it answers the policy may think: it
 * says numbers to itself, which nobody hears, until it says `so`. The expert thinks in running sums.
 */
export default {
  title: 'Sums in the head',
  summary: 'Add the numbers up, thinking as you go, and say the last digit of the sum.',
  settings: {
    numbers: { default: 4, min: 2, max: 8, help: 'Numbers to add.' },
    base: { default: 5, min: 2, max: 10, help: 'Digits that there are: sums are taken modulo this.' },
    thinking: { default: 5, min: 0, max: 12, help: 'The most words that may be thought before the answer; 0: none.' },
  },
  create({ numbers, base, thinking }) {
    const digits = Array.from({ length: base }, (_, i) => String(i));
    const total = (list) => list.reduce((sum, one) => sum + one, 0) % base;
    return {
      words: [...digits, 'add'],
      actions: digits,
      ...(thinking > 0 && { thoughts: { words: [...digits, 'so'], most: thinking, end: 'so' } }),
      maxTurns: 1,
      longest: { prompt: numbers + 1, answer: 1 },
      heldOut: 0.2,
      told: true,
      task: (random) => ({ given: Array.from({ length: numbers }, () => random.below(base)) }),
      start: ({ given }) => ({ state: { given, answered: null }, say: ['add', ...given.map(String)] }),
      step({ given }, action) {
        const right = digits[total(given)];
        return { state: { given, answered: action }, say: right, done: true, success: action === right };
      },
      expert: ({ given }) => digits[total(given)],
      answer: ({ given }) => digits[total(given)],
      // As many of the running sums as there is room for, the last ones: the sum itself is the last.
      think: ({ given }) => {
        const sums = given.map((_, i) => digits[total(given.slice(0, i + 1))]).slice(1);
        return thinking > 1 ? sums.slice(1 - thinking) : [];
      },
      progress: ({ given, answered }) => (answered === digits[total(given)] ? 1 : 0),
      draw: ({ given, answered }) => ({
        kind: 'text',
        lines: [
          `${given.join(' + ')} = …${total(given)}`,
          answered === null
            ? { text: 'not answered yet', tone: 'soft' }
            : { text: `answered ${answered}`, tone: answered === digits[total(given)] ? 'good' : 'bad' },
        ],
      }),
    };
  },
};
