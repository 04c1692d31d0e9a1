// A story that holds three given words. A text world: what it says and what the policy writes are strings.
const THINGS = [
  ...['dog', 'cat', 'ball', 'tree', 'bird', 'car', 'cake', 'sun', 'hat', 'fish', 'box', 'book', 'bear', 'boat', 'toy'],
  ...['flower', 'rain', 'park', 'bed', 'hill'],
];
const GIVEN = 3;

const wordsOf = (text) => text.toLowerCase().match(/[a-z]+/g) ?? [];
const heldIn = (text, words) => words.filter((word) => wordsOf(text).includes(word));

export default {
  text: true,
  title: 'Words',
  summary: 'Write a story that holds three given words.',
  settings: {
    length: {
      label: 'Length',
      help: 'Largest number of tokens of a story.',
      default: 64,
      min: 32,
      max: 192,
    },
  },
  create({ length }) {
    return {
      maxTurns: 1,
      maxTokens: length,
      longest: { prompt: 48, answer: 32 },
      task: (random) =>
        random
          .shuffle([...THINGS])
          .slice(0, GIVEN)
          .sort(),
      start: (words) => ({
        state: { words, held: null },
        say: `Words: ${words.join(', ')}. Story: Once upon a time`,
      }),
      step({ words }, story) {
        const held = heldIn(story, words);
        const missing = words.filter((word) => !held.includes(word));
        return {
          state: { words, held },
          say: missing.length === 0 ? '\nAll words are there.' : `\nMissing: ${missing.join(', ')}.`,
          reward: held.length / GIVEN,
          success: missing.length === 0,
          done: true,
        };
      },
      expert: ({ words }) => `, there was a ${words[0]}. It saw a ${words[1]} and a ${words[2]}.`,
      progress: ({ held }) => (held?.length ?? 0) / GIVEN,
    };
  },
};
