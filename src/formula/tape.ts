/**
 * Evaluation over whole arrays, operation by operation: one loop an operation instead of one call a token. Doubles
 * throughout; the one that stores a result rounds it.
 */
import type { Formula } from './compile';
import { apply, choose } from './elementwise';
import type { FormulaNode } from './graph';
import { LEVELS, type Level } from './levels';
import { runColumn } from './packing';
import { type InputName, isRunInput } from './vocabulary';

/** Structure of one member's batch. Only the formula's own tokens, and turns with such a token, are listed. */
export interface Structure {
  /** Place of each token's turn in the list of turns. */
  readonly tokenTurn: Int32Array;
  /** Place of each token in its trajectory, and its weight. */
  readonly tokenIndex: Int32Array;
  readonly tokenWeight: Float64Array;
  /** Place of each turn's trajectory in the list, and the turn's number. Turns of a trajectory follow each other. */
  readonly turnTrajectory: Int32Array;
  readonly turnNumber: Int32Array;
  /** Group of each trajectory. All trajectories that count are listed, with tokens or without. */
  readonly trajectoryGroup: Int32Array;
  readonly groups: number;
}

/** One value an element of the input's level, in the structure's order. */
export type Inputs = Partial<Readonly<Record<InputName, ArrayLike<number>>>>;

export interface FormulaEvaluation {
  /** Values of a node at the level of tokens, also of one whose level is another. */
  readonly atTokens: (node: FormulaNode) => Float64Array;
  /** Values of a node at its own level. */
  readonly own: (node: FormulaNode) => Float64Array;
}

/** `given`: values of nodes at their own level that were computed before, such as what is held fixed. */
export function evaluateTape(
  { nodes }: Pick<Formula, 'nodes'>,
  structure: Structure,
  inputs: Inputs,
  parameters: ArrayLike<number>,
  given: ReadonlyMap<FormulaNode, Float64Array> = new Map(),
): FormulaEvaluation {
  const tape = new Tape(structure, inputs, parameters, given);
  for (const node of nodes) if (!given.has(node)) tape.compute(node);
  return { atTokens: (node) => tape.read(node, 'token'), own: (node) => tape.read(node, node.level) };
}

class Tape {
  readonly #structure: Structure;
  readonly #inputs: Inputs;
  /** The text's parameters, and the run's numbers behind them where the text reads them. */
  readonly #parameters: ArrayLike<number>;
  readonly #values: Map<FormulaNode, Float64Array>;
  readonly #broadcast = new Map<string, Float64Array>();
  readonly #parents: Readonly<Record<Level, Readonly<Partial<Record<Level, Int32Array>>>>>;
  readonly #counts: Readonly<Record<Level, number>>;

  constructor(
    structure: Structure,
    inputs: Inputs,
    parameters: ArrayLike<number>,
    given: ReadonlyMap<FormulaNode, Float64Array>,
  ) {
    this.#values = new Map(given);
    this.#structure = structure;
    this.#inputs = inputs;
    this.#parameters = parameters;
    const { tokenTurn, turnTrajectory, trajectoryGroup, groups } = structure;
    this.#counts = {
      constant: 1,
      batch: 1,
      group: groups,
      trajectory: trajectoryGroup.length,
      turn: turnTrajectory.length,
      token: tokenTurn.length,
    };
    this.#parents = parentsOf(structure);
  }

  compute(node: FormulaNode): void {
    this.#values.set(node, this.#computed(node));
  }

  /** A node's values at a level that is its own or higher. */
  read(node: FormulaNode, level: Level): Float64Array {
    const own = this.#values.get(node) as Float64Array;
    if (node.level === level) return own;
    const key = `${node.id} ${level}`;
    const known = this.#broadcast.get(key);
    if (known !== undefined) return known;
    const to = this.#parents[level][node.level];
    const values = new Float64Array(this.#counts[level]);
    for (let i = 0; i < values.length; i++) values[i] = own[to === undefined ? 0 : to[i]];
    this.#broadcast.set(key, values);
    return values;
  }

  #computed(node: FormulaNode): Float64Array {
    const n = this.#counts[node.level];
    switch (node.op) {
      case 'constant':
        return Float64Array.of(node.value);
      case 'param':
        return Float64Array.of(this.#parameters[node.index]);
      case 'input':
        return this.#input(node, n);
      case 'reduce':
        return this.#reduced(node, n);
      case 'scan':
        return this.#scanned(node.direction, this.read(node.args[0], 'turn'), this.read(node.args[1], 'constant')[0]);
      case 'detach':
        return this.read(node.args[0], node.level);
      case 'where': {
        const [condition, a, b] = node.args.map((arg) => this.read(arg, node.level));
        const values = new Float64Array(n);
        choose(values, condition, a, b, n);
        return values;
      }
      case 'given':
        throw new RangeError(`${node.name} is what a kernel hands to a token's loss.`);
      default: {
        const [a, b = a] = node.args.map((arg) => this.read(arg, node.level));
        const values = new Float64Array(n);
        apply(node.op, values, a, b, n);
        return values;
      }
    }
  }

  #input(node: Extract<FormulaNode, { op: 'input' }>, n: number): Float64Array {
    const { tokenWeight, tokenIndex, turnNumber } = this.#structure;
    if (node.name === 'weight') return tokenWeight;
    if (node.name === 'index') return Float64Array.from(node.level === 'token' ? tokenIndex : turnNumber);
    if (isRunInput(node.name)) return Float64Array.of(this.#parameters[runColumn(node.name)]);
    const given = this.#inputs[node.name];
    if (given === undefined || given.length !== n) {
      throw new RangeError(`${node.name}: ${given?.length ?? 'no'} values given, ${n} expected`);
    }
    return Float64Array.from(given);
  }

  #reduced({ kind, from, to, args }: Extract<FormulaNode, { op: 'reduce' }>, n: number): Float64Array {
    const x = this.read(args[0], from);
    const parent = this.#parents[from][to];
    const at = (i: number): number => (parent === undefined ? 0 : parent[i]);
    const values = new Float64Array(n);
    if (kind === 'sum') {
      for (let i = 0; i < x.length; i++) values[at(i)] += x[i];
      return values;
    }
    const isMost = kind.endsWith('max');
    const first = new Int32Array(n).fill(-1);
    for (let i = 0; i < x.length; i++) {
      const best = first[at(i)];
      const isFirst = best < 0 || (isMost ? x[i] > x[best] : x[i] < x[best]);
      // NaN wins, so that a reduction shows it.
      if (isFirst || (Number.isNaN(x[i]) && !Number.isNaN(x[best]))) first[at(i)] = i;
    }
    const { tokenIndex, turnNumber } = this.#structure;
    const index = from === 'token' ? tokenIndex : turnNumber;
    const found = kind.startsWith('first') ? index : x;
    for (let j = 0; j < n; j++) values[j] = first[j] < 0 ? 0 : found[first[j]];
    return values;
  }

  /** Turn by turn within each trajectory; the discount counts turn numbers, also those of turns without an own token. */
  #scanned(direction: 'later' | 'earlier', x: Float64Array, gamma: number): Float64Array {
    const { turnTrajectory, turnNumber } = this.#structure;
    const values = new Float64Array(x.length);
    const step = direction === 'later' ? -1 : 1;
    const first = direction === 'later' ? x.length - 1 : 0;
    for (let i = first, before = -1; i >= 0 && i < x.length; before = i, i += step) {
      const continues = before >= 0 && turnTrajectory[before] === turnTrajectory[i];
      const gap = continues ? Math.abs(turnNumber[before] - turnNumber[i]) : 0;
      values[i] = x[i] + (continues ? gamma ** gap * values[before] : 0);
    }
    return values;
  }
}

/** Places of each level's elements in the lists of lower levels. */
function parentsOf(structure: Structure): Readonly<Record<Level, Partial<Record<Level, Int32Array>>>> {
  const { tokenTurn, turnTrajectory, trajectoryGroup } = structure;
  const through = (of: Int32Array, to: Int32Array): Int32Array => of.map((place) => to[place]);
  const tokenTrajectory = through(tokenTurn, turnTrajectory);
  const none = Object.fromEntries(LEVELS.map((level) => [level, {}])) as Record<
    Level,
    Partial<Record<Level, Int32Array>>
  >;
  return {
    ...none,
    token: { turn: tokenTurn, trajectory: tokenTrajectory, group: through(tokenTrajectory, trajectoryGroup) },
    turn: { trajectory: turnTrajectory, group: through(turnTrajectory, trajectoryGroup) },
    trajectory: { group: trajectoryGroup },
  };
}
