/**
 * Statements to graph nodes: names are resolved, levels checked. What a text says (`loss`, `show`, `param`) and what of
 * the batch it reads.
 */

import { arithmeticOf, callOf, comparisonOf, reductionTo } from './composed';
import { excerpt, type Fail, failIn, type TextSpan } from './error';
import { FormulaGraph, type FormulaNode } from './graph';
import { isAbove, type ReductionLevel } from './levels';
import { FORMULA_LIMITS } from './limits';
import { parse } from './parse';
import type { Definition, Expression, Parameter, Statement } from './syntax';
import {
  FUNCTIONS,
  type FunctionText,
  isFunction,
  isInput,
  isRunInput,
  meant,
  NAMES,
  type Reduction,
  reductionOf,
  SHORTHANDS,
  TO_GO,
} from './vocabulary';

export interface Named {
  readonly name: string;
  readonly node: FormulaNode;
  readonly at: TextSpan;
}

export interface FormulaProgram {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly parameters: readonly Parameter[];
  readonly graph: FormulaGraph;
  /** Minimised value, one a token (or fewer: then all tokens of an element have the same). */
  readonly loss: FormulaNode;
  /** Values whose means over the formula's tokens are curves. */
  readonly shown: readonly Named[];
  /** Every definition, shown or not, in the text's order. */
  readonly named: readonly Named[];
  /** Node of each part of a tree. */
  readonly nodes: ReadonlyMap<Expression, FormulaNode>;
}

/** Program of a text. Throws FormulaError. `given`: further values of a token, and which of them carry a derivative. */
export function programOf(text: string, given: Readonly<Record<string, boolean>> = {}): FormulaProgram {
  return new Builder(text, parse(text), given).program();
}

class Builder {
  readonly #graph = new FormulaGraph();
  readonly #text: string;
  readonly #fail: Fail;
  readonly #statements: readonly Statement[];
  readonly #names = new Map<string, FormulaNode>();
  readonly #nodes = new Map<Expression, FormulaNode>();

  constructor(text: string, statements: readonly Statement[], given: Readonly<Record<string, boolean>>) {
    this.#text = text;
    this.#fail = failIn(text);
    this.#statements = statements;
    for (const [name, active] of Object.entries(given)) this.#names.set(name, this.#graph.given(name, active));
  }

  program(): FormulaProgram {
    const parameters = this.#statements.filter((one) => one.kind === 'param');
    const taken = new Set<string>();
    const [named, shown]: [Named[], Named[]] = [[], []];
    for (const statement of this.#statements) {
      if (statement.kind === 'param') {
        this.#claim(statement.name, { ...statement.at, to: statement.at.from + statement.name.length });
        this.#bound(parameters.indexOf(statement), FORMULA_LIMITS.parameters, 'parameters', statement.at);
        this.#names.set(statement.name, this.#graph.param(parameters.indexOf(statement)));
        continue;
      }
      const entry = this.#define(statement, taken);
      named.push(entry);
      if (statement.kind !== 'show') continue;
      this.#bound(shown.length, FORMULA_LIMITS.shown, 'shown values', statement.nameAt);
      shown.push(entry);
    }
    const loss = this.#names.get('loss');
    const end = { from: this.#text.length, to: this.#text.length };
    if (loss === undefined)
      return this.#fail(end, 'No line says what is minimised.', 'Write a line that begins with “loss = ”.');
    const [text, statements, graph, nodes] = [this.#text, this.#statements, this.#graph, this.#nodes];
    return { text, statements, parameters, graph, loss, shown, named, nodes };
  }

  #define({ kind, name, nameAt, expression }: Definition, shown: Set<string>): Named {
    if (kind === 'definition') this.#claim(name, nameAt);
    else if (shown.has(name)) this.#fail(nameAt, `“${excerpt(name)}” is shown twice.`, 'Choose another name.');
    const node = this.#node(expression);
    if (kind === 'definition') this.#names.set(name, node);
    else shown.add(name);
    return { name, node, at: expression.at };
  }

  #claim(name: string, at: TextSpan): void {
    const typed = `“${excerpt(name)}”`;
    if (this.#names.has(name)) this.#fail(at, `${typed} is defined twice.`, 'Choose another name.');
    const isTaken =
      (isInput(name) && !isRunInput(name)) ||
      name in SHORTHANDS ||
      isFunction(name) ||
      name === 'to_go' ||
      reductionOf(name) !== null;
    if (isTaken) this.#fail(at, `${typed} is a name of the language.`, 'Choose another name.');
  }

  #bound(before: number, most: number, what: string, at: TextSpan): void {
    if (before >= most) this.#fail(at, `More than ${most} ${what}.`, 'Leave some out.');
  }

  #node(expression: Expression): FormulaNode {
    const node = this.#made(expression);
    this.#nodes.set(expression, node);
    if (this.#graph.nodes.length > 2 * FORMULA_LIMITS.operations)
      this.#fail(expression.at, `More than ${FORMULA_LIMITS.operations} operations.`, 'Write a shorter formula.');
    return node;
  }

  #made(expression: Expression): FormulaNode {
    const graph = this.#graph;
    switch (expression.kind) {
      case 'number':
        return graph.constant(expression.value);
      case 'name':
        return this.#named(expression.name, expression.at);
      case 'minus':
        return graph.neg(this.#node(expression.of));
      case 'not':
        return graph.unary('not', this.#node(expression.of));
      case 'both':
        return graph.binary('and', this.#node(expression.left), this.#node(expression.right));
      case 'either':
        return graph.binary('or', this.#node(expression.left), this.#node(expression.right));
      case 'choice':
        return graph.where(
          this.#node(expression.condition),
          this.#node(expression.then),
          this.#node(expression.otherwise),
        );
      case 'comparison':
        return comparisonOf(graph, expression.sign, this.#node(expression.left), this.#node(expression.right));
      case 'arithmetic':
        return arithmeticOf(graph, expression.sign, this.#node(expression.left), this.#node(expression.right));
      case 'call':
        return this.#call(expression);
    }
  }

  #named(name: string, at: TextSpan): FormulaNode {
    const own = this.#names.get(name);
    if (own !== undefined) return own;
    if (isInput(name)) return this.#graph.input(name);
    if (name === 'A') return this.#graph.input('advantage');
    if (name === 'tokens') return this.#graph.count('token', 'trajectory');
    if (name === 'pi') return this.#graph.constant(Math.PI);
    const isCallable = isFunction(name) || name === 'to_go' || reductionOf(name) !== null;
    if (isCallable) this.#fail(at, `${name} is a function.`, `Write ${name}(…).`);
    return this.#unknown(name, at, 'not known');
  }

  #unknown(name: string, at: TextSpan, what: string): never {
    const own = this.#statements.find((one) => one.kind !== 'show' && one.name === name);
    if (own?.kind === 'definition' && own.nameAt.from < at.from) {
      const advice = `A line does not change a value: write ${excerpt(name)} = … on a line above, and give this one another name.`;
      this.#fail(at, `“${excerpt(name)}” is what this line defines.`, advice);
    }
    if (own !== undefined) this.#fail(at, `“${excerpt(name)}” is defined further down.`, 'Move its line up.');
    const known = [...this.#names.keys(), ...NAMES];
    const suggestion = meant(name, known);
    const advice = suggestion === null ? 'Define it on a line above.' : `Did you mean ${suggestion}?`;
    return this.#fail(at, `“${excerpt(name)}” is ${what}.`, advice);
  }

  #call({ name, nameAt, given, at }: Extract<Expression, { kind: 'call' }>): FormulaNode {
    const reduction = reductionOf(name);
    if (reduction !== null) {
      this.#arity(name, { takes: 'x', least: 1, most: 1 }, given, at);
      return this.#reduction(name, reduction.kind, reduction.to, this.#node(given[0]), given[0].at);
    }
    if (name === 'to_go') {
      this.#arity(name, TO_GO, given, at);
      return this.#toGo(this.#node(given[0]), given[0].at, this.#node(given[1]), given[1].at);
    }
    if (!isFunction(name)) return this.#unknown(name, nameAt, 'no function');
    this.#arity(name, FUNCTIONS[name], given, at);
    return callOf(
      this.#graph,
      name,
      given.map((one) => this.#node(one)),
    );
  }

  #arity(name: string, { takes, least, most }: FunctionText, given: readonly Expression[], at: TextSpan): void {
    if (given.length >= least && given.length <= most) return;
    this.#fail(at, `${name} was given ${given.length} values.`, `Write ${name}(${takes}).`);
  }

  #reduction(name: string, kind: Reduction, to: ReductionLevel, x: FormulaNode, at: TextSpan): FormulaNode {
    if (isAbove(x.level, to)) return reductionTo(this.#graph, kind, to, x);
    const what = x.level === 'constant' ? 'a constant' : `a ${x.level}’s value`;
    return this.#fail(at, `${name} of ${what}: it has one per ${to} already.`, `Leave ${name} out.`);
  }

  #toGo(x: FormulaNode, at: TextSpan, gamma: FormulaNode, gammaAt: TextSpan): FormulaNode {
    if (isAbove(x.level, 'turn'))
      this.#fail(
        at,
        'to_go takes one value a turn; this has one a token.',
        'Reduce it first, as in to_go(sum_turn(x), 1).',
      );
    if (gamma.level !== 'constant')
      this.#fail(gammaAt, 'The discount of to_go is one number.', 'Write a number or a param.');
    return this.#graph.scan('later', x, gamma);
  }
}
