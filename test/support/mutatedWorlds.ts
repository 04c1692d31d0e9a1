/** Worlds' texts with mistakes in them: words swapped, dropped, doubled, or put from one world into another. */
import { readdirSync, readFileSync } from 'node:fs';
import { checkWorld, type WorldReport } from '../../src/environments/own/check';
import type { RandomStream } from '../../src/foundation/philox';

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
  return text.join('');
}

/** The report on a text; whatever the text is, there is one. */
export function judgedWorld(text: string, episodes: number): WorldReport {
  const looking = checkWorld(text, {}, episodes);
  for (;;) {
    const { done, value } = looking.next();
    if (done) return value;
  }
}
