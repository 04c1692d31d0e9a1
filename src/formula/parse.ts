/** Text to statements. Python's grammar of expressions, by precedence climbing. */
import { excerpt, type Fail, failIn, type TextSpan } from './error';
import { FORMULA_LIMITS } from './limits';
import {
  type Arithmetic,
  COMPARISONS,
  type ComparisonSign,
  type Expression,
  type Parameter,
  type Statement,
} from './syntax';
import { NO_BLOCKS, type Token, tokensOf } from './tokens';

const KEYWORDS = ['and', 'or', 'not', 'if', 'else', 'in', 'param', 'show'];

export function parse(text: string): readonly Statement[] {
  const fail = failIn(text);
  if (text.length > FORMULA_LIMITS.characters) {
    const span = { from: FORMULA_LIMITS.characters, to: text.length };
    fail(span, `The text has ${text.length} characters, of at most ${FORMULA_LIMITS.characters}.`, 'Shorten it.');
  }
  return new Parser(tokensOf(text, fail), fail).statements();
}

const from = (a: { at: TextSpan }, b: { at: TextSpan }): TextSpan => ({ from: a.at.from, to: b.at.to });

class Parser {
  readonly #tokens: readonly Token[];
  readonly #fail: Fail;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], fail: Fail) {
    this.#tokens = tokens;
    this.#fail = fail;
  }

  statements(): Statement[] {
    const statements: Statement[] = [];
    while (this.#token.kind !== 'end') {
      if (this.#token.kind === 'line') this.#next++;
      else statements.push(this.#statement());
    }
    return statements;
  }

  get #token(): Token {
    return this.#tokens[this.#next];
  }

  #is(text: string): boolean {
    return this.#token.text === text && this.#token.kind !== 'line';
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#next++;
    return true;
  }

  #expect(text: string, where: string): Token {
    const token = this.#token;
    if (!this.#take(text)) this.#unexpected(`“${text}” ${where}`);
    return token;
  }

  #unexpected(expected: string): never {
    const { kind, text, at } = this.#token;
    const typed =
      { line: 'the line ends here', end: 'the text ends here' }[kind as string] ?? `here is “${excerpt(text)}”`;
    return this.#fail(
      at,
      `${typed}; expected is ${expected}.`,
      'Complete the line, break it where another begins, or put what goes on into brackets.',
    );
  }

  #name(what: string): Token {
    const token = this.#token;
    if (token.kind !== 'name') this.#unexpected(what);
    if (KEYWORDS.includes(token.text)) {
      const advice = ['if', 'else'].includes(token.text) ? NO_BLOCKS : 'Choose another name.';
      this.#fail(token.at, `“${token.text}” is a word of the language.`, advice);
    }
    this.#next++;
    return token;
  }

  #statement(): Statement {
    const statement = this.#take('param') ? this.#parameter() : this.#definition();
    if (this.#token.kind !== 'line') this.#unexpected('the end of the line');
    return statement;
  }

  #definition(): Statement {
    const kind = this.#take('show') ? 'show' : 'definition';
    const name = this.#name('a name, as in loss = …');
    this.#expect('=', `after ${name.text}`);
    return { kind, name: name.text, nameAt: name.at, expression: this.#expression() };
  }

  #parameter(): Parameter {
    const name = this.#name('the parameter’s name');
    this.#expect('=', `and a number, as in param ${name.text} = 0.2 in [0, 1]`);
    const value = this.#number();
    this.#expect('in', 'and limits, as in [0, 1]');
    this.#expect('[', 'before the limits');
    const min = this.#number();
    this.#expect(',', 'between the limits');
    const max = this.#number();
    const end = this.#expect(']', 'after the limits');
    const at = from(name, end);
    if (min > max)
      this.#fail(at, `The limits of ${name.text} are the wrong way round.`, 'Write the smaller one first.');
    if (value < min || value > max)
      this.#fail(at, `${name.text} = ${value} is outside of its limits.`, `Choose between ${min} and ${max}.`);
    return { kind: 'param', name: name.text, default: value, min, max, at };
  }

  #number(): number {
    const sign = this.#take('-') ? -1 : 1;
    const token = this.#token;
    if (token.kind !== 'number') this.#unexpected('a number');
    this.#next++;
    return sign * Number(token.text);
  }

  /** Expression, or `a if condition else b`. */
  #expression(): Expression {
    this.#depth++;
    if (this.#depth > FORMULA_LIMITS.depth)
      this.#fail(this.#token.at, 'Too many brackets inside each other.', 'Name a part on a line of its own.');
    const then = this.#either();
    const expression = this.#take('if') ? this.#choice(then) : then;
    this.#depth--;
    return expression;
  }

  #choice(then: Expression): Expression {
    const condition = this.#either();
    this.#expect('else', 'and what holds otherwise');
    const otherwise = this.#expression();
    return { kind: 'choice', condition, then, otherwise, at: from(then, otherwise) };
  }

  #either(): Expression {
    return this.#chain('or', 'either', () => this.#chain('and', 'both', () => this.#not()));
  }

  #chain(word: string, kind: 'both' | 'either', part: () => Expression): Expression {
    let left = part();
    for (let length = 1; this.#take(word); length++) {
      this.#boundChain(length);
      const right = part();
      left = { kind, left, right, at: from(left, right) };
    }
    return left;
  }

  #boundChain(length: number): void {
    if (length > FORMULA_LIMITS.chain)
      this.#fail(
        this.#token.at,
        `More than ${FORMULA_LIMITS.chain} parts in a row.`,
        'Name some of them on a line of their own.',
      );
  }

  #not(): Expression {
    const token = this.#token;
    if (!this.#take('not')) return this.#comparison();
    const of = this.#deeper(() => this.#not());
    return { kind: 'not', of, at: from(token, of) };
  }

  /** Comparison; a < b <= c holds where both do. */
  #comparison(): Expression {
    let left = this.#sum();
    let all: Expression | null = null;
    for (let length = 1; ; length++) {
      this.#boundChain(length);
      const sign = COMPARISONS.find((one) => this.#is(one));
      if (sign === undefined) return all ?? left;
      this.#next++;
      const right = this.#sum();
      const own: Expression = { kind: 'comparison', sign: sign as ComparisonSign, left, right, at: from(left, right) };
      all = all === null ? own : { kind: 'both', left: all, right: own, at: from(all, own) };
      left = right;
    }
  }

  #sum(): Expression {
    return this.#arithmetic(['+', '-'], () => this.#arithmetic(['*', '/'], () => this.#signed()));
  }

  #arithmetic(signs: readonly Arithmetic[], part: () => Expression): Expression {
    let left = part();
    for (let length = 1; ; length++) {
      this.#boundChain(length);
      const sign = signs.find((one) => this.#is(one));
      if (sign === undefined) return left;
      this.#next++;
      const right = part();
      left = { kind: 'arithmetic', sign, left, right, at: from(left, right) };
    }
  }

  #signed(): Expression {
    const token = this.#token;
    if (this.#take('+')) return this.#deeper(() => this.#signed());
    if (!this.#take('-')) return this.#power();
    const of = this.#deeper(() => this.#signed());
    return { kind: 'minus', of, at: from(token, of) };
  }

  #power(): Expression {
    const left = this.#atom();
    if (!this.#take('**')) return left;
    const right = this.#deeper(() => this.#signed());
    return { kind: 'arithmetic', sign: '**', left, right, at: from(left, right) };
  }

  /** A part that the parser calls itself for, counted against the bound of depth. */
  #deeper(part: () => Expression): Expression {
    this.#depth++;
    if (this.#depth > FORMULA_LIMITS.depth)
      this.#fail(this.#token.at, 'Too many signs inside each other.', 'Name a part on a line of its own.');
    const expression = part();
    this.#depth--;
    return expression;
  }

  #atom(): Expression {
    const token = this.#token;
    if (token.kind === 'number') {
      this.#next++;
      return { kind: 'number', value: Number(token.text), at: token.at };
    }
    if (this.#take('(')) {
      const inside = this.#expression();
      const end = this.#expect(')', 'to close the bracket');
      return { ...inside, at: from(token, end) };
    }
    if (token.kind === 'name' && !KEYWORDS.includes(token.text)) {
      this.#next++;
      return this.#take('(') ? this.#call(token) : { kind: 'name', name: token.text, at: token.at };
    }
    return this.#unexpected('a number, a name or a bracket');
  }

  #call(name: Token): Expression {
    const given: Expression[] = [];
    while (!this.#is(')')) {
      given.push(this.#expression());
      if (!this.#take(',')) break;
    }
    const end = this.#expect(')', `to close ${name.text}(`);
    return { kind: 'call', name: name.text, nameAt: name.at, given, at: from(name, end) };
  }
}
