/**
 * Texts whose printed PyTorch was run once (test/fixtures/pytorch/formulas.py): all golden ones, the recipes of the
 * documentation, and some at ties, at the edges of functions and of reductions. Their inputs are those of the golden case they name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Structure } from '../../src/formula/tape';

interface Numbers {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

interface GoldenCase {
  readonly name: string;
  readonly params: { readonly formula: string; readonly values: Readonly<Record<string, number>> };
  readonly inputs: Readonly<Record<string, Numbers>>;
  readonly expected: Readonly<Record<string, Numbers>> & { readonly shows: Readonly<Record<string, number>> };
}

const GOLDEN: readonly GoldenCase[] = JSON.parse(readFileSync('test/fixtures/formula.json', 'utf8'));

export interface TorchCase {
  readonly name: string;
  readonly text: string;
  readonly values: Readonly<Record<string, number>>;
  /** Inputs by the language's names, [B, T] or [B]. */
  readonly inputs: Readonly<Record<string, readonly (readonly number[])[] | readonly number[]>>;
}

/** Fixtures call inputs by the names of other projects. */
const NAMES = {
  own: 'token_mask',
  logp: 'log_prob',
  old_logp: 'old_log_prob',
  sampler_logp: 'sampler_log_prob',
  ref_logp: 'ref_log_prob',
} as const;

/** Trajectories' numbers that the fixtures have none of. */
const MADE = { valid: [1, 0.5, 1, 0.25, 1, 1], turns: [2, 2, 3, 1, 2, 2] };

function inputsOf(golden: GoldenCase): TorchCase['inputs'] {
  const renamed = Object.entries(golden.inputs).map(([name, { shape, data }]) => {
    const [own] = Object.entries(NAMES).find(([, other]) => other === name) ?? [name];
    const [, T] = shape;
    return [own, T === undefined ? data : rows(data, T)] as const;
  });
  const inputs = Object.fromEntries(renamed) as Record<string, readonly number[][] | readonly number[]>;
  const logp = inputs.logp as readonly number[][];
  const made = (of: (row: number, at: number) => number) => logp.map((row, b) => row.map((_, at) => of(b, at)));
  return {
    ...inputs,
    ...MADE,
    position: made((_, at) => at),
    returns: made((b, at) => ((3 * b + 5 * at) % 7) / 4 - 0.6),
    value: made((b, at) => ((5 * b + 2 * at) % 9) / 6 - 0.5),
    is_action: made((b, at) => (b + at) % 2),
    is_observation: made((b, at) => 1 - ((b + at) % 2)),
  };
}

const rows = (data: readonly number[], T: number): number[][] =>
  Array.from({ length: data.length / T }, (_, b) => data.slice(b * T, (b + 1) * T));

/** name: [golden case whose inputs it reads, text, what is done to the inputs before] */
const MORE: Readonly<Record<string, readonly [string, string, ('tied' | 'one' | 'none')?]>> = {
  'ppo at the first step': [
    'formula_ppo_0',
    'ratio = exp(logp - old_logp)\nloss = -min(ratio * A, clip(ratio, 0.8, 1.2) * A)',
    'tied',
  ],
  'ties of max': ['formula_ppo_1', 'd = logp - old_logp\nloss = max(d, -d, 0) * A + min(0, d)', 'tied'],
  'clip at its bounds': ['formula_ppo_1', 'd = logp - old_logp\nloss = clip(d, 0, 1) + clip(d, -1, 0) * A', 'tied'],
  'clip between values': ['formula_ppo_2', 'loss = clip(logp, ref_logp, old_logp) * A + clip(-0.5, logp, 0)'],
  'abs, sign and relu at 0': [
    'formula_ppo_2',
    'd = logp - old_logp\nloss = abs(d) + sign(d) * logp + relu(d) + relu(-d) * 2 + abs(A) * sign(A)',
    'tied',
  ],
  'log of what may be negative': ['formula_ppo_0', 'd = logp - old_logp\nloss = where(d > 0, log(d), d ** 2)'],
  'log of 0': ['formula_ppo_0', 'd = logp - old_logp\nloss = where(d == 0, logp, log(d))', 'tied'],
  'a branch that has a name': [
    'formula_ppo_1',
    'd = logp - old_logp\nsteep = log(d)\nroot = sqrt(d)\nloss = A * (steep + root if d > 0 else d)',
  ],
  'log below a clip': [
    'formula_ppo_1',
    'd = abs(logp - old_logp)\nloss = max(log(d), -5) * A + clip(log1p(-d), -3, 0)',
    'tied',
  ],
  'division in a branch': [
    'formula_ppo_2',
    'd = logp - old_logp\nloss = where(abs(d) > 0.1, A / d, 0) + where(d != 0, logp / (old_logp - ref_logp) / d, logp)',
  ],
  'division by 0 in a branch': ['formula_ppo_2', 'd = logp - old_logp\nloss = where(d != 0, A / d, logp)', 'tied'],
  powers: [
    'formula_ppo_2',
    'p = exp(logp)\nloss = p ** 3 + p ** -2 + p ** 0.5 + p ** 1.7 + 2 ** logp + p ** p + logp ** 0 + (-logp) ** 2.5 if A > 0 else p ** A',
  ],
  'nested branches': [
    'formula_ppo_0',
    'd = logp - old_logp\nloss = (sqrt(d) if d > 0.5 else log(d)) if d > 0 else (1 / d if d < -0.2 else d)',
  ],
  'equal elements': [
    'formula_spread_0',
    'loss = std_trajectory(old_logp - logp) + std_turn(logp - old_logp) + max_turn(logp - old_logp) - min_trajectory(old_logp - logp)',
    'tied',
  ],
  'one token a trajectory': [
    'formula_spread_0',
    'loss = std_trajectory(logp) + std_group(reward) + mean_turn(logp) * A',
    'one',
  ],
  'no own token': [
    'formula_ppo_0',
    'ratio = exp(logp - old_logp)\nloss = -min(ratio * A, clip(ratio, 0.8, 1.2) * A)\nshow clip_fraction = ratio > 1.2\nshow spread = mean_trajectory(ratio)',
    'none',
  ],
  'deviation of turns': [
    'formula_turn_credit_0',
    'x = std_trajectory(sum_turn(logp)) + std_turn(entropy)\nloss = x * A',
  ],
  'reductions of turns and groups': [
    'formula_turn_credit_1',
    'a = turn_reward - mean_group(turn_reward)\nb = max_batch(mean_group(reward)) - min_group(turn_reward) + count_trajectory(turn) + count_batch(mean_group(reward))\nloss = -(a + b) * sum_turn(logp) / count_batch(A)',
  ],
  'all levels at once': [
    'formula_group_logp_0',
    'loss = (mean_batch(logp) + mean_group(sum_trajectory(logp)) + mean_trajectory(logp) + mean_turn(logp) + logp) * A * reward * turn_reward',
  ],
  'to go': [
    'formula_turn_credit_0',
    'param gamma = 0.7 in [0, 1]\nx = to_go(mean_turn(entropy - logp), gamma)\nloss = x * A',
  ],
  'to go of a trajectory’s value': ['formula_turn_credit_1', 'loss = (to_go(reward, 0.5) + to_go(1, 1) + turn) * logp'],
  'to go within a branch': [
    'formula_turn_credit_1',
    'x = to_go(sum_turn(logp), 0.9)\nloss = where(x < mean_group(x), x, detach(x) * logp)',
  ],
  'conditions as numbers': [
    'formula_ppo_0',
    'up = A > 0\ndown = not up\nboth = (up and logp > old_logp) + (down or entropy > 0.5) * 2 + (0.2 < entropy < 1)\nloss = -both * logp + (3 if up == down else entropy)\nshow up = up\nshow second = both == 2',
  ],
  'a condition of a number': ['formula_ppo_0', 'loss = logp if sign(A) - 1 else entropy\nshow none = 0.5'],
  'parameters alone': [
    'formula_ppo_0',
    'param on = 1 in [0, 1]\nparam x = 0.3 in [0, 2]\ny = exp(x) + log(x) + sigmoid(x) + softplus(x) + relu(x) + sign(x) + clip(x, 0, 1) + min(x, 1, 2) + tanh(x) + sqrt(x) + abs(-x) + expm1(x) + log1p(x) + max(x, 0) + detach(x) + (x > 0)\nloss = y * (logp if on > 0.5 and not x > 1 else 0) + where(on, 1, 2) - pi',
  ],
  'every input': [
    'formula_tis_0',
    'a = returns - value + position / 10 + is_action - is_observation * turn\nb = success + reward + valid / turns + tokens\nloss = -(a + b + turn_reward) * (logp - ref_logp + sampler_logp - old_logp) - 0.1 * entropy * advantage + A',
  ],
  'names that Python knows': [
    'formula_ppo_0',
    'lambda = A\nown = logp\ntorch = old_logp\nlist = 2\nloss = -lambda * own * list + torch',
  ],
  'names of the printed file': [
    'formula_ppo_0',
    'param inputs = 0.5 in [0, 1]\nparam own_ = 2 in [0, 9]\nown = A\nLossOutputs = logp\nloss = inputs * own * LossOutputs * own_',
  ],
  'a loss of trajectories': ['formula_gspo_0', 'loss = -reward * mean_trajectory(logp)'],
  'a loss of the batch': ['formula_gspo_0', 'loss = mean_batch(logp)\nshow x = reward'],
  'a constant': ['formula_gspo_0', 'loss = 1 - 0.2 # no slope\n'],
  functions: [
    'formula_soft_barrier_0',
    'd = logp - old_logp\nloss = softplus(50 * d) + sigmoid(d) * tanh(A) + expm1(d) * log1p(exp(d)) - relu(d) + sqrt(exp(d))',
  ],
};

function changed(inputs: TorchCase['inputs'], how: string | undefined): TorchCase['inputs'] {
  const own = inputs.own as readonly (readonly number[])[];
  if (how === 'tied') return { ...inputs, old_logp: inputs.logp as readonly number[][] };
  if (how === 'one')
    return { ...inputs, own: own.map((row) => row.map((mask, at) => (row.indexOf(1) === at ? mask : 0))) };
  if (how === 'none') return { ...inputs, own: own.map((row) => row.map(() => 0)) };
  return inputs;
}

export function torchCases(): readonly TorchCase[] {
  const golden = GOLDEN.map((one) => ({
    name: one.name,
    text: one.params.formula,
    values: one.params.values,
    inputs: inputsOf(one),
  }));
  const of = (name: string): TorchCase['inputs'] => (golden.find((one) => one.name === name) as TorchCase).inputs;
  const more = Object.entries(MORE).map(([name, [from, text, how]]) => ({
    name,
    text,
    values: {},
    inputs: changed(of(from), how),
  }));
  const recipes = readdirSync('docs/recipes').map((name) => ({
    name,
    text: readFileSync(`docs/recipes/${name}`, 'utf8'),
    values: {},
    inputs: of('formula_turn_credit_0'),
  }));
  return [...golden, ...more, ...recipes];
}

/** The case's own tokens, and who belongs to whom among them; how many there are of each level. */
export function structureOf({ inputs }: TorchCase): {
  readonly own: readonly (readonly [number, number])[];
  readonly turns: readonly (readonly [number, number])[];
  readonly structure: Structure;
} {
  const [mask, turn, group] = [inputs.own, inputs.turn, inputs.group] as [number[][], number[][], number[]];
  const own = mask.flatMap((row, b) => row.flatMap((is, at) => (is === 1 ? [[b, at] as const] : [])));
  const nameOf = ([b, at]: readonly [number, number]): string => `${b} ${turn[b]?.[at]}`;
  const turns = own.filter((one, i) => i === 0 || nameOf(own[i - 1] ?? one) !== nameOf(one));
  const names = turns.map(nameOf);
  const structure = {
    tokenTurn: Int32Array.from(own, (one) => names.indexOf(nameOf(one))),
    tokenIndex: Int32Array.from(own, ([, at]) => at),
    tokenWeight: new Float64Array(own.length).fill(1),
    turnTrajectory: Int32Array.from(turns, ([b]) => b),
    turnNumber: Int32Array.from(turns, ([b, at]) => turn[b]?.[at] ?? 0),
    trajectoryGroup: Int32Array.from(group),
    groups: Math.max(...group) + 1,
  };
  return { own, turns, structure };
}
