/*
 * A shop with a scripted customer over several turns: ask for what is wanted, then offer it. The customer may change its mind
 * once, and says so after a question. What is wanted is hidden, so its answers can only be foreseen up to a floor.
 */
export default {
  title: 'Shop with a customer',
  summary: 'Find out what the customer wants, note a change of mind, and offer the right thing.',
  settings: {
    attributes: { default: 2, min: 1, max: 3, help: 'Attributes of a thing: colour, size, fabric.' },
    values: { default: 3, min: 2, max: 4, help: 'Values of each attribute.' },
    fickle: {
      default: 0.3,
      min: 0,
      max: 0.9,
      help: 'Chance at every question that the customer changes its mind, once.',
    },
    turns: { default: 6, min: 2, max: 12, help: 'Turns of an episode.' },
  },
  create({ attributes, values, fickle, turns }) {
    const kinds = ['colour', 'size', 'fabric'].slice(0, attributes);
    const names = {
      colour: ['red', 'blue', 'green', 'white'].slice(0, values),
      size: ['small', 'middle', 'large', 'huge'].slice(0, values),
      fabric: ['wool', 'silk', 'linen', 'felt'].slice(0, values),
    };
    const things = kinds.reduce((list, kind) => list.flatMap((one) => names[kind].map((name) => [...one, name])), [[]]);
    const offer = (thing) => `offer-${thing.join('-')}`;
    return {
      words: [...kinds.flatMap((kind) => names[kind]), 'hello', 'rather', 'thanks', 'no'],
      actions: [...kinds.map((kind) => `ask-${kind}`), ...things.map(offer)],
      maxTurns: turns,
      longest: { prompt: 1, answer: 3 },
      // All wishes are played: the floor counts every one of them as possible.
      heldOut: 0,
      task: (random) => ({ wants: random.pick(things) }),
      start: ({ wants }) => ({ state: { wants, known: kinds.map(() => false), changed: false }, say: 'hello' }),
      step({ wants, known, changed }, action, random) {
        if (action.startsWith('offer-')) {
          const success = action === offer(wants);
          // Foreseen by who knows every attribute; else each thing that is still possible is as likely.
          const possible = values ** known.filter((one) => !one).length;
          const fits = action
            .split('-')
            .slice(1)
            .every((name, i) => !known[i] || name === wants[i]);
          const p = fits ? 1 / possible : 0;
          const floor = p === 0 || p === 1 ? 0 : -p * Math.log(p) - (1 - p) * Math.log(1 - p);
          return { state: { wants, known, changed }, say: success ? 'thanks' : 'no', done: true, success, floor };
        }
        const asked = kinds.indexOf(action.slice('ask-'.length));
        const now = known.map((one, i) => one || i === asked);
        // Left to chance: the wish, if it was not told; whether it changes; and what it changes to.
        const isFickle = !changed && fickle > 0;
        const coin = isFickle ? -fickle * Math.log(fickle) - (1 - fickle) * Math.log(1 - fickle) : 0;
        const floor = (known[asked] ? 0 : Math.log(values)) + coin + (isFickle ? fickle * Math.log(values - 1) : 0);
        if (!isFickle || !random.chance(fickle))
          return { state: { wants, known: now, changed }, say: wants[asked], floor };
        const next = random.pick(names[kinds[asked]].filter((name) => name !== wants[asked]));
        const state = { wants: wants.map((name, i) => (i === asked ? next : name)), known: now, changed: true };
        return { state, say: [wants[asked], 'rather', next], floor };
      },
      expert({ wants, known }) {
        const open = known.indexOf(false);
        return open < 0 ? offer(wants) : `ask-${kinds[open]}`;
      },
      draw: ({ wants, known, changed }) => ({
        kind: 'table',
        head: ['', 'wanted', 'told'],
        rows: [
          ...kinds.map((kind, i) => [kind, wants[i], known[i] ? 'yes' : 'no']),
          ['changed its mind', changed ? 'yes' : 'not yet', ''],
        ],
      }),
    };
  },
};
