/** Nodes as WGSL expressions and `let` statements. */
import type { FormulaNode } from '../graph';
import { isAbove, type Level } from '../levels';
import type { FormulaProgram } from '../program';
import type { Names } from './names';

/** WGSL for a node that is no operation: an input, a parameter, the result of a reduction. */
export type ReadNode = (node: FormulaNode, scope: Scope) => string;

/** Statements of a block, and the nodes that have a name in it. */
export class Scope {
  readonly lines: string[] = [];
  readonly names: Names;
  /** Values of this level and below are made here, those of higher levels in blocks inside. */
  readonly level: Level;
  readonly outer: Scope | null;
  readonly known = new Map<FormulaNode, string>();

  constructor(names: Names, level: Level, outer: Scope | null) {
    this.names = names;
    this.level = level;
    this.outer = outer;
  }

  inner(level: Level): Scope {
    return new Scope(this.names, level, this);
  }

  find(node: FormulaNode): string | undefined {
    return this.known.get(node) ?? this.outer?.find(node);
  }
}

/** Operations inside each other on one line, by default. */
const MOST_NESTED = 6;

/** Functions of the library by operation; WGSL's own where they do. */
const CALLS: Readonly<Partial<Record<FormulaNode['op'], string>>> = {
  exp: 'expOf',
  log: 'logOf',
  log1p: 'log1pOf',
  expm1: 'expm1Of',
  sqrt: 'sqrtOf',
  abs: 'abs',
  sign: 'signOf',
  sigmoid: 'sigmoidOf',
  tanh: 'tanhOf',
  softplus: 'softplusOf',
  pow: 'powOf',
  min: 'minOf',
  max: 'maxOf',
  gated: 'gated',
};

/**
 * WGSL's own functions, a fraction of the time on software: for texts whose numbers stay finite. A product needs no guard
 * there: 0 times a number is 0.
 */
const OWN_CALLS: Readonly<Partial<Record<FormulaNode['op'], string>>> = {
  ...CALLS,
  exp: 'exp',
  log: 'log',
  sign: 'sign',
  min: 'min',
  max: 'max',
};

const SIGNS: Readonly<Partial<Record<FormulaNode['op'], string>>> = { add: '+', sub: '-', mul: '*', div: '/' };
const CONDITIONS: Readonly<Partial<Record<FormulaNode['op'], string>>> = {
  lt: '<',
  le: '<=',
  eq: '==',
  and: '&&',
  or: '||',
};

interface Printed {
  readonly text: string;
  /** Operations inside each other. */
  readonly nested: number;
}

interface Style {
  /** Operations inside each other on one line. */
  readonly mostNested: number;
  /** True if all numbers are known to be finite. */
  readonly finite: boolean;
}

export class Expressions {
  readonly #read: ReadNode;
  readonly #parameters: readonly string[];
  readonly #uses = new Map<FormulaNode, number>();
  readonly #named = new Map<FormulaNode, { readonly name: string; readonly source: string }>();

  readonly #mostNested: number;
  readonly #calls: typeof CALLS;
  readonly #signs: typeof SIGNS;

  /** `nodes`: all that may be printed. */
  constructor(
    nodes: readonly FormulaNode[],
    outputs: readonly FormulaNode[],
    program: FormulaProgram,
    read: ReadNode,
    { mostNested, finite }: Style = { mostNested: MOST_NESTED, finite: false },
  ) {
    this.#mostNested = mostNested;
    this.#calls = finite ? OWN_CALLS : CALLS;
    this.#signs = finite ? { ...SIGNS, gated: '*' } : SIGNS;
    const { named, text } = program;
    this.#parameters = program.parameters.map(({ name }) => name);
    this.#read = read;
    for (const node of [...outputs, ...nodes.flatMap(({ args }) => args)])
      this.#uses.set(node, (this.#uses.get(node) ?? 0) + 1);
    for (const { node, name, at } of named) {
      const source = plain(text.slice(at.from, at.to));
      if (node.args.length > 0 && !this.#named.has(node)) this.#named.set(node, { name, source });
    }
  }

  /** Expression for the node's value; the statements that it needs are added to the scope. */
  value(node: FormulaNode, scope: Scope): string {
    return this.#value(node, scope).text;
  }

  /** Name of a value, also of one that the text does not name. */
  nameOf(node: FormulaNode): string {
    const named = this.#named.get(node);
    if (named !== undefined) return named.name;
    if (node.op === 'param') return this.#parameters[node.index];
    if (node.op === 'given') return node.name;
    if (node.op === 'input') return node.name === 'index' ? `${node.level}_index` : node.name;
    if (node.op === 'reduce') return `${node.kind.replace('-', '_')}_${node.to}`;
    if (node.op === 'scan') return node.direction === 'later' ? 'to_go' : 'so_far';
    return 'step';
  }

  #value(node: FormulaNode, scope: Scope): Printed {
    if (node.op === 'constant') return { text: literal(node.value), nested: 0 };
    if (node.op === 'detach') return this.#value(node.args[0], scope);
    const known = scope.find(node);
    if (known !== undefined) return { text: known, nested: 0 };
    const home = homeOf(node, scope);
    const printed = this.#operation(node, home);
    const isPlain = home === scope && printed.nested > 0 && printed.nested <= this.#mostNested;
    if (isPlain && (this.#uses.get(node) ?? 0) < 2 && !this.#named.has(node)) return printed;
    return { text: this.name(node, printed.text, home), nested: 0 };
  }

  /** A `let` for a value that is made by `text`. */
  name(node: FormulaNode, text: string, scope: Scope): string {
    const name = scope.names.fresh(this.nameOf(node));
    const source = this.#named.get(node)?.source;
    scope.lines.push(`let ${name} = ${unwrapped(text)};${source === undefined ? '' : ` // ${source}`}`);
    scope.known.set(node, name);
    return name;
  }

  #operation(node: FormulaNode, scope: Scope): Printed {
    const condition = this.#comparison(node, scope);
    if (condition !== null) return { text: `select(0.0, 1.0, ${condition.text})`, nested: condition.nested };
    if (node.args.length === 0 || node.op === 'reduce' || node.op === 'scan')
      return { text: this.#read(node, scope), nested: 0 };
    if (node.op === 'where') {
      const chosen = this.#condition(node.args[0], scope);
      const [a, b] = [this.#value(node.args[1], scope), this.#value(node.args[2], scope)];
      return { text: `select(${b.text}, ${a.text}, ${chosen.text})`, nested: above(chosen, a, b) };
    }
    const args = node.args.map((arg) => this.#value(arg, scope));
    const [a, b] = args.map(({ text }) => text);
    const nested = above(...args);
    if (node.op === 'neg') return { text: `(-${a})`, nested };
    const sign = this.#signs[node.op];
    if (sign !== undefined) return { text: `(${a} ${sign} ${b})`, nested };
    return { text: `${this.#calls[node.op]}(${args.map(({ text }) => unwrapped(text)).join(', ')})`, nested };
  }

  /** A truth value; any number but 0 is true. */
  #condition(node: FormulaNode, scope: Scope): Printed {
    const isKnown = scope.find(node) !== undefined || this.#named.has(node) || (this.#uses.get(node) ?? 0) > 1;
    const own = isKnown || homeOf(node, scope) !== scope ? null : this.#comparison(node, scope);
    if (own !== null && own.nested <= this.#mostNested) return own;
    const { text, nested } = this.#value(node, scope);
    return { text: `${text} != 0.0`, nested: nested + 1 };
  }

  #comparison(node: FormulaNode, scope: Scope): Printed | null {
    if (node.op === 'not') {
      const of = this.#condition(node.args[0], scope);
      return { text: `!(${of.text})`, nested: above(of) };
    }
    const sign = CONDITIONS[node.op];
    if (sign === undefined) return null;
    const joins = node.op === 'and' || node.op === 'or';
    const [a, b] = node.args.map((arg) => (joins ? this.#condition(arg, scope) : this.#value(arg, scope)));
    return { text: joins ? `(${a.text}) ${sign} (${b.text})` : `${a.text} ${sign} ${b.text}`, nested: above(a, b) };
  }
}

const above = (...inside: readonly Printed[]): number => 1 + Math.max(...inside.map(({ nested }) => nested));

/** The outermost block that a value of the node's level can be made in. */
function homeOf(node: FormulaNode, scope: Scope): Scope {
  let home = scope;
  while (home.outer !== null && !isAbove(node.level, home.outer.level)) home = home.outer;
  return home;
}

/** Text without brackets around the whole. */
function unwrapped(text: string): string {
  if (!text.startsWith('(')) return text;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0) return i === text.length - 1 ? text.slice(1, -1) : text;
  }
  return text;
}

/** The smallest float32 that is not subnormal. */
const LEAST_NORMAL = 2 ** -126;

/** Rounded to float32, in as few digits as say which. WGSL has no literal for what is not finite. */
function literal(value: number): string {
  const rounded = Math.fround(value);
  if (Number.isNaN(rounded)) return 'notANumber()';
  if (!Number.isFinite(rounded)) return rounded > 0 ? 'infinity()' : '(-infinity())';
  const size = Math.abs(rounded);
  if (size < LEAST_NORMAL) return Object.is(Math.sign(value), -0) || value < 0 ? '(-0.0)' : '0.0';
  let digits = 1;
  while (Math.fround(Number(size.toPrecision(digits))) !== size) digits++;
  const shortest = String(Number(size.toPrecision(digits)));
  const text = /[.e]/.test(shortest) ? shortest : `${shortest}.0`;
  return rounded < 0 ? `(-${text})` : text;
}

/** A person's text, for a comment: always on one line, and without a sign that could end it. */
export function plain(typed: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not get into a comment.
  const odd = /[\u0000-\u001f\u007f-\u00a0\u200e\u200f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]+/g;
  return typed.replace(odd, ' ').trim();
}
