const plain = (text) => text.toLowerCase().replaceAll(/\s+/gu, ' ').trim();
const isLetter = (sign = '') => /[\p{L}\p{N}]/u.test(sign);
/** True where a text holds another as written but for case and spaces, and no word of it is part of a longer one. */
function holds(text, part) {
  const [whole, wanted] = [[...plain(text)], [...plain(part)]];
  return whole.some((_, at) => {
    const end = at + wanted.length;
    if (wanted.some((sign, i) => sign !== whole[at + i])) return false;
    if (isLetter(wanted[0]) && isLetter(whole[at - 1])) return false;
    return !(isLetter(wanted.at(-1)) && isLetter(whole[end]));
  });
}
/** Last number of a text: 5, -5, .5, 1,200.5, 1e3. */
const lastNumber = (text) =>
  Number(
    text
      .replaceAll('−', '-')
      .match(/(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)(?:e[-+]?\d+)?/giu)
      ?.at(-1)
      ?.replaceAll(',', '') ?? NaN,
  );
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Share of a check that an answer passes, 0 to 1. */
function passed({ exact, contains, number, within = 0, formula }, answer) {
  if (formula !== undefined) {
    const paid = Number(FORMULAS[formula](answer.trim(), wordsOf(answer), lastNumber(answer)));
    return paid > 0 ? Math.min(paid, 1) : 0;
  }
  if (exact !== undefined) return exact.some((text) => text.trim() === answer.trim()) ? 1 : 0;
  if (contains !== undefined) return contains.filter((part) => holds(answer, part)).length / contains.length;
  return Math.abs(lastNumber(answer) - number) <= within ? 1 : 0;
}

/** Answers of the world; outside of a chat they begin a line. */
const [RIGHT, WRONG] = ['Right.', 'Wrong.'].map((text) => (HEAD.chat ? text : `\n${text}`));

/** A right answer; a formula tells of none. */
const expert = ({ task }) => {
  const { exact, contains, number } = TASKS[task];
  return ` ${exact?.[0] ?? contains?.join(' ') ?? number}`;
};

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
    ...(FORMULAS.length === 0 && { expert }),
  }),
};
