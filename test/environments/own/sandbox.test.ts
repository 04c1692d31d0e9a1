/** Texts that mean harm, or are wrong: each ends in a message with its line, and the next text runs as if nothing had been. */
import { describe, expect, it } from 'vitest';
import type { WorldError } from '../../../src/environments/own/examine/failure';
import { openWorlds } from '../../../src/environments/own/here';
import { Guest } from '../../../src/environments/own/sandbox';
import { play, randomly, stream } from '../../support/episodes';
import { openWorld, type Parts, walkText } from '../../support/ownWorlds';

const inStep = (code: string): Partial<Parts> => ({
  step: `(state, action, random) => {
        ${code}
        return { state, say: ['c1'] };
      }`,
});

/** Error of an episode of a world. */
async function failure(parts: Partial<Parts> | string): Promise<WorldError> {
  try {
    const environment = await openWorld(typeof parts === 'string' ? parts : walkText(parts));
    const random = stream(1);
    play(environment, environment.drawTask(random), randomly(environment, random));
  } catch (cause) {
    return cause as WorldError;
  }
  throw new Error('Nothing was thrown.');
}

/** Line in which step() begins in walkText(). */
const STEP = 11;

describe('a world’s mistakes', () => {
  it.each<[string, Partial<Parts> | string, RegExp, number]>([
    ['an error', inStep('null.x;'), /step\(\): TypeError: cannot read property 'x' of null/, STEP + 1],
    ['a name that is not there', inStep('fetch("/");'), /fetch is not defined/, STEP + 1],
    ['something thrown that is no error', inStep('throw 3;'), /step\(\) threw “3”/, STEP],
    [
      'a word never declared',
      inStep("return { state, say: ['elsewhere'] };"),
      /“elsewhere”, which is not in words/,
      STEP + 1,
    ],
    [
      'a state that is no JSON',
      inStep('return { state: { seen: new Map() }, say: [] };'),
      /state\.seen is a Map/,
      STEP,
    ],
    ['a number that is none', inStep('return { state: { at: 0 / 0 }, say: [] };'), /state\.at is NaN/, STEP],
    [
      'an answer too long',
      inStep("return { state, say: ['c1', 'c2'] };"),
      /says? 2 words, and longest\.answer is 1|said 2 words/,
      STEP,
    ],
    ['silence', inStep('return { state, say: [] };'), /said nothing/, STEP],
    [
      'a field that no step has',
      inStep("return { state, sya: ['c1'] };"),
      /“sya”, which no step has: there are state, say/,
      STEP + 1,
    ],
    ['no object', inStep('return 7;'), /returned no object/, STEP],
    ['recursion without end', inStep('const f = () => f() + 1; f();'), /call stack/, STEP + 1],
    ['a word twice', { words: "['c0', 'c0']" }, /“c0” is twice in words/, 7],
    ['a prompt with a word unknown', { start: "() => ({ state: { at: 0 }, say: 'nowhere' })" }, /“nowhere”/, 10],
    ['a mistake in the spelling', 'export default {\n  title: = 3\n};', /SyntaxError/, 2],
    ['no export', 'const title = 1;', /no `export default/, 0],
    ['an import', 'import fs from "fs";\nexport default {};', /could not load module/, 0],
    ['a setting without limits', { settings: '{ length: { default: 5 } }' }, /settings\.length needs numbers/, 4],
    ['a function missing', { task: 'null' }, /create\(\) returns no task\(\)/, 5],
  ])('%s', async (_, parts, message, line) => {
    const error = await failure(parts);
    expect(error.message).toMatch(message);
    expect(error.line).toBe(line);
    expect(error.code).toBe('invalid-world');
  });

  it('too few tasks to hold some out', async () => {
    const environment = await openWorld(walkText({ task: '() => ({ from: 1 })' }));
    const drawn = (split: 'train' | 'held-out') => () => environment.beginning(environment.drawTask(stream(1), split));
    const [one, other] = [drawn('train'), drawn('held-out')].map((draw) => {
      try {
        return String(draw()[1]);
      } catch (cause) {
        return String(cause);
      }
    });
    expect([one, other].sort()[1]).toBe('c1');
    expect([one, other].sort()[0]).toMatch(/of 1 different tasks none is for .*heldOut \(0 holds none out\)/);
  });

  it('a setting out of its limits, or unknown', async () => {
    await expect(openWorld(walkText(), { length: 99 })).rejects.toThrow(/length cannot be 99.*from 3 to 9/);
    await expect(openWorld(walkText(), { width: 4 })).rejects.toThrow(/no setting width.*length, slip/);
    await expect(openWorld(walkText(), { length: 4.5 })).rejects.toThrow(/whole number/);
  });
});

describe('the sandbox', () => {
  it.each([
    ['an endless loop', inStep('for (;;) state.at += 1;'), /step\(\) did not come to an end/],
    ['a loop that catches everything', inStep('for (;;) try { throw 1; } catch {}'), /did not come to an end/],
    ['a search in text without end', inStep('/^(a|aa)+$/.test("a".repeat(60) + "b");'), /did not come to an end/],
    ['a long walk in a built-in function', inStep('new Array(4e9).indexOf(1);'), /step\(\) did not come to an end/],
    ['the same, hidden', inStep('Array.prototype.indexOf.call({ length: 2 ** 53 }, 1);'), /did not come to an end/],
    ['many long walks', inStep('const a = new Array(1e6); for (;;) a.includes(1);'), /did not come to an end/],
    [
      'memory without end',
      inStep('const a = []; for (;;) a.push(new Array(100).fill(a.length));'),
      /memory|come to an end/,
    ],
    ['a text without end', inStep('let s = "abc"; for (;;) s += s;'), /memory|too long/],
    ['an array of arrays without end', inStep('let x = []; for (;;) x = [x, x];'), /memory|come to an end|stack/],
    [
      'deep JSON',
      inStep('let x = []; for (let i = 0; i < 1e5; i++) x = [x]; return { state: x, say: [] };'),
      /deeply|memory|stack/,
    ],
  ])('ends %s', async (_, parts, message) => {
    expect((await failure(parts)).message).toMatch(message);
    // A text that broke QuickJS has left nothing behind.
    const environment = await openWorld(walkText());
    const { world } = play(environment, environment.drawTask(stream(2)), (one, slot) => one.expert?.(slot) ?? []);
    expect(world.isSuccess(1)).toBe(true);
  });

  it('holds nothing but the language', async () => {
    await openWorlds();
    const outside =
      'Date performance fetch XMLHttpRequest WebSocket setTimeout setInterval queueMicrotask process require module console ' +
      'self window document navigator postMessage importScripts crypto Intl WebAssembly SharedWorker Worker indexedDB ' +
      'localStorage Proxy BigInt Uint8Array ArrayBuffer SharedArrayBuffer Atomics WeakRef FinalizationRegistry std os print';
    const text = `export default { title: 'T', summary: 'S.', create() {
      const found = '${outside}'.split(' ').filter((name) => typeof globalThis[name] !== 'undefined');
      if (typeof Math.random !== 'undefined') found.push('random');
      const reached = [].constructor.constructor('return this')();
      throw new Error([...found, reached === globalThis, Object.keys(globalThis).join()].join(' '));
    } };`;
    const guest = new Guest(text, null);
    expect(() => guest.value('create', '{}')).toThrow(/create\(\): Error: true \(line 5\)/);
    guest.close();
  });

  it.each<[string, Partial<Parts>, RegExp]>([
    [
      'a stack of empty lines',
      inStep("throw Object.assign(new Error('x'), { stack: '\\n'.repeat(1e6) });"),
      /^step\(\): Error: x/,
    ],
    [
      'a stack with a name that fills the page',
      inStep("throw Object.assign(new Error('x'), { stack: ` at ${'a'.repeat(2e3)} (world.js:1:1)` });"),
      /^a+…\(\): Error: x/,
    ],
    [
      'millions of answers',
      {
        ...inStep("String.prototype.split = () => ({ map: () => ({ join: () => '\\n'.repeat(5e6) }) });"),
      },
      /answers are missing/,
    ],
    [
      'a set of actions that fills the page',
      { fields: "actions: { ['\\n' + 'y'.repeat(1e6)]: [] }" },
      /^actions\.y+… has no words/,
    ],
    [
      'a set that turns the direction',
      { fields: "legal: () => '\\u202e\\x1b[31m'" },
      /^legal\(\) names “\ufffd\ufffd\[31m”/,
    ],
    ['a set that cannot be told', { fields: 'legal: () => ({ toString: 1 })' }, /^legal\(\) names “{"toString":1}”/],
    [
      'a word that cannot be told',
      inStep('return { state, say: [{ toString: 1 }] };'),
      /^step\(\) says “{"toString":1}”/,
    ],
    [
      'an answer without what was told',
      inStep("String.prototype.split = () => ({ map: () => ({ join: () => '={}' }) }); "),
      /^step\(\) returned no object/,
    ],
    [
      'a state that fills the memory',
      inStep("return { state: 'x'.repeat(1e6), say: ['c1'] };"),
      /^A state has 1,000,002 char/,
    ],
  ])('tells %s in a line', async (_, parts, message) => {
    const error = await failure(parts);
    expect(error.message).toMatch(message);
    expect(error.code).toBe('invalid-world');
    expect(error.message.length).toBeLessThan(250);
  });

  it('takes nothing from a world that changes the language it is asked in', async () => {
    const changes = [
      'Array.prototype.push = () => 0;',
      'Array.prototype.map = () => ["!no"];',
      'String.prototype.split = () => [];',
      'Object.prototype.toJSON = () => 7;',
      'JSON.parse = JSON.stringify = Reflect.apply = () => 7;',
      'Object.defineProperty(Object.prototype, "text", { get: () => "{}" });',
      'Array.isArray = () => true; Array.prototype[Symbol.iterator] = function* () { yield 1e9; };',
    ];
    for (const change of changes) {
      const environment = openWorld(walkText({ before: `${change}\n` }));
      // It plays, or fails as a world of its author's making: as nothing else.
      const played = environment.then((one) => play(one, one.drawTask(stream(3)), randomly(one, stream(4))));
      const error = await played.then(
        () => null,
        (cause: unknown) => cause,
      );
      if (error !== null) expect(error, change).toMatchObject({ code: 'invalid-world' });
    }
    expect(await openWorld(walkText({ before: '// again\n' }))).toBeDefined();
  });
});
