/** Worlds' texts with mistakes in them: words swapped, dropped, doubled, or put from one world into another; some mean harm. */
import { readdirSync, readFileSync } from 'node:fs';
import { checkWorld, type WorldReport } from '../../src/environments/own/examine/check';
import type { RandomStream } from '../../src/foundation/philox';
import { HOSTILE } from './hostile';

const SOURCES = readdirSync('worlds').map((name) => readFileSync(`worlds/${name}`, 'utf8'));

/** Pieces that no careful author writes. */
const STRANGE = [
  ...[
    'null',
    'undefined',
    '-1',
    '1e999',
    '0 / 0',
    '2 ** 53',
    '[]',
    '{}',
    '""',
    '`\u2028`',
    'this',
    'globalThis',
    'arguments',
  ],
  ...['=> {', '}', ')', '(', ';', ',', '...', '?.', '/*', '//', '`', "'", 'await', 'yield', 'import("x")', 'new Map()'],
  ...['throw null;', 'Object.prototype', 'constructor.constructor("return this")()', '__proto__', 'JSON.stringify'],
  ...['.repeat(1e9)', 'new Array(4e9).join()', 'Array.prototype.push = null;', 'delete globalThis.Math;', 'eval("1")'],
];

/** Values that are large, or not what they seem. */
const LARGE = [
  ...[
    '"\\u0301\\u0316".repeat(40000)',
    '"ab".repeat(2e6)',
    '"a".repeat(60) + "b"',
    'new RegExp("(a|aa)+$", "gu")',
    'new Array(4e9)',
  ],
  ...[
    'Array.from({ length: 50000 }, (_, i) => (i * 7919) % 50021)',
    '{ length: 2 ** 53 - 1 }',
    '"x{9}".repeat(5000)',
    '2 ** 32 - 1',
  ],
  ...[
    'new Set([1].values().flatMap(() => new Array(1e5)))',
    '{ valueOf() { return 1e8; }, toString() { return "(a*)*b"; } }',
  ],
  ...[
    '{ [Symbol.iterator]() { return this; }, next: () => ({ value: [1, 2], done: false }) }',
    'arguments',
    '() => new Array(1e5)',
  ],
];
/** Built-in functions, as a text names them. Node knows none of Iterator's. */
const NATIVE = [
  ...'drop every filter find flatMap forEach map reduce some take toArray'
    .split(' ')
    .map((name) => `Iterator.prototype.${name}`),
  ...[Array, Map, Number, Object, RegExp, Set, String, Symbol].flatMap((owner) => [
    ...Object.getOwnPropertyNames(owner.prototype).map((name) => `${owner.name}.prototype.${name}`),
    ...Object.getOwnPropertyNames(owner).map((name) => `${owner.name}.${name}`),
  ]),
];
const BODIES = Object.values(HOSTILE);
/** One text of so many means harm. */
const HARMFUL = 16;

/** A statement that works long. */
function harm(random: RandomStream): string {
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  if (random.below(2) === 0) return `{ ${one(BODIES)} }`;
  const call = `${one(NATIVE)}.call(${one(LARGE)}, ${one(LARGE)}, ${one(LARGE)});`;
  return random.below(2) === 0 ? call : `for (;;) try { ${call} } catch {}`;
}

/** The text with a statement at the beginning of one of its functions. */
function withHarm(text: string, random: RandomStream): string {
  const places = [...text.matchAll(/(?:=>|\)) \{/g)];
  const place = places[random.below(Math.max(1, places.length))];
  const at = place === undefined ? 0 : place.index + place[0].length;
  return `${text.slice(0, at)} ${harm(random)} ${text.slice(at)}`;
}

const PIECE = /[\w$]+|\s+|[^\w\s]/g;

export function mutatedWorld(random: RandomStream): string {
  const pieces = (random: RandomStream): string[] => SOURCES[random.below(SOURCES.length)]?.match(PIECE) ?? [];
  const text = pieces(random);
  const other = pieces(random);
  for (let change = 1 + random.below(4); change > 0; change--) {
    const at = random.below(text.length);
    const from = random.below(other.length);
    const kind = random.below(6);
    if (kind === 0) text.splice(at, 1);
    else if (kind === 1) text.splice(at, 0, text[random.below(text.length)] ?? '');
    else if (kind === 2) text[at] = text[random.below(text.length)] ?? '';
    else if (kind === 3) text[at] = STRANGE[random.below(STRANGE.length)] ?? '';
    else if (kind === 4) text.splice(at, random.below(12));
    else text.splice(at, random.below(6), ...other.slice(from, from + random.below(12)));
  }
  const made = text.join('');
  return random.below(HARMFUL) === 0 ? withHarm(made, random) : made;
}

/** The report on a text; whatever the text is, there is one. */
export function judgedWorld(text: string, episodes: number): WorldReport {
  const looking = checkWorld(text, {}, episodes);
  for (;;) {
    const { done, value } = looking.next();
    if (done) return value;
  }
}
