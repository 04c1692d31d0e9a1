/*
 * Inside the sandbox, after the guards. Built-in functions that walk through anything iterable or nested, written in the language
 * itself, whose loops can be interrupted: an empty array of four thousand million places costs no memory, only the walk.
 */
(() => {
  const { construct } = Reflect;
  const { isArray } = Array;
  const { defineProperty } = Object;

  /** Puts functions in the place of built-in ones. */
  function replace(owner, functions) {
    for (const name of Object.keys(functions)) {
      defineProperty(owner, name, { value: functions[name], writable: true, configurable: true, enumerable: false });
    }
  }

  function requireFunction(given) {
    if (typeof given !== 'function') throw new TypeError('not a function');
  }

  function requireArray(given) {
    if (!isArray(given)) throw new TypeError('an array’s function was called on something else');
  }

  /** Appends what an array holds to `made`, arrays inside it down to a depth. */
  function flatten(made, list, depth) {
    const { length } = list;
    for (let i = 0; i < length; i++) {
      if (!(i in list)) continue;
      const item = list[i];
      if (depth >= 1 && isArray(item)) flatten(made, item, depth - 1);
      else made[made.length] = item;
    }
    return made;
  }

  replace(Array.prototype, {
    flat(depth = 1) {
      requireArray(this);
      return flatten([], this, Number(depth));
    },
    flatMap(map, self) {
      requireArray(this);
      return flatten([], this.map(map, self), 1);
    },
    concat(...given) {
      requireArray(this);
      const made = [];
      let length = 0;
      for (let at = -1; at < given.length; at++) {
        const list = at < 0 ? this : given[at];
        // A thing that only pretends to be an array stays one thing.
        if (!isArray(list)) {
          made[length++] = list;
          continue;
        }
        const { length: more } = list;
        for (let i = 0; i < more; i++, length++) if (i in list) made[length] = list[i];
      }
      made.length = length;
      return made;
    },
  });
  replace(Array, {
    from(items, map, self) {
      const made = [];
      const put = (item) => {
        made[made.length] = map ? map.call(self, item, made.length) : item;
      };
      if (items[Symbol.iterator] !== undefined) for (const item of items) put(item);
      else for (let i = 0, { length } = items; i < length; i++) put(items[i]);
      return made;
    },
  });

  // Functions that give iterators check what they are given at once, and walk when they are asked.
  const walks = {
    *drop(walked, count) {
      let left = count;
      for (const item of walked) if (left-- <= 0) yield item;
    },
    *take(walked, count) {
      let left = count;
      if (left > 0) {
        for (const item of walked) {
          yield item;
          if (--left <= 0) return;
        }
      }
    },
    *filter(walked, isWanted) {
      let i = 0;
      for (const item of walked) if (isWanted(item, i++)) yield item;
    },
    *map(walked, map) {
      let i = 0;
      for (const item of walked) yield map(item, i++);
    },
    *flatMap(walked, map) {
      let i = 0;
      for (const item of walked) yield* map(item, i++);
    },
  };
  function countOf(given) {
    const count = Math.trunc(Number(given));
    if (!(count >= 0)) throw new RangeError('must be positive');
    return count;
  }
  replace(Iterator.prototype, {
    drop(count) {
      return walks.drop(this, countOf(count));
    },
    take(count) {
      return walks.take(this, countOf(count));
    },
    filter(isWanted) {
      requireFunction(isWanted);
      return walks.filter(this, isWanted);
    },
    map(map) {
      requireFunction(map);
      return walks.map(this, map);
    },
    flatMap(map) {
      requireFunction(map);
      return walks.flatMap(this, map);
    },
    every(isSo) {
      requireFunction(isSo);
      let i = 0;
      for (const item of this) if (!isSo(item, i++)) return false;
      return true;
    },
    some(isSo) {
      requireFunction(isSo);
      let i = 0;
      for (const item of this) if (isSo(item, i++)) return true;
      return false;
    },
    find(isSo) {
      requireFunction(isSo);
      let i = 0;
      for (const item of this) if (isSo(item, i++)) return item;
      return undefined;
    },
    forEach(use) {
      requireFunction(use);
      let i = 0;
      for (const item of this) use(item, i++);
    },
    reduce(join, ...initial) {
      requireFunction(join);
      let [sum] = initial;
      let isEmpty = initial.length === 0;
      let i = 0;
      for (const item of this) {
        sum = isEmpty ? item : join(sum, item, i);
        isEmpty = false;
        i++;
      }
      if (isEmpty) throw new TypeError('empty iterator');
      return sum;
    },
    toArray() {
      return [...this];
    },
  });

  const keysOf = (other) => ({ [Symbol.iterator]: () => other.keys() });

  /** A constructor that walks through what it is given itself; the rest of the built-in one stays. */
  function rebuilt(name, put, functions = {}) {
    const Native = globalThis[name];
    const { prototype } = Native;
    const made = {
      [name]: function (items) {
        if (new.target === undefined) throw new TypeError(`${name} has to be called with new`);
        const one = construct(Native, [], new.target);
        if (items !== undefined && items !== null) for (const item of items) put(one, item);
        return one;
      },
    }[name];
    defineProperty(made, 'prototype', { value: prototype, writable: false });
    replace(made, functions);
    replace(prototype, { constructor: made });
    replace(globalThis, { [name]: made });
  }
  const add = (one, item) => one.add(item);
  const set = (one, [key, value]) => one.set(key, value);
  rebuilt('WeakSet', add);
  rebuilt('WeakMap', set);
  rebuilt('Set', add);
  rebuilt('Map', set, {
    groupBy(items, nameOf) {
      const groups = new Map();
      let i = 0;
      for (const item of items) {
        const name = nameOf(item, i++);
        if (groups.has(name)) groups.get(name).push(item);
        else groups.set(name, [item]);
      }
      return groups;
    },
  });
  replace(Object, {
    fromEntries(entries) {
      const made = {};
      for (const [key, value] of entries) {
        defineProperty(made, key, { value, writable: true, configurable: true, enumerable: true });
      }
      return made;
    },
    groupBy(items, nameOf) {
      const groups = Object.create(null);
      let i = 0;
      for (const item of items) {
        const name = nameOf(item, i++);
        groups[name] ??= [];
        groups[name].push(item);
      }
      return groups;
    },
  });
  replace(Set.prototype, {
    union(other) {
      const made = new Set(this);
      for (const item of keysOf(other)) made.add(item);
      return made;
    },
    intersection(other) {
      const made = new Set();
      if (this.size <= other.size) {
        for (const item of this) if (other.has(item)) made.add(item);
      } else for (const item of keysOf(other)) if (this.has(item)) made.add(item);
      return made;
    },
    difference(other) {
      const made = new Set();
      for (const item of this) if (!other.has(item)) made.add(item);
      return made;
    },
    symmetricDifference(other) {
      const made = new Set(this);
      for (const item of keysOf(other)) {
        if (this.has(item)) made.delete(item);
        else made.add(item);
      }
      return made;
    },
    isSubsetOf(other) {
      if (this.size > other.size) return false;
      for (const item of this) if (!other.has(item)) return false;
      return true;
    },
    isSupersetOf(other) {
      for (const item of keysOf(other)) if (!this.has(item)) return false;
      return true;
    },
    isDisjointFrom(other) {
      for (const item of this) if (other.has(item)) return false;
      return true;
    },
  });
  replace(String, {
    raw({ raw }, ...given) {
      let text = '';
      for (let i = 0; i < raw.length; i++) text += raw[i] + (i + 1 < raw.length && i < given.length ? given[i] : '');
      return text;
    },
  });

  // Nothing that waits is ever gone on with.
  for (const name of ['all', 'allSettled', 'any', 'race']) delete Promise[name];
  delete Array.fromAsync;
  delete Math.sumPrecise;
  delete Math.random;
  delete globalThis.queueMicrotask;
})();
