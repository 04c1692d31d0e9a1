/** Calls of worlds that mean harm, and how long the processor works on each. */
import process from 'node:process';
import { Guest, openQuickJs } from '../../src/environments/own/sandbox';

/** Milliseconds that the processor gave to this process. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Texts whose work is in operators and built-in functions. Each is the body of a function, whose end it may not reach. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'an empty loop': 'for (;;);',
  'copies of an array': 'const a = []; for (let i = 0; i < 300000; i++) a.push(i); for (;;) [...a];',
  'copies of an object': 'const o = {}; for (let i = 0; i < 20000; i++) o["k" + i] = i; for (;;) ({ ...o });',
  'copies of a text': 'const s = "x".repeat(4e6); for (;;) s.slice(1) + "y";',
  'a text that grows': 'let s = "abc"; for (;;) s += s;',
  'texts that are compared':
    'const s = "x".repeat(4e6); const t = "x".repeat(4e6 - 1) + "y"; for (;;) if (s < t === t) break;',
  'a walk over holes': 'const a = []; a.length = 4294967295; a.values().drop(4294967294).next();',
  'an array of holes as a text': 'const a = []; a.length = 4294967295; a.join();',
  'a hidden walk': 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
  'a length that lies': 'Array.prototype.reverse.call({ get length() { return 2 ** 53 - 1; } });',
  'an array of another kind':
    'class A extends Array { static get [Symbol.species]() { return function () { for (;;); }; } } new A(9).map(String);',
  'a value that is asked': 'const o = { valueOf() { for (;;); }, toString() { for (;;); } }; "x".repeat(o);',
  'nested arrays as JSON': 'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; JSON.stringify(a);',
  'nested arrays, flat': 'let a = []; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity);',
  'JSON of chosen keys': 'JSON.stringify({}, Array.from({ length: 100000 }, (_, i) => "k" + i));',
  'normal forms': '"\\u0301\\u0316".repeat(65536).normalize("NFD");',
  'normal forms that are compared':
    '"\\u0301\\u0316".repeat(10000).localeCompare("\\u0301\\u0316".repeat(10000) + "a");',
  'a long expression': 'new RegExp("(?:a|b|c)".repeat(30000));',
  'a nested expression': 'new RegExp("(".repeat(200) + "a" + "){9}".repeat(200));',
  'classes of characters':
    'new RegExp("[" + Array.from({ length: 20000 }, (_, i) => String.fromCharCode(200 + i * 3)).join("") + "]", "iu");',
  'a search that goes back': '/^(a|aa)+$/.test("a".repeat(60) + "b");',
  'a search by a copy': '/^(a+)(?:\\1)*b/.test("a".repeat(500000));',
  'a search behind': '/(?<=(a*)*)b/.test("a".repeat(30) + "c");',
  'a search for each character': '"a".repeat(1e6).replace(/a*?b/g, "");',
  'an expression made again': 'const r = /a/; for (;;) r.compile("[a-z]{1,9}".repeat(999), "iu");',
  'a text in a text': '"a".repeat(1e6).indexOf("a".repeat(5e5) + "b");',
  'large letters': 'const s = "\\u0149".repeat(1e6); for (;;) s.toUpperCase();',
  sorting: 'const a = []; for (let i = 0; i < 200000; i++) a.push((i * 7919) % 200003); for (;;) [...a].sort();',
  shifting: 'const a = new Array(300000).fill(1); for (;;) a.splice(0, 1, 2, 3);',
  'big numbers': 'let a = 3n; for (;;) a *= a;',
  'digits of a number': 'const s = "1".repeat(1e6); for (;;) parseInt(s, 3) + parseFloat(s);',
  'a text that is code': 'eval("1+".repeat(1e6) + "1");',
  'functions made of texts': 'for (let i = 0; ; i++) new Function("a" + i, ";".repeat(9999));',
  'long names': 'const o = {}; const s = "x".repeat(3e6); for (let i = 0; ; i++) o[s + i] = 1;',
  'symbols of long names': 'for (let i = 0; ; i++) Symbol.for("x".repeat(100000) + (i % 5));',
  'a map whose keys collide': 'const m = new Map(); for (let i = 0; ; i++) m.set(i * 4294967296, i);',
  'kin of a set':
    'new Set([undefined]).isSupersetOf({ size: 1, has() {}, keys: () => [].values.call({ length: 4294967295 }) });',
  'many parents': 'let o = {}; for (let i = 0; i < 20000; i++) o = Object.create(o); for (;;) o.missing;',
  'parents far apart':
    'const o = []; for (let i = 0; i < 60000; i++) o.push({}); for (let i = 1; i < 60000; i++) ' +
    'Object.setPrototypeOf(o[(i * 48611) % 60000], o[((i - 1) * 48611) % 60000]); for (;;) o[48611].missing, o[11389].missing;',
  'objects that hold themselves':
    'for (;;) { const a = []; for (let i = 0; i < 20000; i++) { const x = {}; x.x = x; a.push(x); } }',
  'values far apart':
    'const m = new Map(); for (let i = 0; i < 100000; i++) m.set((i * 7919) % 100003, i); for (let i = 0; ; i++) m.get((i * 31337) % 100003);',
  'arguments without end': 'const f = (...a) => a.length; const a = new Array(60000).fill(1); for (;;) f(...a);',
  'errors that are caught': 'for (;;) try { throw new Error("x"); } catch {}',
  'recursion that is caught': 'const f = () => { try { f(); } finally { f(); } }; f();',
  'memory that is caught': 'for (;;) try { "x".repeat(1e8) + new Array(1e7).fill(1); } catch {}',
  'a template': 'let s = "ab"; for (;;) s = `\x24{s}\x24{s.slice(0, 1000)}`;',
  'a generator': 'function* g() { for (;;) yield* [1, 2, 3]; } for (const x of g());',
  escapes: 'const s = "\\u1234".repeat(300000); for (;;) encodeURIComponent(s) + escape(s);',
  'a stack that is told': 'const f = (n) => (n ? f(n - 1) : new Error("x").stack); for (;;) f(60);',
};

interface Measured {
  readonly said: string;
  /** Milliseconds of the processor. */
  readonly time: number;
}

/** A call of a world's text: its answer, or what is wrong. */
export async function measured(guest: Guest, command: string, line: string): Promise<Measured> {
  // A call before it may have broken it.
  await openQuickJs();
  const began = processorTime();
  let said: string;
  try {
    said = guest.value(command, line);
  } catch (cause) {
    said = cause instanceof Error ? cause.message : String(cause);
  }
  return { said, time: processorTime() - began };
}

/** A hostile text, tried. */
export async function tried(body: string, work: number): Promise<Measured> {
  const guest = new Guest(`export default { create() { ${body}\nreturn {}; } };`, null, work);
  const found = await measured(guest, 'create', '{}');
  guest.close();
  return found;
}
