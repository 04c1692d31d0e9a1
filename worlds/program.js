/*
 * Programs: examples say what goes in and what should come out, and a program for a stack machine is to be written that does it to
 * all of them. It is run on every example, and what came out is told. Numbers are digits: all is worked out modulo 10.
 */
export default {
  title: 'Programs for a stack machine',
  summary: 'Write a short program that turns every number that goes in into the one that should come out.',
  settings: {
    longest: { default: 3, min: 2, max: 4, help: 'Words of a program, at most.' },
    examples: { default: 3, min: 2, max: 5, help: 'Examples: what goes in, and what should come out.' },
    attempts: { default: 3, min: 1, max: 6, help: 'Programs that may be tried, one a turn.' },
  },
  create({ longest, examples, attempts }) {
    const constants = ['1', '2', '3'];
    const digits = Array.from({ length: 10 }, (_, i) => String(i));
    const instructions = {
      dup: (stack) => stack.push(stack[stack.length - 1]),
      '+': (stack) => stack.push((stack.pop() + stack.pop()) % 10),
      '*': (stack) => stack.push((stack.pop() * stack.pop()) % 10),
    };
    const needs = { dup: 1, '+': 2, '*': 2 };
    const words = [...constants, ...Object.keys(instructions)];
    /** Digit on top at the end; null where the stack has too little for a word. */
    const run = (program, input) => {
      const stack = [input];
      for (const word of program) {
        if (constants.includes(word)) stack.push(Number(word));
        else if (stack.length < needs[word]) return null;
        else instructions[word](stack);
      }
      return stack[stack.length - 1];
    };
    /** The shortest program for each function that one can compute, by its ten digits; worked out when first needed. */
    let table = null;
    const programs = () => {
      if (table !== null) return table;
      table = new Map();
      let ends = [[]];
      for (let length = 1; length <= longest; length++) {
        ends = ends.flatMap((program) => words.map((word) => [...program, word]));
        for (const program of ends) {
          const outputs = digits.map((digit) => run(program, Number(digit))).join('');
          // A program that leaves every number alone, or makes the same of all, needs no reading of the examples.
          const isPlain = outputs === digits.join('') || new Set(outputs).size === 1;
          if (outputs.length === 10 && !isPlain && !table.has(outputs)) table.set(outputs, program);
        }
      }
      return table;
    };
    const isRight = (outputs, pairs) => pairs.every(([input, output]) => Number(outputs[input]) === output);
    return {
      words: ['make', 'of', 'got', 'underflow', ...digits],
      actions: { words, most: longest },
      maxTurns: attempts,
      longest: { prompt: 1 + 3 * examples, answer: 1 + examples },
      heldOut: 0.2,
      told: true,
      task(random) {
        const outputs = random.pick([...programs().keys()]);
        const inputs = random.shuffle(digits).slice(0, examples).map(Number);
        return { outputs, pairs: inputs.map((input) => [input, Number(outputs[input])]) };
      },
      // Other functions can have the same examples.
      apart: ({ pairs }) => pairs,
      start: ({ pairs }) => ({
        state: { pairs, tried: null, best: 0 },
        say: ['make', ...pairs.flatMap(([input, output]) => [String(output), 'of', String(input)])],
      }),
      step({ pairs, best }, action) {
        const got = pairs.map(([input]) => run(action, input));
        const tried = { program: action, got };
        if (got.includes(null)) return { state: { pairs, tried, best }, warn: 'underflow' };
        const passed = got.filter((output, at) => output === pairs[at][1]).length / pairs.length;
        return {
          state: { pairs, tried, best: Math.max(best, passed) },
          say: ['got', ...got.map(String)],
          success: passed === 1,
        };
      },
      expert({ pairs }) {
        for (const [outputs, program] of programs()) if (isRight(outputs, pairs)) return program;
        return ['dup'];
      },
      // Share of the examples that the best program so far gets right.
      progress: ({ best }) => best,
      milestones: 'tests passed',
      draw: ({ pairs, tried }) => ({
        kind: 'table',
        head: ['in', 'should be', tried === null ? 'no program yet' : tried.program.join(' ')],
        rows: pairs.map(([input, output], at) => [input, output, tried === null ? '' : (tried.got[at] ?? 'underflow')]),
      }),
    };
  },
};
