/** Passes over trajectories, groups and the batch: loops that reduce, and the extent of their threads. */
import { GROUP_RANGE, TOKEN, TRAJECTORY } from '../packing';
import type { Over, Pass, Reduce, ReducedResult, Scan, TokenLoop } from '../schedule';
import { type Expressions, Scope } from './expressions';
import type { Names } from './names';
import { addressOf } from './reads';

const GROUP_OF_TRAJECTORY = `let group = u32(packed[trajectoryAt(member, trajectory) + ${TRAJECTORY.group}u]);`;
const UNCOUNTED = `packed[trajectoryAt(member, trajectory) + ${TRAJECTORY.counts}u] == 0.0`;
const HAS_TOKENS = `packed[trajectoryAt(member, trajectory) + ${TRAJECTORY.tokens}u] != 0.0`;

const BEGINNINGS: Readonly<Record<Over, readonly string[]>> = {
  trajectory: [
    'let trajectory = params.first + i;',
    'if (trajectory >= params.trajectories) { return; }',
    `if (${UNCOUNTED}) { return; }`,
  ],
  group: [
    'let group = i;',
    `let start = u32(packed[groupAt(member, group) + ${GROUP_RANGE.first}u]);`,
    `let end = u32(packed[groupAt(member, group) + ${GROUP_RANGE.end}u]);`,
  ],
  batch: [],
};

const uses = (lines: readonly string[], text: string): boolean => lines.some((line) => line.includes(text));
const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** The statements of a pass, as a function of `member` and `i`. */
export function printPass({ over, loops }: Pass, expressions: Expressions, names: Names): readonly string[] {
  const scope = new Scope(names, over, null);
  for (const loop of loops) new LoopPrinter(loop, over, expressions, scope).print();
  const needsGroup = over === 'trajectory' && uses(scope.lines, 'groupResult(');
  return [...BEGINNINGS[over], ...(needsGroup ? [GROUP_OF_TRAJECTORY] : []), ...scope.lines];
}

/** A result while its loop runs. */
interface Kept {
  readonly result: ReducedResult;
  /** The variable that is the result in the end. */
  readonly name: string;
  /** Variables, and their values before the first element. */
  readonly begins: readonly (readonly [name: string, value: string])[];
  /** Statements that add an element. */
  readonly adds: readonly string[];
}

class LoopPrinter {
  readonly #loop: TokenLoop;
  readonly #over: Over;
  readonly #expressions: Expressions;
  readonly #outer: Scope;
  readonly #inner: Scope;
  /** True if the loop's elements or its results are turns. */
  readonly #countsTurns: boolean;
  /** Variable with the number of the turn before. */
  readonly #before: string;

  constructor(loop: TokenLoop, over: Over, expressions: Expressions, outer: Scope) {
    this.#loop = loop;
    this.#over = over;
    this.#expressions = expressions;
    this.#outer = outer;
    this.#countsTurns = loop.from === 'turn' || loop.results.some(({ level }) => level === 'turn');
    this.#before = this.#countsTurns ? outer.names.fresh('before') : '';
    this.#inner = outer.inner(loop.from);
  }

  print(): void {
    const { results } = this.#loop;
    const kept = results.map((result) =>
      result.node.op === 'scan' ? this.#scanned(result, result.node) : this.#reduced(result, result.node),
    );
    const store = ({ result, name }: Kept): string => `packed[${addressOf(result)}] = ${name};`;
    const ofTurns = kept.filter(({ result }) => result.level === 'turn');
    const others = kept.filter(({ result }) => result.level !== 'turn');
    const body = [...this.#inner.lines, ...this.#resets(ofTurns), ...kept.flatMap(({ adds }) => adds)];
    const variables = kept.flatMap(({ begins }) => begins).map(([name, value]) => `var ${name} = ${value};`);
    if (this.#countsTurns) variables.push(`var ${this.#before} = -2.0;`);
    this.#outer.lines.push(...variables, ...this.#elements([...body, ...ofTurns.map(store)]), ...others.map(store));
    for (const { result, name } of others) if (!result.isPart) this.#outer.known.set(result.node, name);
  }

  /** A turn's result begins again with each turn, a scan never. */
  #resets(ofTurns: readonly Kept[]): readonly string[] {
    const [only] = this.#loop.results;
    if (ofTurns.length === 0 || only.node.op === 'scan') return [];
    const begins = ofTurns.flatMap((one) => one.begins).map(([name, value]) => `${name} = ${value};`);
    return [`if (isNewTurn) { ${begins.join(' ')} }`];
  }

  #fresh(result: ReducedResult, suffix = ''): string {
    return this.#outer.names.fresh(this.#expressions.nameOf(result.node) + suffix);
  }

  #reduced(result: ReducedResult, node: Reduce): Kept {
    const name = this.#fresh(result);
    const isSum = node.kind === 'sum';
    const x = this.#element(result, node);
    if (isSum) return { result, name, begins: [[name, '0.0']], adds: [`${name} += ${x};`] };
    const best = node.kind.startsWith('first') ? this.#fresh(result, '_value') : name;
    const found = this.#fresh(result, '_found');
    const isBetter = node.kind.endsWith('min') ? `${x} < ${best}` : `${best} < ${x}`;
    const place = node.from === 'token' ? 'f32(position)' : 'number';
    const taken = [`${found} = true;`, `${best} = ${x};`, ...(best === name ? [] : [`${name} = ${place};`])];
    const isThere = result.parts === null ? '' : `${HAS_TOKENS} && `;
    const isNext = `!${found} || precedes(${x}, ${best}, ${isBetter})`;
    const names = [...new Set([name, best])];
    return {
      result,
      name,
      begins: [...names.map((one) => [one, '0.0'] as const), [found, 'false']],
      adds: [`if (${isThere === '' ? isNext : `${isThere}(${isNext})`}) { ${taken.join(' ')} }`],
    };
  }

  /** The value of an element: that of the argument, or the part that a trajectory has of it. */
  #element({ parts }: ReducedResult, node: Reduce): string {
    const inner = this.#inner;
    if (parts === null) return this.#expressions.value(node.args[0], inner);
    const name = inner.names.fresh('part');
    inner.lines.push(`let ${name} = packed[${addressOf(parts)}];`);
    return name;
  }

  #scanned(result: ReducedResult, { args: [x, gamma] }: Scan): Kept {
    const name = this.#fresh(result);
    const discount = this.#expressions.value(gamma, this.#outer);
    const value = this.#expressions.value(x, this.#inner);
    const kept = `wholePower(${discount}, u32(abs(number - last))) * ${name}`;
    return {
      result,
      name,
      begins: [[name, '0.0']],
      adds: [`if (last != -2.0) { ${name} = ${value} + ${kept}; } else { ${name} = ${value}; }`],
    };
  }

  /** `body` for each element of `from` that belongs to the thread. */
  #elements(body: readonly string[]): readonly string[] {
    const { from } = this.#loop;
    if (from === 'token' || from === 'turn') return this.#tokens(body);
    if (from === 'group') {
      return [
        'for (var group = 0u; group < params.groups; group++) {',
        `  if (packed[groupAt(member, group) + ${GROUP_RANGE.counts}u] == 0.0) { continue; }`,
        ...indented(body),
        '}',
      ];
    }
    const [first, end] = this.#over === 'group' ? ['start', 'end'] : ['0u', 'params.trajectories'];
    const needsGroup = this.#over === 'batch' && uses(body, 'groupResult(');
    return [
      `for (var trajectory = ${first}; trajectory < ${end}; trajectory++) {`,
      `  if (${UNCOUNTED}) { continue; }`,
      ...indented([...(needsGroup ? [GROUP_OF_TRAJECTORY] : []), ...body]),
      '}',
    ];
  }

  #tokens(body: readonly string[]): readonly string[] {
    const [only] = this.#loop.results;
    const isBackwards = only.node.op === 'scan' && only.node.direction === 'later';
    const position = isBackwards ? 'params.context - 1u - step' : 'step';
    const turns = [
      `let number = packed[token + ${TOKEN.turn}u];`,
      `let isNewTurn = number != ${this.#before};`,
      ...(only.node.op === 'scan' ? [`let last = ${this.#before};`] : []),
      `${this.#before} = number;`,
      ...(this.#loop.from === 'turn' ? ['if (!isNewTurn) { continue; }'] : []),
    ];
    const place = `let turnPlace = u32(packed[token + ${TOKEN.turn}u] + 1.0);`;
    return [
      'for (var step = 0u; step < params.context; step++) {',
      ...indented([
        `let position = ${position};`,
        'let token = tokenAt(member, trajectory, position);',
        `if (packed[token + ${TOKEN.own}u] == 0.0) { continue; }`,
        ...(this.#countsTurns ? turns : []),
        ...(uses(body, 'turnPlace') ? [place] : []),
        ...body,
      ]),
      '}',
    ];
  }
}
