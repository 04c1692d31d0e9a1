/** Random texts that are well typed: every function, reduction and input, parameters, names, `where`, `detach`, `to_go`. */
import type { RandomStream } from '../../src/foundation/philox';

type Level = 'batch' | 'group' | 'trajectory' | 'turn' | 'token';

const LEVELS: readonly Level[] = ['batch', 'group', 'trajectory', 'turn', 'token'];
const TARGETS: readonly Level[] = ['turn', 'trajectory', 'group', 'batch'];

const INPUTS: Readonly<Partial<Record<Level, readonly string[]>>> = {
  token: [
    'logp',
    'logp',
    'logp',
    'entropy',
    'entropy',
    'old_logp',
    'sampler_logp',
    'ref_logp',
    'A',
    'returns',
    'value',
    'position',
    'is_action',
    'is_observation',
  ],
  turn: ['turn', 'turn_reward'],
  trajectory: ['reward', 'success', 'turns', 'valid', 'tokens'],
};

/** Functions of one value. */
const ONE = ['exp', 'log', 'log1p', 'expm1', 'sqrt', 'abs', 'sign', 'sigmoid', 'tanh', 'relu', 'softplus', 'detach'];

/** What keeps the argument where the function is finite and not large; most programs have no NaN then. */
const KEPT: Readonly<Record<string, (x: string) => string>> = {
  exp: (x) => `2 * tanh(${x})`,
  expm1: (x) => `clip(${x}, -2, 2)`,
  log: (x) => `0.1 + abs(${x})`,
  log1p: (x) => `abs(${x})`,
  sqrt: (x) => `0.2 + (${x}) ** 2`,
};

interface Value {
  readonly text: string;
  readonly level: Level;
}

/** Definitions of random values, then a loss and what is shown; `size` bounds the depth of an expression. */
export function randomFormula(random: RandomStream, size = 3): string {
  const lines: string[] = [];
  const names: Value[] = [];
  const parameters = random.below(3);
  for (let i = 0; i < parameters; i++) lines.push(`param k${i} = ${(0.1 + random.unit()).toFixed(2)} in [-2, 2]`);
  const writer = new Writer(random, names, parameters);
  const definitions = random.below(4);
  for (let i = 0; i < definitions; i++) {
    const level = pick(random, LEVELS);
    const text = writer.value(level, size).text;
    lines.push(`v${i} = ${text}`);
    names.push({ text: `v${i}`, level });
  }
  lines.push(`loss = ${writer.value('token', size).text} + ${writer.value('token', size).text}`);
  if (random.below(2) === 0) lines.push(`show seen = ${writer.value('token', 1).text}`);
  return lines.join('\n');
}

const pick = <T>(random: RandomStream, of: readonly T[]): T => of[random.below(of.length)] as T;

class Writer {
  readonly #random: RandomStream;
  readonly #names: readonly Value[];
  readonly #parameters: number;

  constructor(random: RandomStream, names: readonly Value[], parameters: number) {
    this.#random = random;
    this.#names = names;
    this.#parameters = parameters;
  }

  /** An expression of that very level, or a lower one where what it is made of happens to be lower. */
  value(level: Level, size: number): Value {
    const random = this.#random;
    const at = LEVELS.indexOf(level);
    if (size <= 0) return this.#leaf(level);
    const kind = random.below(10);
    // Down from a higher level.
    const isBelow = at < LEVELS.length - 1;
    if (isBelow && (kind < 4 || level === 'batch' || level === 'group')) return this.#reduction(level, size);
    if (level === 'turn' && kind === 4)
      return { text: `to_go(${this.#exactly('turn', size - 1)}, 0.${random.below(9)})`, level };
    if (kind < 6) return { text: this.#function(this.value(level, size - 1).text), level };
    const [a, b] = [this.value(level, size - 1).text, this.value(this.#lower(level), size - 1).text];
    switch (random.below(8)) {
      case 0:
        return { text: `(${a} / (abs(${b}) + 0.3))`, level };
      case 1:
        return { text: `${pick(random, ['min', 'max'])}(${a}, ${b})`, level };
      case 2:
        return { text: `where(${this.#condition(level, size)}, ${a}, ${b})`, level };
      case 3:
        return { text: `(${a} if ${this.#condition(level, size)} else ${b})`, level };
      case 4:
        return { text: `clip(${a}, -0.${1 + random.below(9)}, ${b})`, level };
      case 5:
        return { text: this.#power(a), level };
      default:
        return { text: `(${a} ${pick(random, ['+', '-', '*'])} ${b})`, level };
    }
  }

  #function(x: string): string {
    const name = pick(this.#random, ONE);
    const kept = this.#random.below(12) > 0 ? KEPT[name] : undefined;
    return `${name}(${kept === undefined ? x : kept(x)})`;
  }

  #power(x: string): string {
    if (this.#random.below(2) === 0) return `(${x}) ** ${pick(this.#random, ['2', '3'])}`;
    return `(abs(${x}) + 0.2) ** ${pick(this.#random, ['-1', '-2', '0.5', '1.7'])}`;
  }

  #lower(level: Level): Level {
    return pick(this.#random, LEVELS.slice(0, LEVELS.indexOf(level) + 1));
  }

  /** to_go and reductions ask for a level, so an input of it takes part. */
  #exactly(level: Level, size: number): string {
    const [input] = [pick(this.#random, INPUTS[level] ?? ['reward'])];
    return `${input} * (0.1 + ${this.value(level, size).text})`;
  }

  #reduction(level: Level, size: number): Value {
    const random = this.#random;
    const higher = LEVELS.slice(LEVELS.indexOf(level) + 1).filter((one) => INPUTS[one] !== undefined);
    const from = pick(random, higher.length > 0 ? higher : (['token'] as const));
    const kind = pick(random, ['sum', 'mean', 'mean', 'min', 'max', 'std', 'std', 'count']);
    if (!TARGETS.includes(level)) return this.#leaf(level);
    return { text: `${kind}_${level}(${this.#exactly(from, size - 1)})`, level };
  }

  #condition(level: Level, size: number): string {
    const random = this.#random;
    const compared = `${this.value(level, size - 2).text} ${pick(random, ['<', '<=', '>', '>='])} ${this.value(this.#lower(level), size - 2).text}`;
    const kind = random.below(6);
    if (kind === 0) return `not (${compared})`;
    if (kind === 1) return `(${compared} and ${this.value(level, 0).text} > 0.1)`;
    if (kind === 2) return `(${compared} or ${this.value(level, 0).text} < -0.4)`;
    return `(${compared})`;
  }

  #leaf(level: Level): Value {
    const random = this.#random;
    const named = this.#names.filter((one) => one.level === level);
    const kind = random.below(8);
    if (named.length > 0 && kind < 3) return pick(random, named);
    if (kind === 3 && this.#parameters > 0) return { text: `k${random.below(this.#parameters)}`, level };
    if (kind === 4) return { text: (random.unit() * 2).toFixed(2), level };
    const inputs = INPUTS[level];
    return { text: inputs === undefined ? '0.7' : pick(random, inputs), level };
  }
}
