/*
 * Inside the sandbox, first of all. Built-in functions cannot be interrupted, so those that walk through arrays and texts pay
 * for what they walk through; walks.js replaces those that walk through anything else. Evaluates to a function that allows a call its whole budget again.
 */
(() => {
  const { apply } = Reflect;
  const { isArray } = Array;
  const { min } = Math;

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
          let result;
          try {
            result = apply(native, this, given);
          } catch (error) {
            // Code that found no memory has worked long, and would again.
            if (error === null || error?.message === 'out of memory') spent = BUDGET;
            throw error;
          }
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
      'copyWithin every fill filter find findIndex findLast findLastIndex forEach includes indexOf join ' +
      'lastIndexOf map reduce reduceRight reverse shift slice some splice toLocaleString toReversed toSorted ' +
      'toSpliced toString unshift with'
    ).split(' '),
    ofArray,
  );
  charge(Array.prototype, ['sort'], (self) => 4 * ofArray(self));
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
  charge(Object, 'assign entries getOwnPropertyDescriptors getOwnPropertyNames keys values'.split(' '), () => 10);
  charge(JSON, ['parse'], (_, [text]) => ofText(text));
  charge(JSON, ['stringify'], (_, [, kept]) => (isArray(kept) ? kept.length : 10));
  return () => {
    spent = 0;
  };
})();
