/*
 * Chance inside the sandbox, and no other: Philox 4x32-10, the same numbers as foundation/philox.ts and dice.ts. Evaluates to the two
 * functions that serve.js needs.
 */
(() => {
  const { isArray } = Array;
  const { floor, imul } = Math;
  const isNumber = Number.isFinite;
  delete Math.random;

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
      if (!isNumber(total)) throw new RangeError('random.weighted: the sum of the weights is too large');
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

  return { philox, chance };
})();
