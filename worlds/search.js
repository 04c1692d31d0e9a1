/*
 * Questions over a small corpus of facts, with a search tool: `search:anna` answers with what is written of anna, several
 * lines of it. Questions of two hops need a second search for what the first one found. The answer must match exactly.
 */
export default {
  title: 'Search',
  summary: 'Answer a question about people and towns by searching a small corpus.',
  settings: {
    people: { default: 12, min: 2, max: 12, help: 'People; each lives in a town and has a trade.' },
    towns: { default: 4, min: 2, max: 6, help: 'Towns; each lies on a river.' },
    twoHops: { default: 0.5, min: 0, max: 1, help: 'Share of the questions that need a second search.' },
    corpus: { default: 0, min: 0, max: 9999, instance: true, help: 'Which corpus; every number is another.' },
    turns: { default: 4, min: 2, max: 8, help: 'Turns of an episode.' },
  },
  create({ people, towns, twoHops, corpus, turns }) {
    const names = 'anna bela cleo dino ella finn gwen hugo iris jan kaya leo'.split(' ').slice(0, people);
    const places = 'arles bonn cadiz delft essen faro'.split(' ').slice(0, towns);
    const rivers = 'aare bug cher douro ebro fulda'.split(' ');
    const trades = 'baker cook tailor smith'.split(' ');
    // Facts come from the corpus's number by a little generator of its own.
    let seed = corpus * 7919 + 1;
    const next = (below) => {
      seed = (Math.imul(seed, 48271) >>> 0) % 2147483647;
      return Math.floor((seed / 2147483647) * below);
    };
    for (let i = 0; i < 8; i++) next(2);
    const home = names.map(() => next(towns));
    const trade = names.map(() => next(trades.length));
    const order = places.map((_, i) => i);
    for (let i = towns - 1; i > 0; i--) {
      const other = next(i + 1);
      [order[i], order[other]] = [order[other], order[i]];
    }
    const riverOf = places.map((_, town) => rivers[order[town]]);
    const entries = new Map([
      ...names.map((name, i) => [name, ['lives-in', places[home[i]], 'works-as', trades[trade[i]]]]),
      ...places.map((place, town) => [place, ['lies-on', riverOf[town]]]),
    ]);
    const answerTo = ({ who, asks }) => {
      const [, town, , work] = entries.get(who);
      return asks === 'town' ? town : asks === 'trade' ? work : entries.get(town)[1];
    };
    const answers = [...places, ...trades, ...riverOf];
    return {
      words: [
        ...['question', 'town', 'trade', 'river', 'of', 'lives-in', 'works-as', 'lies-on', 'right', 'wrong'],
        ...names,
        ...new Set(answers),
      ],
      actions: [...[...entries.keys()].map((what) => `search:${what}`), ...answers.map((what) => `answer:${what}`)],
      tools: [...entries.keys()].map((what) => `search:${what}`),
      maxTurns: turns,
      longest: { prompt: 4, answer: 4 },
      heldOut: 0.3,
      // The corpus is one and the same, so every answer of the tool can be known.
      told: true,
      task: (random) => ({
        asks: random.chance(twoHops) ? 'river' : random.pick(['town', 'trade']),
        who: random.pick(names),
      }),
      start: (task) => ({ state: { ...task, found: [] }, say: ['question', task.asks, 'of', task.who] }),
      step(state, action) {
        const [verb, what] = action.split(':');
        if (verb === 'search') return { state: { ...state, found: [...state.found, what] }, say: entries.get(what) };
        const success = what === answerTo(state);
        return { state, say: success ? 'right' : 'wrong', done: true, success };
      },
      expert(state) {
        const { who, asks, found } = state;
        if (!found.includes(who)) return `search:${who}`;
        const town = entries.get(who)[1];
        if (asks === 'river' && !found.includes(town)) return `search:${town}`;
        return `answer:${answerTo(state)}`;
      },
      answer: (state) => `answer:${answerTo(state)}`,
      draw: (state) => ({
        kind: 'text',
        lines: [
          `${state.asks} of ${state.who}?`,
          ...state.found.map((what) => ({
            text: `${what}: ${entries.get(what).join(' ')}`,
            tone: 'soft',
          })),
          { text: answerTo(state), tone: 'good' },
        ],
      }),
    };
  },
};
