/*
 * The host's commands inside the sandbox. Evaluates to a function of what dice.js evaluates to and the exports of a world's text,
 * which returns `serve(command, lines) → answers`, all texts. States leave as JSON and come back as the same text, so the
 * host never reads them.
 */
(() => {
  const { isArray } = Array;
  const { parse, stringify } = JSON;
  const { getPrototypeOf, entries, prototype: plainObject } = Object;
  const { imul } = Math;
  const isNumber = Number.isFinite;

  // -- What comes out of a world ----------------------------------------------------------------------------------------

  // Nothing that waits is ever gone on with.
  delete globalThis.queueMicrotask;

  const DEEPEST = 32;

  /** Text of a value that is JSON through and through. Throws where something would be lost on the way. */
  function plainText(value, name) {
    requirePlain(value, name, 0);
    return stringify(value);
  }

  function requirePlain(value, name, depth) {
    const refuse = (what) => {
      throw new TypeError(
        `${name} is ${what}: it has to be JSON (null, booleans, finite numbers, texts, arrays, objects)`,
      );
    };
    if (depth > DEEPEST) refuse('nested too deeply, or contains itself');
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
    if (typeof value === 'number') {
      if (!isNumber(value)) refuse(String(value));
      return;
    }
    if (typeof value !== 'object') refuse(value === undefined ? 'undefined' : `a ${typeof value}`);
    if (isArray(value)) {
      for (let i = 0; i < value.length; i++) requirePlain(value[i], `${name}[${i}]`, depth + 1);
      return;
    }
    const kind = getPrototypeOf(value);
    if (kind !== plainObject && kind !== null) refuse(`a ${kind?.constructor?.name ?? 'thing of a class'}`);
    for (const [key, inner] of entries(value)) requirePlain(inner, `${name}.${key}`, depth + 1);
  }

  // -- Commands ---------------------------------------------------------------------------------------------------------

  const ATTEMPTS = 1000;
  const ASKED = ['task', 'start', 'step', 'legal', 'progress', 'expert', 'think', 'answer', 'draw', 'probe', 'apart'];

  return ({ philox, chance }, exports) => {
    /** Number of a text, for the split of tasks: FNV-1a, then mixed well. */
    function hashOf(text) {
      let hash = 0x811c9dc5;
      for (let i = 0; i < text.length; i++) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
      return philox([hash >>> 0, 0, 0, 0], [0x68656c64, 0])[0] / 4294967296;
    }

    const file = exports.default;
    let world = null;

    const lineOf = (key) => {
      const line = world?.[key]?.lineNumber ?? file?.[key]?.lineNumber;
      return typeof line === 'number' ? line : null;
    };

    /** State as the host knows it: its text, and the name of its legal set. */
    function stateOf(state) {
      const text = plainText(state, 'The state');
      return { text, legal: world.legal?.(state) ?? null };
    }

    function begin(seed, held) {
      const drawn = new Set();
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const task = world.task(chance(seed, 0, attempt + 1, [], null), held ? 'held-out' : 'train');
        const text = plainText(task, 'The task');
        if (world.heldOut > 0) {
          const key = world.apart === undefined ? text : plainText(world.apart(task), 'What apart() returns');
          if (hashOf(key) < world.heldOut !== held) {
            drawn.add(key);
            continue;
          }
        }
        const { state, say = [] } = world.start(task);
        return { text, say, ...stateOf(state) };
      }
      const side = held ? 'examination' : 'training';
      throw new RangeError(
        `of ${drawn.size} different tasks none is for ${side}: draw from more tasks, or change heldOut (0 holds none out)`,
      );
    }

    function step([state, action, seed, turn, forced]) {
      const log = [];
      const result = world.step(state, action, chance(seed, turn, 0, log, forced));
      if (typeof result !== 'object' || result === null) throw new TypeError('step() returned no object');
      const { state: next, ...told } = result;
      return { log, told: parse(plainText(told, 'What step() returns')), ...stateOf(next) };
    }

    const commands = {
      describe: () => ({
        ...pickPlain(file, ['text', 'title', 'summary', 'settings']),
        creates: typeof file?.create,
        isGiven: typeof file === 'object',
        strange: Object.keys(file ?? {})
          .filter((key) => !['text', 'title', 'summary', 'settings', 'create'].includes(key))
          .slice(0, 4),
      }),
      create: (settings) => {
        world = null;
        const made = file.create(settings);
        if (typeof made !== 'object' || made === null) throw new TypeError('create() returned no object');
        const { heldOut } = made;
        world = { ...made, heldOut: heldOut === undefined ? 0.2 : heldOut };
        const told = [
          ...['words', 'actions', 'tools', 'thoughts', 'stop', 'maxTokens', 'chat', 'thinking'],
          ...['maxTurns', 'longest', 'heldOut', 'told', 'milestones'],
        ];
        const functions = ASKED.filter((key) => typeof world[key] === 'function');
        const strange = Object.keys(made).filter((key) => !ASKED.includes(key) && !told.includes(key));
        return { ...pickPlain(world, told), functions, strange };
      },
      begin: ([seed, held]) => begin(seed, held),
      step,
      expert: (state) => world.expert(state) ?? null,
      think: (state) => world.think(state) ?? null,
      answer: (state) => world.answer(state) ?? null,
      progress: (state) => world.progress(state) ?? null,
      draw: (state) => world.draw(state) ?? null,
      probe: (state) => world.probe(state) ?? null,
      line: (key) => lineOf(key),
    };

    function pickPlain(from, keys) {
      const made = {};
      for (const key of keys) {
        if (from?.[key] === undefined) continue;
        requirePlain(from[key], key, 0);
        made[key] = from[key];
      }
      return made;
    }

    /** Answers a line with a line each: `=` and JSON, or `!` and an error as JSON. */
    return (name, lines) => {
      const command = commands[name];
      return lines
        .split('\n')
        .map((line) => {
          try {
            return `=${stringify(command(parse(line))) ?? 'null'}`;
          } catch (error) {
            // Without memory there may be no room for an error either, and the other lines would take as long.
            if (error === null || error?.message === 'out of memory') throw error;
            const isError = error instanceof Error;
            const {
              name: kind,
              message,
              stack,
            } = isError ? error : { name: 'thrown', message: String(error), stack: '' };
            return `!${stringify({ kind, message, stack })}`;
          }
        })
        .join('\n');
    };
  };
})();
