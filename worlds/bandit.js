/*
 * A bandit whose context says which arm is good. Rewards, and no dynamics: what an arm pays next does not depend on what was
 * pulled before, so there is nothing about the world that a policy could learn by predicting it, but the odds.
 */
export default {
  title: 'Contextual bandit',
  summary: 'A sign says which arm pays most; pull it, pull by pull.',
  settings: {
    arms: { default: 4, min: 2, max: 8, help: 'Arms to pull.' },
    signs: {
      default: 8,
      min: 1,
      max: 16,
      help: 'Signs; each always means the same arm. One sign is the plain bandit.',
    },
    pulls: { default: 6, min: 1, max: 20, help: 'Pulls of an episode.' },
    good: { default: 0.8, min: 0.5, max: 1, help: 'Chance that the good arm pays; the others pay otherwise.' },
  },
  create({ arms, signs, pulls, good }) {
    const names = Array.from({ length: arms }, (_, i) => `arm-${i}`);
    const signNames = Array.from({ length: signs }, (_, i) => `sign-${i}`);
    // Which arm a sign means: neighbours mean different ones, and nothing in a sign's name says which.
    const meaning = signNames.map((_, sign) => (sign * 5 + 1) % arms);
    return {
      words: [...signNames, 'pays', 'nothing'],
      actions: names,
      maxTurns: pulls,
      longest: { prompt: 1, answer: 1 },
      heldOut: 0,
      told: true,
      task: (random) => ({ sign: random.below(signs) }),
      start: ({ sign }) => ({ state: { sign, pulled: 0, right: 0 }, say: signNames[sign] }),
      step({ sign, pulled, right }, action, random) {
        const isGood = names.indexOf(action) === meaning[sign];
        const pays = random.chance(isGood ? good : 1 - good);
        const next = { sign, pulled: pulled + 1, right: right + (isGood ? 1 : 0) };
        const done = next.pulled === pulls;
        // What is paid is what came of it; success is to have pulled the good arm at least every other time.
        return {
          state: next,
          say: pays ? 'pays' : 'nothing',
          reward: pays ? 1 / pulls : 0,
          done,
          success: done && 2 * next.right >= pulls,
        };
      },
      expert: ({ sign }) => names[meaning[sign]],
      draw: ({ sign, pulled, right }) => ({
        kind: 'cards',
        cards: [
          { title: signNames[sign], text: `${pulled} of ${pulls}` },
          ...names.map((title, arm) => ({ title, tone: arm === meaning[sign] ? 'good' : 'plain' })),
          { title: 'well chosen', text: right, tone: 'soft' },
        ],
      }),
    };
  },
};
