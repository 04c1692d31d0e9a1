/** Texts that nobody means well by: pieces of the language and other signs, mutated, repeated and nested. */

import { compile } from '../../src/formula/compile';
import { FormulaError } from '../../src/formula/error';
import { FORMULA_LIMITS } from '../../src/formula/limits';
import { evaluateTape } from '../../src/formula/tape';
import { vocabulary } from '../../src/formula/vocabularyHelp';
import { passesIn, wgslModule } from '../../src/formula/wgsl/module';
import type { RandomStream } from '../../src/foundation/philox';
import { randomFormula } from './randomFormula';
import type { Scene } from './scene';

/** What a compile may grow to, beyond what a text says: derivatives are several operations for each. */
const MOST_NODES = 8 * FORMULA_LIMITS.operations;

const SIGNS = '()[]+-*/<>=!,.#:;\'"\\`$@{}|&^~?%_ \t\n\r\u0000\u0085\u2028\u2029−×≤😀\ud800é∞';
const PIECES = [
  ...vocabulary().map(({ name }) => name),
  ...['param', 'show', 'loss', 'if', 'else', 'in', 'and', 'or', 'not', '**', '==', '<=', '1e308', '1e-320', '0', '-1'],
  ...['1e999', '0x10', '__proto__', 'constructor', 'toString', 'select', 'f32', 'params', 'packed', 'var', 'fn', '_'],
  ...['// #include "lib/grid.wgsl"', '@compute', '$SIZE', '*/', '}', '\nloss = logp', '\nparam p = 1 in [0, 2]\n'],
];

const pick = <T>(random: RandomStream, of: ArrayLike<T>): T => of[random.below(of.length)] as T;

export function hostileText(random: RandomStream): string {
  switch (random.below(8)) {
    case 0:
      return Array.from({ length: random.below(40) }, () => pick(random, PIECES)).join(' ');
    case 1:
      return Array.from({ length: random.below(120) }, () => pick(random, SIGNS)).join('');
    case 2:
      return nested(random);
    case 3:
      return grown(random);
    default:
      return mutated(random, randomFormula(random, 1 + random.below(3)));
  }
}

/** Brackets, signs, functions and choices inside each other, or many in a row. */
function nested(random: RandomStream): string {
  const times = random.below(700);
  const [before, after] = pick(random, [
    ['(', ')'],
    ['-', ''],
    ['not ', ''],
    ['exp(', ')'],
    ['1 if 1 < ', ' else 2'],
    ['logp + ', ''],
    ['logp ** ', ''],
    ['logp / ', ''],
    ['min(logp, ', ')'],
    ['mean_group(', ')'],
    ['A < ', ''],
    ['logp * ', ' * entropy'],
  ]);
  return `loss = ${before.repeat(times)}logp${after.repeat(times)}`;
}

/** Each line of twice the size of the one before, or of as many reductions. */
function grown(random: RandomStream): string {
  const names = ['logp * A'];
  const lines = Array.from({ length: 1 + random.below(60) }, (_, i) => {
    const [a, b] = [pick(random, names), pick(random, names)];
    const reduced = `${pick(random, ['mean', 'max', 'std', 'sum'])}_${pick(random, ['turn', 'trajectory', 'group', 'batch'])}`;
    const sign = pick(random, ['+', '*', '/', '-', '**']);
    const text = pick(random, [`(${a}) ${sign} (${b})`, `${reduced}((${a}) * logp)`, `exp(${a}) ${sign} ${b}`]);
    names.push(`x${i}`);
    return `x${i} = ${text}`;
  });
  return [...lines, `loss = ${names.at(-1)} + logp`].join('\n');
}

function mutated(random: RandomStream, text: string): string {
  let mutant = text;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const [from, length] = [random.below(mutant.length + 1), random.below(12)];
    const [before, cut, after] = [
      mutant.slice(0, from),
      mutant.slice(from, from + length),
      mutant.slice(from + length),
    ];
    const changed = [cut.repeat(1 + random.below(3)), '', pick(random, PIECES), `${cut}${pick(random, SIGNS)}`];
    mutant = `${before}${pick(random, changed)}${after}`;
  }
  return mutant;
}

/**
 * What becomes of a text: an error with its place, or a formula within bounds that can be evaluated and printed. Anything
 * else is thrown. Returns null for an error.
 */
export function judged(text: string, scene: Scene): { readonly nodes: number; readonly characters: number } | null {
  let formula: ReturnType<typeof compile>;
  try {
    formula = compile(text);
  } catch (cause) {
    if (!(cause instanceof FormulaError)) throw cause;
    const { line, column, span } = cause;
    const isPlace = line >= 1 && column >= 1 && span.from >= 0 && span.from <= span.to && span.to <= text.length;
    if (!isPlace) throw new Error(`The place ${line}:${column} (${span.from}–${span.to}) is none of the text.`);
    return null;
  }
  const nodes = formula.nodes.length;
  if (nodes > MOST_NODES) throw new Error(`${nodes} operations.`);
  const parameters = formula.parameters.map((parameter) => parameter.default);
  evaluateTape(formula, scene.structure, scene.inputs, parameters);
  let characters = 0;
  for (const kind of ['held', 'objective'] as const) {
    if (passesIn(formula, kind).length === 0) continue;
    for (const commented of [true, false]) characters += wgslModule(formula, kind, { commented }).length;
  }
  return { nodes, characters };
}
