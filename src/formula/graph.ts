/**
 * A formula as operations on values, equal ones shared. A node is made once for its operation and arguments, with what
 * can be said of it beforehand computed at once: constants are folded, neutral elements and double signs left out.
 */
import { highest, type Level, type ReductionLevel } from './levels';
import type { InputName } from './vocabulary';
import { INPUTS } from './vocabulary';

/** Value by value, by number of arguments. */
export const UNARY = [
  'neg',
  'exp',
  'log',
  'log1p',
  'expm1',
  'sqrt',
  'abs',
  'sign',
  'sigmoid',
  'tanh',
  'softplus',
  'not',
] as const;
export const BINARY = [
  'add',
  'sub',
  'mul',
  'div',
  'pow',
  'min',
  'max',
  'lt',
  'le',
  'eq',
  'and',
  'or',
  'gated',
] as const;

/** gated(a, b): a·b, but 0 where a is 0, also where b is not finite; derivatives through `where` need it. */
export type Unary = (typeof UNARY)[number];
export type Binary = (typeof BINARY)[number];
export type Elementwise = Unary | Binary | 'where' | 'detach';

/** first-min, first-max: index of the first element with the smallest, the largest value. */
export type ReductionKind = 'sum' | 'min' | 'max' | 'first-min' | 'first-max';

/** 0 wherever a branch was not taken, or wherever tokens have no weight; null: neither. */
export type Gate = 'branch' | 'weight' | null;

interface Common {
  readonly id: number;
  readonly level: Level;
  readonly args: readonly FormulaNode[];
  /** Carries a derivative by logp or entropy. */
  readonly active: boolean;
  /** Reads the running policy, held fixed or not. */
  readonly running: boolean;
  /** Set in which the value is 0 by intent: a factor must not make NaN of that 0. */
  readonly gated: Gate;
  /** Finite wherever the inputs are, sums and products of large numbers aside. */
  readonly finite: boolean;
}

export type FormulaNode = Common &
  (
    | { readonly op: 'constant'; readonly value: number }
    | { readonly op: 'param'; readonly index: number }
    | { readonly op: 'input'; readonly name: InputName | 'weight' | 'index' }
    /** One value a token that a kernel hands to a text of its own (tokenLoss.ts). */
    | { readonly op: 'given'; readonly name: string }
    | { readonly op: Elementwise }
    | { readonly op: 'reduce'; readonly kind: ReductionKind; readonly from: Level; readonly to: ReductionLevel }
    /** Over the turns of a trajectory by their numbers: y_t = Σ γ^|s − t| x_s, s ≥ t (later) or s ≤ t (earlier). */
    | { readonly op: 'scan'; readonly direction: 'later' | 'earlier' }
  );

/** One element's index at its level: a token's place in its trajectory, a turn's number. */
type IndexLevel = 'token' | 'turn';

export class FormulaGraph {
  readonly nodes: FormulaNode[] = [];
  readonly #known = new Map<string, FormulaNode>();

  constant(value: number): FormulaNode {
    // −0 is another constant than 0.
    const key = Object.is(value, -0) ? 'constant -0' : `constant ${value}`;
    return this.#made(key, { op: 'constant', value }, 'constant', []);
  }

  param(index: number): FormulaNode {
    return this.#made(`param ${index}`, { op: 'param', index }, 'constant', []);
  }

  input(name: InputName): FormulaNode {
    const isRunning = 'running' in INPUTS[name];
    return this.#made(`input ${name}`, { op: 'input', name }, INPUTS[name].level, [], {
      active: isRunning,
      running: isRunning,
    });
  }

  given(name: string, active: boolean): FormulaNode {
    return this.#made(`given ${name}`, { op: 'given', name }, 'token', [], { active, running: active });
  }

  /** Factor of each token's loss; held fixed. A token with the weight 0 has no derivative, however steep. */
  weight(): FormulaNode {
    return this.#made('weight', { op: 'input', name: 'weight' }, 'token', [], { gated: 'weight' });
  }

  index(level: IndexLevel): FormulaNode {
    return this.#made(`index ${level}`, { op: 'input', name: 'index' }, level, []);
  }

  unary(op: Unary, x: FormulaNode): FormulaNode {
    if (x.op === 'constant') return this.constant(evaluate(op, x.value));
    if (op === 'neg' && x.op === 'neg') return x.args[0];
    const finite = x.finite && ['neg', 'abs', 'sign', 'sigmoid', 'tanh', 'not', 'softplus'].includes(op);
    const passes = op !== 'sign' && op !== 'not';
    const gated = ['neg', 'abs', 'sign', 'tanh'].includes(op) ? x.gated : null;
    return this.#made(op, { op }, x.level, [x], { active: passes && x.active, finite, gated });
  }

  binary(op: Binary, a: FormulaNode, b: FormulaNode): FormulaNode {
    if (a.op === 'constant' && b.op === 'constant') return this.constant(evaluate(op, a.value, b.value));
    const simpler = this.#simpler(op, a, b);
    if (simpler !== null) return simpler;
    const finite = op !== 'div' && op !== 'pow' && a.finite && b.finite;
    const active = !['lt', 'le', 'eq', 'and', 'or'].includes(op) && (a.active || b.active);
    const gated = gateOf(op, a.gated, b.gated);
    return this.#made(op, { op }, highest([a.level, b.level]), [a, b], { active, finite, gated });
  }

  add = (a: FormulaNode, b: FormulaNode): FormulaNode => this.binary('add', a, b);
  sub = (a: FormulaNode, b: FormulaNode): FormulaNode => this.binary('sub', a, b);
  mul = (a: FormulaNode, b: FormulaNode): FormulaNode => this.binary('mul', a, b);
  div = (a: FormulaNode, b: FormulaNode): FormulaNode => this.binary('div', a, b);
  neg = (x: FormulaNode): FormulaNode => this.unary('neg', x);

  where(condition: FormulaNode, a: FormulaNode, b: FormulaNode): FormulaNode {
    if (condition.op === 'constant') return condition.value !== 0 ? a : b;
    if (a === b) return a;
    const isZero = (x: FormulaNode): boolean => x.op === 'constant' && x.value === 0;
    const level = highest([condition.level, a.level, b.level]);
    return this.#made('where', { op: 'where' }, level, [condition, a, b], {
      active: a.active || b.active,
      finite: a.finite && b.finite,
      gated: isZero(a) || isZero(b) ? 'branch' : both(a.gated, b.gated),
    });
  }

  detach(x: FormulaNode): FormulaNode {
    if (!x.active) return x;
    return this.#made('detach', { op: 'detach' }, x.level, [x], { active: false, finite: x.finite, gated: x.gated });
  }

  /** x has one value an element of `from`, or fewer; each element of `from` counts once. */
  reduce(kind: ReductionKind, from: Level, to: ReductionLevel, x: FormulaNode): FormulaNode {
    if (x.op === 'constant' && x.value === 0) return x;
    const active = x.active && (to === 'turn' || to === 'trajectory') && !kind.startsWith('first');
    const key = `reduce ${kind} ${from} ${to}`;
    const gated = kind === 'sum' && x.gated !== null ? 'weight' : null;
    return this.#made(key, { op: 'reduce', kind, from, to }, to, [x], { active, finite: x.finite, gated });
  }

  count(from: Level, to: ReductionLevel): FormulaNode {
    return this.reduce('sum', from, to, this.constant(1));
  }

  scan(direction: 'later' | 'earlier', x: FormulaNode, gamma: FormulaNode): FormulaNode {
    const { active, finite } = x;
    const gated = x.gated === null ? null : 'weight';
    return this.#made(`scan ${direction}`, { op: 'scan', direction }, 'turn', [x, gamma], { active, finite, gated });
  }

  #simpler(op: Binary, a: FormulaNode, b: FormulaNode): FormulaNode | null {
    const is = (x: FormulaNode, value: number): boolean => x.op === 'constant' && x.value === value;
    if (op === 'add') {
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      if (b.op === 'neg') return this.sub(a, b.args[0]);
    }
    if (op === 'sub' && is(b, 0)) return a;
    if (op === 'sub' && is(a, 0)) return this.neg(b);
    if (op === 'mul' || op === 'gated') {
      if (is(a, 1)) return b;
      if (is(b, 1)) return a;
      if (is(a, -1)) return this.neg(b);
      if (is(b, -1)) return this.neg(a);
      // A derivative that is 0 by what it is made of, not by its values.
      if (op === 'gated' && is(a, 0)) return a;
    }
    if (op === 'div' && is(b, 1)) return a;
    if ((op === 'min' || op === 'max') && a === b) return a;
    return null;
  }

  #made(
    key: string,
    own: DistributedOmit<FormulaNode, keyof Common>,
    level: Level,
    args: readonly FormulaNode[],
    traits: Partial<Pick<Common, 'active' | 'running' | 'gated' | 'finite'>> = {},
  ): FormulaNode {
    const name = args.length === 0 ? key : `${key}(${args.map(({ id }) => id).join(',')})`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const running = args.some((arg) => arg.running);
    const common = {
      id: this.nodes.length,
      level,
      args,
      active: false,
      running,
      gated: null,
      finite: args.length === 0,
    };
    const node = { ...common, ...traits, ...own } as FormulaNode;
    this.nodes.push(node);
    this.#known.set(name, node);
    return node;
  }
}

const both = (a: Gate, b: Gate): Gate =>
  a === 'branch' && b === 'branch' ? 'branch' : a !== null && b !== null ? 'weight' : null;

function gateOf(op: Binary, a: Gate, b: Gate): Gate {
  if (op === 'mul' || op === 'gated') return a === 'branch' || b === 'branch' ? 'branch' : (a ?? b);
  if (op === 'add' || op === 'sub') return both(a, b);
  return op === 'div' ? a : null;
}

type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The nodes that outputs need, arguments first; `stop` says of which nodes the value is given. */
export function needed(
  outputs: readonly FormulaNode[],
  stop: (node: FormulaNode) => boolean = () => false,
): readonly FormulaNode[] {
  const found = new Set<FormulaNode>();
  const open = [...outputs];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    if (!stop(node)) open.push(...node.args);
  }
  return [...found].sort((a, b) => a.id - b.id);
}

/** An operation on numbers; both evaluators and the folding of constants use it. */
function evaluate(op: Unary | Binary, a: number, b = 0): number {
  return ARITHMETIC[op](a, b);
}

/** ln(1 + eˣ) without overflow. */
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

export const ARITHMETIC: Readonly<Record<Unary | Binary, (a: number, b: number) => number>> = {
  neg: (x) => -x,
  exp: Math.exp,
  log: Math.log,
  log1p: Math.log1p,
  expm1: Math.expm1,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  tanh: Math.tanh,
  softplus,
  not: (x) => (x === 0 ? 1 : 0),
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow: (a, b) => a ** b,
  min: Math.min,
  max: Math.max,
  lt: (a, b) => (a < b ? 1 : 0),
  le: (a, b) => (a <= b ? 1 : 0),
  eq: (a, b) => (a === b ? 1 : 0),
  and: (a, b) => (a !== 0 && b !== 0 ? 1 : 0),
  or: (a, b) => (a !== 0 || b !== 0 ? 1 : 0),
  gated: (a, b) => (a === 0 ? 0 : a * b),
};
