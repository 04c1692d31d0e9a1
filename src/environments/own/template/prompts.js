const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** True where a text holds another as whole words. */
const holds = (text, part) => ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(part).join(' ')} `);
const lastNumber = (text) =>
  Number(
    text
      .replaceAll(',', '')
      .match(/-?\d+(\.\d+)?/g)
      ?.at(-1) ?? NaN,
  );

/** Share of a check that an answer passes, 0 to 1. */
function passed({ exact, contains, number, within = 0 }, answer) {
  if (exact !== undefined) return exact.some((text) => text.trim() === answer.trim()) ? 1 : 0;
  if (contains !== undefined) return contains.filter((part) => holds(answer, part)).length / contains.length;
  return Math.abs(lastNumber(answer) - number) <= within ? 1 : 0;
}

/** Answers of the world; outside of a chat they begin a line. */
const [RIGHT, WRONG] = ['Right.', 'Wrong.'].map((text) => (HEAD.chat ? text : `\n${text}`));

export default {
  text: true,
  title: HEAD.title,
  summary: HEAD.summary,
  create: () => ({
    maxTurns: 1,
    maxTokens: HEAD.maxTokens,
    stop: HEAD.stop,
    chat: HEAD.chat,
    thinking: HEAD.thinking,
    heldOut: HEAD.heldOut,
    longest: { prompt: TASKS.map(({ prompt }) => prompt), answer: [RIGHT, WRONG] },
    task: (random) => random.below(TASKS.length),
    start: (task) => ({ state: { task }, say: TASKS[task].prompt }),
    step({ task }, answer) {
      const reward = passed(TASKS[task], answer);
      return {
        state: { task },
        say: reward === 1 ? RIGHT : WRONG,
        reward,
        success: reward === 1,
        done: true,
      };
    },
    expert({ task }) {
      const { exact, contains, number } = TASKS[task];
      return ` ${exact?.[0] ?? contains?.join(' ') ?? number}`;
    },
  }),
};
