/*
 * The inside of the sandbox: what runs in QuickJS before a world's text, and what the host calls. It evaluates to a function
 * of the text's exports that returns `serve(command) → answer`, both texts. Chance is handed in: Philox 4x32-10, the same
 * numbers as foundation/philox.ts. States leave as JSON and come back as the same text, so the host never reads them.
 *
 * Built-in functions cannot be interrupted, so those that walk through arrays and texts pay for what they walk through.
 */
(() => {
  const { apply } = Reflect;
  const { isArray } = Array;
  const { parse, stringify } = JSON;
  const { getPrototypeOf, entries, prototype: plainObject } = Object;
  const { floor, imul, min } = Math;
  const isNumber = Number.isFinite;

  // -- What a call may spend in built-in functions ----------------------------------------------------------------------

  const BUDGET = 2e7;
  let spent = 0;
  function spend(amount) {
    spent += amount;
    if (!(spent <= BUDGET)) throw new RangeError('too much work on long arrays or texts');
  }

  /** Puts a function that pays before and after in the place of each built-in one. */
  function charge(owner, names, lengthOf) {
    for (const name of names) {
      const native = owner[name];
      const paid = {
        [name](...given) {
          spend(lengthOf(this, given));
          const result = apply(native, this, given);
          if (typeof result === 'string' || isArray(result)) spend(result.length);
          return result;
        },
      }[name];
      Object.defineProperty(owner, name, { value: paid, writable: true, configurable: true, enumerable: false });
    }
  }

  const ofArray = (self) => {
    if (!isArray(self)) throw new TypeError('an array’s function was called on something else');
    return self.length;
  };
  const ofText = (self) => (typeof self === 'string' ? self.length : 1000);
  charge(
    Array.prototype,
    (
      'copyWithin every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join ' +
      'lastIndexOf map reduce reduceRight reverse shift slice some splice toLocaleString toReversed toSorted ' +
      'toSpliced toString unshift with'
    ).split(' '),
    ofArray,
  );
  charge(Array.prototype, ['sort'], (self) => 4 * ofArray(self));
  charge(Array.prototype, ['concat'], (self, given) => {
    let length = ofArray(self);
    for (let i = 0; i < given.length; i++) {
      // A thing that only pretends to be an array stays one thing.
      if (isArray(given[i])) length += given[i].length;
      else given[i] = [given[i]];
    }
    return length;
  });
  charge(
    String.prototype,
    (
      'concat endsWith includes indexOf isWellFormed lastIndexOf localeCompare match matchAll normalize replace ' +
      'replaceAll search slice split startsWith substring toLocaleLowerCase toLocaleUpperCase toLowerCase ' +
      'toUpperCase toWellFormed trim trimEnd trimStart'
    ).split(' '),
    ofText,
  );
  charge(
    String.prototype,
    ['repeat', 'padStart', 'padEnd'],
    (self, [count]) => ofText(self) * (1 + min(count, BUDGET)),
  );
  charge(
    Object,
    'assign entries fromEntries getOwnPropertyDescriptors getOwnPropertyNames groupBy keys values'.split(' '),
    () => 10,
  );
  charge(JSON, ['parse'], (_, [text]) => ofText(text));
  charge(JSON, ['stringify'], () => 10);
  Array.from = function from(items, map) {
    const made = [];
    if (items[Symbol.iterator] !== undefined) for (const item of items) made.push(map ? map(item, made.length) : item);
    else for (let i = 0, { length } = items; i < length; i++) made.push(map ? map(items[i], i) : items[i]);
    return made;
  };
  delete Math.random;
  delete globalThis.queueMicrotask;

  // -- Chance -----------------------------------------------------------------------------------------------------------

  function high(a, b) {
    const aHigh = a >>> 16;
    const aLow = a & 0xffff;
    const bHigh = b >>> 16;
    const bLow = b & 0xffff;
    const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
    const low = (middle & 0xffff) + aLow * bHigh;
    return (aHigh * bHigh + floor(middle / 65536) + floor(low / 65536)) >>> 0;
  }

  function philox([c0, c1, c2, c3], [k0, k1]) {
    for (let round = 0; round < 10; round++) {
      const [high0, high1] = [high(0xd2511f53, c0), high(0xcd9e8d57, c2)];
      const [low0, low1] = [imul(0xd2511f53, c0) >>> 0, imul(0xcd9e8d57, c2) >>> 0];
      c0 = (high1 ^ c1 ^ k0) >>> 0;
      c1 = low1;
      c2 = (high0 ^ c3 ^ k1) >>> 0;
      c3 = low0;
      k0 = (k0 + 0x9e3779b9) >>> 0;
      k1 = (k1 + 0xbb67ae85) >>> 0;
    }
    return [c0, c1, c2, c3];
  }

  const STREAM = 4;

  /**
   * The random argument of task() and step(). `log` gets every draw with few outcomes as [what was asked, outcome], and
   * null for one that has too many to be remembered. The first draws are `forced` where the host wants to see each outcome.
   */
  function chance(seed, turn, item, log, forced) {
    let counter = 0;
    let used = 4;
    let block = null;
    const bits = () => {
      if (used === 4) {
        block = philox([turn, 0, item, counter++], [seed, STREAM]);
        used = 0;
      }
      return block[used++];
    };
    const unit = () => ((bits() >>> 9) + 0.5) / 8388608;
    const draw = (asked, natural) => {
      const first = isArray(asked) ? asked.findIndex((weight) => weight > 0) : 0;
      const outcome = forced === null ? natural() : log.length < forced.length ? forced[log.length] : first;
      log.push([asked, outcome]);
      return outcome;
    };
    const below = (bound) => {
      if (!(bound >= 1 && bound <= 4294967296 && floor(bound) === bound)) {
        throw new RangeError(`random.below(${bound}): a whole number from 1 on is needed`);
      }
      if (bound === 1) return 0;
      return draw(bound, () => {
        const limit = floor(4294967296 / bound) * bound;
        for (;;) {
          const drawn = bits();
          if (drawn < limit) return drawn % bound;
        }
      });
    };
    const weighted = (weights) => {
      const copy = [...weights];
      let total = 0;
      for (const weight of copy) {
        if (!(weight >= 0 && isNumber(weight))) throw new RangeError('random.weighted: weights are numbers from 0 on');
        total += weight;
      }
      if (!(total > 0)) throw new RangeError('random.weighted: no weight is above 0');
      return draw(copy, () => {
        const mark = unit() * total;
        let sum = 0;
        let last = 0;
        for (let i = 0; i < copy.length; i++) {
          sum += copy[i];
          if (copy[i] > 0) last = i;
          if (mark < sum) return i;
        }
        return last;
      });
    };
    return {
      below,
      weighted,
      chance: (p) => {
        if (!(p >= 0 && p <= 1)) throw new RangeError(`random.chance(${p}): a probability is needed`);
        return p === 1 || (p > 0 && weighted([p, 1 - p]) === 0);
      },
      pick: (list) => list[below(list.length)],
      shuffle: (list) => {
        const order = [...list];
        for (let i = order.length - 1; i > 0; i--) {
          const other = below(i + 1);
          [order[i], order[other]] = [order[other], order[i]];
        }
        return order;
      },
      unit: () => {
        log.push(null);
        return unit();
      },
    };
  }

  // -- What comes out of a world ----------------------------------------------------------------------------------------

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

  /** Number of a text, for the split of tasks: FNV-1a, then mixed well. */
  function hashOf(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
    return philox([hash >>> 0, 0, 0, 0], [0x68656c64, 0])[0] / 4294967296;
  }

  // -- Commands ---------------------------------------------------------------------------------------------------------

  const ATTEMPTS = 1000;
  const ASKED = ['task', 'start', 'step', 'legal', 'progress', 'expert', 'draw', 'probe', 'apart'];

  return (exports) => {
    const file = exports.default;
    let world = null;

    const lineOf = (key) => {
      const line = world?.[key]?.lineNumber ?? file?.[key]?.lineNumber;
      return typeof line === 'number' ? line : null;
    };

    /** What the host knows of a state: its text, then the number or name of the legal set, and the progress. */
    function stateOf(state) {
      const text = plainText(state, 'The state');
      return { text, legal: world.legal?.(state) ?? null, progress: world.progress?.(state) ?? null };
    }

    function begin(seed, held) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const task = world.task(chance(seed, 0, attempt + 1, [], null), held ? 'held-out' : 'train');
        const text = plainText(task, 'The task');
        if (world.heldOut > 0) {
          const key = world.apart === undefined ? text : plainText(world.apart(task), 'What apart() returns');
          if (hashOf(key) < world.heldOut !== held) continue;
        }
        const { state, say = [] } = world.start(task);
        return { text, say, ...stateOf(state) };
      }
      throw new RangeError(`none of ${ATTEMPTS} tasks drawn is one for ${held ? 'examination' : 'training'}`);
    }

    function step([state, action, seed, turn, forced]) {
      const log = [];
      const result = world.step(state, action, chance(seed, turn, 0, log, forced));
      if (typeof result !== 'object' || result === null) throw new TypeError('step() returned no object');
      const { state: next, ...told } = result;
      return { log, told: parse(plainText(told, 'What step() returns')), ...stateOf(next) };
    }

    const commands = {
      describe: () => ({ ...pickPlain(file, ['title', 'summary', 'settings']), creates: typeof file?.create }),
      create: (settings) => {
        world = null;
        const made = file.create(settings);
        if (typeof made !== 'object' || made === null) throw new TypeError('create() returned no object');
        const { heldOut } = made;
        world = { ...made, heldOut: heldOut === undefined ? 0.2 : heldOut };
        const told = ['words', 'actions', 'maxTurns', 'longest', 'heldOut', 'told'];
        const functions = ASKED.filter((key) => typeof world[key] === 'function');
        const strange = Object.keys(made).filter((key) => !ASKED.includes(key) && !told.includes(key));
        return { ...pickPlain(world, told), functions, strange };
      },
      begin: ([seed, held]) => begin(seed, held),
      step,
      expert: (state) => world.expert(state) ?? null,
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
          spent = 0;
          try {
            return `=${stringify(command(parse(line))) ?? 'null'}`;
          } catch (error) {
            // Where there is no memory left, there is none for an error either.
            if (error === null) return `!${stringify({ kind: 'InternalError', message: 'out of memory', stack: '' })}`;
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
