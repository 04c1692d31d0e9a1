/*
 * Guess a word of four letters; the answer marks each letter as right, elsewhere, or absent. The floor of an answer is exact:
 * it is the entropy over the words that are still possible.
 */
const WORDS = (
  'able acid arch area army atom aunt back bake bank barn base bath bear beat bell belt bird blue boat body bold bone book ' +
  'born bowl bulb cake calm camp card care cave cell chin city clay coal coat code coin cold cook corn crab crew dark dawn'
).split(' ');

export default {
  title: 'Wordle',
  summary: 'Find a hidden word of four letters from marks on the letters of each guess.',
  settings: {
    words: { default: 24, min: 4, max: WORDS.length, help: 'Words that can be hidden; each is as likely.' },
    guesses: { default: 5, min: 1, max: 8, help: 'Guesses of an episode.' },
    guess: {
      default: 'word',
      choices: ['word', 'letters'],
      help: 'A guess is one of the words, or four letters that have to be spelled.',
    },
  },
  create({ words: count, guesses, guess }) {
    const words = WORDS.slice(0, count);
    const letters = [...new Set(words.join(''))].sort();
    /** Marks of a guess; a letter is marked as often as it is in the hidden word. */
    const marks = (hidden, guessed) => {
      const left = [...hidden].filter((letter, i) => letter !== guessed[i]);
      return [...guessed].map((letter, i) => {
        if (letter === hidden[i]) return 'right';
        const at = left.indexOf(letter);
        if (at < 0) return 'absent';
        left.splice(at, 1);
        return 'elsewhere';
      });
    };
    /** Marks as a text, worked out once for each hidden word and guess. */
    const known = new Map();
    const marksAsText = (hidden, guessed) => {
      const key = hidden + guessed;
      if (!known.has(key)) known.set(key, marks(hidden, guessed).join());
      return known.get(key);
    };
    const possible = (asked) =>
      words.filter((word) => asked.every(([guessed, answer]) => marksAsText(word, guessed) === answer));
    return {
      words: ['ready', 'right', 'elsewhere', 'absent', 'unfinished'],
      actions: guess === 'word' ? words : { words: letters, most: 4 },
      maxTurns: guesses,
      longest: { prompt: 1, answer: 4 },
      // Every word is played: with some held out, a predictor that knew which could do better than the floor.
      heldOut: 0,
      task: (random) => ({ hidden: random.pick(words) }),
      start: ({ hidden }) => ({ state: { hidden, asked: [] }, say: 'ready' }),
      step({ hidden, asked }, action) {
        const guessed = typeof action === 'string' ? action : action.join('');
        if (guessed.length < 4) return { state: { hidden, asked }, warn: 'unfinished', floor: 0 };
        const left = possible(asked);
        const answers = new Map();
        for (const word of left) {
          const key = marksAsText(word, guessed);
          answers.set(key, (answers.get(key) ?? 0) + 1);
        }
        let floor = 0;
        for (const times of answers.values()) floor -= (times / left.length) * Math.log(times / left.length);
        const answer = marks(hidden, guessed);
        return {
          state: { hidden, asked: [...asked, [guessed, answer.join()]] },
          say: answer,
          success: guessed === hidden,
          floor: Math.max(0, floor),
        };
      },
      expert({ asked }) {
        const [word] = possible(asked);
        return guess === 'word' ? word : [...word];
      },
      answer: ({ hidden }) => (guess === 'word' ? hidden : [...hidden]),
      draw: ({ hidden, asked }) => ({
        kind: 'table',
        head: ['guess', 'marks'],
        rows: [...asked, [hidden, 'the word']],
      }),
    };
  },
};
