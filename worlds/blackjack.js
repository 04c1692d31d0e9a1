/*
 * Blackjack from an endless deck: hit or stand. The cards to come cannot be foreseen by anybody; that their odds can be, and
 * what the dealer will come to, is all that there is to predict.
 */
export default {
  title: 'Blackjack',
  summary: 'Come closer to 21 than the dealer, without going over.',
  settings: {
    turns: { default: 5, min: 2, max: 10, help: 'Turns of an episode; who has not stood by then has lost.' },
  },
  create({ turns }) {
    // Values of the thirteen ranks, equally likely: tens are four of them, an ace counts 11 where there is room.
    const ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const weights = ranks.map((rank) => (rank === 10 ? 4 : 1));
    const card = (random) => ranks[random.weighted(weights)];
    const add = ({ sum, aces }, rank) => ({ sum: sum + rank, aces: aces + (rank === 1 ? 1 : 0) });
    const value = ({ sum, aces }) => (aces > 0 && sum + 10 <= 21 ? sum + 10 : sum);
    /** Chance of each end of the dealer, who draws up to 17: 17 … 21, then over. */
    const ends = new Map();
    const endsOf = (hand) => {
      const key = `${hand.sum},${hand.aces > 0}`;
      if (ends.has(key)) return ends.get(key);
      const reached = value(hand);
      let chances = [17, 18, 19, 20, 21, 22].map((end) => (Math.min(reached, 22) === end ? 1 : 0));
      if (reached < 17) {
        chances = chances.map(() => 0);
        ranks.forEach((rank, i) => {
          endsOf(add(hand, rank)).forEach((chance, end) => {
            chances[end] += (weights[i] / 13) * chance;
          });
        });
      }
      ends.set(key, chances);
      return chances;
    };
    /** Expected success of standing, and of the better of standing and hitting. */
    const standing = (hand, shows) =>
      endsOf(add({ sum: 0, aces: 0 }, shows)).reduce(
        (sum, chance, i) => sum + (i === 5 || 17 + i < value(hand) ? chance : 0),
        0,
      );
    const known = new Map();
    const hitting = (hand, shows) => {
      const key = `${hand.sum},${hand.aces > 0},${shows}`;
      if (known.has(key)) return known.get(key);
      let chance = 0;
      ranks.forEach((rank, i) => {
        const next = add(hand, rank);
        if (next.sum <= 21) chance += (weights[i] / 13) * Math.max(standing(next, shows), hitting(next, shows));
      });
      known.set(key, chance);
      return chance;
    };
    return {
      words: [
        'you',
        'dealer',
        'over',
        ...ranks.map((rank) => `card-${rank}`),
        ...[17, 18, 19, 20, 21].map((end) => `stands-${end}`),
      ],
      actions: ['hit', 'stand'],
      maxTurns: turns,
      longest: { prompt: 5, answer: 1 },
      heldOut: 0,
      told: true,
      task: (random) => ({ cards: [card(random), card(random)], shows: card(random) }),
      start: ({ cards, shows }) => ({
        state: { hand: cards.reduce(add, { sum: 0, aces: 0 }), shows },
        say: ['you', ...cards.map((rank) => `card-${rank}`), 'dealer', `card-${shows}`],
      }),
      step({ hand, shows }, action, random) {
        if (action === 'hit') {
          const rank = card(random);
          const next = add(hand, rank);
          return { state: { hand: next, shows }, say: `card-${rank}`, done: next.sum > 21 };
        }
        const end = random.weighted(endsOf(add({ sum: 0, aces: 0 }, shows)));
        const say = end === 5 ? 'over' : `stands-${17 + end}`;
        return { state: { hand, shows }, say, done: true, success: end === 5 || 17 + end < value(hand) };
      },
      expert: ({ hand, shows }) => (standing(hand, shows) >= hitting(hand, shows) ? 'stand' : 'hit'),
      draw: ({ hand, shows }) => ({
        kind: 'cards',
        cards: [
          { title: value(hand), text: 'your hand' },
          { title: shows === 1 ? 'ace' : shows, text: 'the dealer shows' },
        ],
      }),
    };
  },
};
