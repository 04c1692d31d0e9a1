/**
 * A tree as Python on tensors, near to the typed text. Each value is a list of its own level's elements: tokens [N],
 * turns, trajectories [B], groups, the batch [1]; constants are Python's numbers. Where levels meet, an index such as
 * `[trajectory_of_token]` says which element each of the higher level reads.
 */
import type { FormulaNode } from '../graph';
import { highest, isAbove, type Level } from '../levels';
import type { FormulaProgram } from '../program';
import type { Expression } from '../syntax';
import { isFunction, reductionOf } from '../vocabulary';
import { asFloat, atom, BINDS, call, literal, onNumbers, type TorchCode, wrapped } from './code';
import type { Helper } from './helpers';
import { type Index, indexOf } from './indices';

/** Printer of a text's lines, with the helpers and indices that they turned out to need. */
export class ExpressionPrinter {
  readonly #program: FormulaProgram;
  readonly #names: ReadonlyMap<string, string>;
  readonly #isGated: boolean;
  /** Names of lines that are conditions. */
  readonly #conditions = new Set<string>();
  readonly helpers = new Set<Helper>();
  readonly indices = new Set<Index>();

  /** isGated: a branch that is not taken must not make NaN of a derivative. */
  constructor(program: FormulaProgram, names: ReadonlyMap<string, string>, isGated: boolean) {
    this.#program = program;
    this.#names = names;
    this.#isGated = isGated;
  }

  print(expression: Expression): TorchCode {
    const node = this.#node(expression);
    const code = this.#printed(expression);
    // The compiler found it to be a constant or one of its branches, such as logp ** 0.
    if (!isAbove(code.level, node.level)) return code;
    if (node.op === 'constant') return atom(literal(node.value), 'constant');
    const branch = branchesOf(expression).find((one) => this.#node(one) === node);
    return branch === undefined ? code : this.print(branch);
  }

  /** A number for each token: a tensor unless it is one for all. */
  atTokens(code: TorchCode): string {
    return this.#expanded(this.#asNumber(code), 'token').text;
  }

  /** Mean over the tokens, held fixed. */
  mean(code: TorchCode): string {
    const number = this.#expanded(this.#asNumber(code), 'token');
    if (number.level === 'constant') return number.text;
    this.helpers.add('mean_of');
    return `mean_of(${number.text})`;
  }

  #node(expression: Expression): FormulaNode {
    return this.#program.nodes.get(expression) as FormulaNode;
  }

  #printed(expression: Expression): TorchCode {
    switch (expression.kind) {
      case 'number':
        return atom(this.#typed(expression), 'constant');
      case 'name':
        return this.#name(expression.name, this.#node(expression).level);
      case 'minus': {
        const of = this.#asNumber(this.print(expression.of));
        return { ...of, text: `-${wrapped(of, BINDS.sign)}`, binds: BINDS.sign };
      }
      case 'not': {
        const of = this.#asCondition(this.print(expression.of));
        const text = of.level === 'constant' ? `(not ${of.text})` : `~${wrapped(of, BINDS.atom)}`;
        return { ...of, text, binds: of.level === 'constant' ? BINDS.atom : BINDS.sign };
      }
      case 'both':
      case 'either':
        return this.#joined(expression);
      case 'comparison': {
        const [a, b] = this.#together(expression.left, expression.right);
        const text = `${wrapped(a, BINDS.either)} ${expression.sign} ${wrapped(b, BINDS.either)}`;
        return { text, binds: BINDS.comparison, level: highest([a.level, b.level]), isCondition: true };
      }
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'choice':
        return this.#choice(expression.condition, expression.then, expression.otherwise);
      case 'call':
        return this.#call(expression);
    }
  }

  /** The number in its typed form, 1e-6 and not 0.000001. */
  #typed({ value, at }: Extract<Expression, { kind: 'number' }>): string {
    const typed = this.#program.text.slice(at.from, at.to);
    return /^[\d.eE+-]+$/.test(typed) ? typed : literal(value);
  }

  #name(name: string, level: Level): TorchCode {
    if (name === 'pi' && !this.#names.has(name)) return atom('math.pi', level);
    if (name === 'tokens' && !this.#names.has(name)) {
      this.helpers.add('count_over');
      return atom(`count_over(logp, ${this.#index('token', 'trajectory')}, len(own))`, level);
    }
    const isCondition = this.#conditions.has(name);
    return { ...atom(this.#names.get(name) ?? name, level), isCondition };
  }

  /** From here on a line's name means a condition. */
  rememberCondition(name: string): void {
    this.#conditions.add(name);
  }

  isCondition(name: string): boolean {
    return this.#conditions.has(name);
  }

  #joined({ kind, left, right }: Extract<Expression, { kind: 'both' | 'either' }>): TorchCode {
    const [a, b] = this.#levelled([this.print(left), this.print(right)].map((one) => this.#asCondition(one)));
    const level = highest([a.level, b.level]);
    // Python's & and | bind more tightly than comparisons do.
    const [word, sign, binds] = kind === 'both' ? ['and', '&', BINDS.both] : ['or', '|', BINDS.either];
    if (level === 'constant') return atom(`(${a.text} ${word} ${b.text})`, level, true);
    const text = `${wrapped(a, binds)} ${sign} ${wrapped(b, binds + 1)}`;
    return { text, binds, level, isCondition: true };
  }

  #arithmetic(expression: Extract<Expression, { kind: 'arithmetic' }>): TorchCode {
    const { sign, left, right } = expression;
    const [a, b] = this.#together(left, right);
    const level = highest([a.level, b.level]);
    if (sign === '**') return this.#power(expression, a, b, level);
    const isSteep = sign === '/' && this.#node(right).op !== 'constant';
    if (isSteep && this.#needsCare(left, right)) return this.#steep('torch.div', [a, b], level);
    const binds = sign === '+' || sign === '-' ? BINDS.sum : BINDS.product;
    return { text: `${wrapped(a, binds)} ${sign} ${wrapped(b, binds + 1)}`, binds, level, isCondition: false };
  }

  #power(expression: Extract<Expression, { kind: 'arithmetic' }>, a: TorchCode, b: TorchCode, level: Level): TorchCode {
    const exponent = this.#node(expression.right);
    const isWhole = exponent.op === 'constant' && Number.isInteger(exponent.value) && exponent.value >= 0;
    if (!isWhole && this.#needsCare(expression.left, expression.right)) return this.#steep('torch.pow', [a, b], level);
    const text = `${wrapped(a, BINDS.atom)} ** ${wrapped(b, BINDS.sign)}`;
    return { text, binds: BINDS.power, level, isCondition: false };
  }

  #needsCare(...given: readonly Expression[]): boolean {
    return this.#isGated && given.some((one) => this.#node(one).active);
  }

  #steep(name: string, given: readonly TorchCode[], level: Level): TorchCode {
    this.helpers.add('steep');
    return call('steep', [name, ...given.map(({ text }) => text)], level);
  }

  #choice(condition: Expression, then: Expression, otherwise: Expression): TorchCode {
    const c = this.#asCondition(this.print(condition));
    const printed = [then, otherwise].map((one) => this.print(one));
    const isCondition = printed.every((one) => one.isCondition && one.level !== 'constant') && c.level !== 'constant';
    const values = isCondition ? printed : printed.map((one) => this.#asNumber(one));
    const level = highest([c.level, ...values.map((one) => one.level)]);
    const [a, b] = values.map((one) => this.#expanded(one, level));
    if (c.level !== 'constant') {
      // Whole numbers alone would make a tensor of integers.
      const [x, y] = [a, b].map((one) => (one.level === 'constant' ? asFloat(one.text) : one.text));
      return { ...call('torch.where', [this.#expanded(c, level).text, x, y], level), isCondition };
    }
    const tensor = a.level === 'constant' ? b : a;
    const [x, y] = [a, b].map((one) =>
      one.level === 'constant' && tensor.level !== 'constant'
        ? `torch.full_like(${tensor.text}, ${one.text})`
        : one.text,
    );
    return atom(`(${x} if ${c.text} else ${y})`, level);
  }

  #call({ name, given }: Extract<Expression, { kind: 'call' }>): TorchCode {
    const reduction = reductionOf(name);
    if (reduction !== null) {
      const x = this.#asNumber(this.print(given[0]));
      const [helper, to] = [`${reduction.kind}_over` as Helper, reduction.to];
      this.helpers.add(helper);
      const held = this.#node(given[0]).active && (to === 'group' || to === 'batch') ? '.detach()' : '';
      return call(helper, [x.text, this.#index(x.level, to), this.#howMany(to)], to, held);
    }
    if (name === 'to_go') {
      this.helpers.add('to_go');
      const [x, gamma] = given.map((one) => this.#asNumber(this.print(one)));
      const turns = this.#index('turn', 'trajectory');
      this.indices.add('turn');
      return call('to_go', [this.#expanded(x, 'turn').text, gamma.text, turns, 'turn'], 'turn');
    }
    if (!isFunction(name)) throw new Error(`${name} has no Python`);
    if (name === 'where') return this.#choice(given[0], given[1], given[2]);
    const codes = this.#levelled(given.map((one) => this.#asNumber(this.print(one))));
    const level = highest(codes.map((one) => one.level));
    if (level === 'constant') return onNumbers(name, codes);
    const [x] = codes;
    switch (name) {
      case 'min':
      case 'max':
        return codes.reduce((a, b) => this.#extreme(name === 'min' ? 'smaller' : 'larger', a, b, level));
      case 'clip':
        return this.#clip(codes, level);
      case 'detach':
        return { ...x, text: `${wrapped(x, BINDS.atom)}.detach()`, binds: BINDS.atom };
      case 'softplus':
        return call('torch.nn.functional.softplus', [x.text, 'threshold=40'], level);
      case 'log':
      case 'log1p':
      case 'sqrt':
        return this.#needsCare(given[0])
          ? this.#steep(`torch.${name}`, [x], level)
          : call(`torch.${name}`, [x.text], level);
      default:
        return call(`torch.${name}`, [x.text], level);
    }
  }

  #extreme(helper: 'smaller' | 'larger', a: TorchCode, b: TorchCode, level: Level): TorchCode {
    this.helpers.add(helper);
    return call(helper, [a.text, b.text], level);
  }

  /** torch.clamp has our slope: 1 inside, bounds included; it takes two numbers, or two tensors. */
  #clip([x, low, high]: readonly TorchCode[], level: Level): TorchCode {
    if (x.level !== 'constant' && low.level === 'constant' && high.level === 'constant')
      return call('torch.clamp', [x.text, low.text, high.text], level);
    return this.#extreme('smaller', this.#extreme('larger', x, low, level), high, level);
  }

  #together(left: Expression, right: Expression): readonly TorchCode[] {
    return this.#levelled([left, right].map((one) => this.#asNumber(this.print(one))));
  }

  #levelled(codes: readonly TorchCode[]): readonly TorchCode[] {
    const level = highest(codes.map((one) => one.level));
    return codes.map((one) => this.#expanded(one, level));
  }

  /** A value for each element of a higher level; Python's numbers and the batch's one value broadcast by themselves. */
  #expanded(code: TorchCode, level: Level): TorchCode {
    if (code.level === level || code.level === 'constant' || code.level === 'batch') return code;
    return {
      ...code,
      text: `${wrapped(code, BINDS.atom)}[${this.#index(level, code.level)}]`,
      binds: BINDS.atom,
      level,
    };
  }

  #index(from: Level, to: Level): string {
    const { text, uses } = indexOf(from, to);
    for (const one of uses) this.indices.add(one);
    return text;
  }

  #howMany(of: Level): string {
    if (of === 'trajectory') return 'len(own)';
    if (of === 'batch') return '1';
    const index = of === 'turn' ? 'trajectory_of_turn' : 'groups';
    this.indices.add(index);
    return of === 'turn' ? 'len(trajectory_of_turn)' : 'groups';
  }

  #asNumber(code: TorchCode): TorchCode {
    if (!code.isCondition) return code;
    if (code.level === 'constant') return { ...atom(`float(${code.text})`, code.level) };
    return atom(`${wrapped(code, BINDS.atom)}.to(logp.dtype)`, code.level);
  }

  #asCondition(code: TorchCode): TorchCode {
    if (code.isCondition) return code;
    return { ...code, text: `${wrapped(code, BINDS.either)} != 0`, binds: BINDS.comparison, isCondition: true };
  }
}

function branchesOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'choice') return [expression.then, expression.otherwise];
  return expression.kind === 'call' ? expression.given : [];
}
