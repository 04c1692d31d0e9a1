/**
 * Cases of log-probs of chosen tokens, entropies, and gradients by the logits, through the operations of training. Every
 * position becomes a trajectory of two rows: a prompt token with the logits, and the target. Other projects have no mask in
 * the forward pass; in the backward pass a masked position has no derivative.
 */
import { ROLE, type Role } from '../foundation/roles';
import type { Backend, Tensor } from '../tensor/backend';
import { HYPER, HYPER_COLUMNS, packMeta } from '../tensor/layout';
import { expectationOf, inputOf, settingOf } from './arrays';
import { type CheckedOutput, type Fixture, invalid } from './format';

interface Case {
  readonly positions: number;
  /** Tokens in the vocabulary, and tokens chosen at each position. */
  readonly V: number;
  readonly K: number;
  readonly logits: Float32Array;
  readonly tokens: Float32Array;
  readonly mask: Float32Array;
  /** Temperature of all positions, or of each. */
  readonly temperatures: Float32Array;
  /** Derivatives of the loss by log-prob [positions·K] and entropy [positions]; 0 where masked. */
  readonly byLogProb: Float32Array;
  readonly byEntropy: Float32Array;
}

export async function checkMaskedLogProb(backend: Backend, fixture: Fixture): Promise<readonly CheckedOutput[]> {
  const known = readCase(fixture);
  const isPlain = known.temperatures.length === 1 && known.temperatures[0] === 1;
  // Only actions have a temperature and a legal set. At temperature 1 other roles must give the same numbers.
  const roles: readonly Role[] = isPlain ? ['action', 'observation'] : ['action'];
  const comparisons: CheckedOutput[] = [];
  for (const role of roles) comparisons.push(...compare(fixture, known, await run(backend, known, role), backend.kind));
  if (comparisons.length === 0) throw invalid(`${fixture.name} expects nothing that is known`);
  return comparisons;
}

function readCase(fixture: Fixture): Case {
  const has = (name: string): boolean => fixture.inputs[name] !== undefined;
  const shape = fixture.inputs.logits?.shape ?? [];
  const V = shape.at(-1) ?? 0;
  const positions = shape.slice(0, -1).reduce((a, b) => a * b, 1);
  const tokens = Float32Array.from(inputOf(fixture, 'tokens'));
  const K = tokens.length / positions;
  if (!(V > 0 && positions > 0 && Number.isInteger(K) && K > 0)) {
    throw invalid(`Logits [${shape}] and ${tokens.length} tokens do not fit together in ${fixture.name}`);
  }
  if (tokens.some((token) => !Number.isInteger(token) || token < 0 || token >= V)) {
    throw invalid(`${fixture.name} has a token outside its vocabulary of ${V}`);
  }
  const given = (name: string, length: number, otherwise: number): Float32Array => {
    const values = has(name) ? Float32Array.from(inputOf(fixture, name)) : new Float32Array(length).fill(otherwise);
    if (values.length !== length)
      throw invalid(`“${name}” of ${fixture.name} has ${values.length} of ${length} numbers`);
    return values;
  };
  const mask = given('mask', positions, 1);
  const temperatures = has('temperatures')
    ? given('temperatures', positions, 1)
    : Float32Array.of(settingOf(fixture, ['temperature'], 1));
  const masked = (values: Float32Array, width: number): Float32Array =>
    values.map((value, i) => {
      const weight = mask[Math.floor(i / width)];
      return weight === 0 ? 0 : value * weight;
    });
  return {
    positions,
    V,
    K,
    logits: Float32Array.from(inputOf(fixture, 'logits')),
    tokens,
    mask,
    temperatures,
    byLogProb: masked(given('grad_logprob', positions * K, 0), K),
    byEntropy: masked(given('grad_entropy', positions, 0), 1),
  };
}

type Results = Readonly<Record<'logprob' | 'entropy' | 'grad_logits' | 'grad_logits_entropy', Float64Array>>;

/** The first `used` of `width` numbers a row, at the targets' rows (row 1) or the prompts' (row 0). */
function pick(values: ArrayLike<number>, positions: number, width: number, used: number, row: 0 | 1): Float64Array {
  return Float64Array.from(
    { length: positions * used },
    (_, i) => values[(2 * Math.floor(i / used) + row) * width + (i % used)],
  );
}

async function run(backend: Backend, known: Case, role: Role): Promise<Results> {
  const { positions, V, K } = known;
  // A member has one temperature: where each position has its own, each is a member.
  const members = known.temperatures.length;
  const own = positions / members;
  const capacity = 2 * own;
  const S = Math.ceil(V / 4) * 4;
  const f32 = (label: string, stride: number): Tensor<'f32'> => backend.tensor(label, 'f32', members, stride);
  const u32 = (label: string, count: number, data: Uint32Array): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', count, data.length / count);
    backend.write(tensor, data);
    return tensor;
  };
  /** Values of each position at its target's row. The prompts' rows are NaN: nothing may read them. */
  const atTargets = (label: string, values: Float32Array, width: number): Tensor<'f32'> => {
    const tensor = f32(label, capacity * width);
    const rows = new Float32Array(2 * positions * width).fill(Number.NaN);
    for (let i = 0; i < positions; i++) rows.set(values.subarray(i * width, (i + 1) * width), (2 * i + 1) * width);
    backend.write(tensor, rows);
    return tensor;
  };
  const isAction = role === 'action';
  const meta = packMeta(ROLE[role], isAction ? 1 : 0, 0);
  const table = new Uint32Array(2 * positions * 4);
  const targets = new Uint32Array(2 * positions * K);
  const logits = new Float32Array(2 * positions * S).fill(Number.NaN);
  for (let i = 0; i < positions; i++) {
    const base = 2 * (i % own);
    const chosen = known.tokens.subarray(i * K, (i + 1) * K);
    table.set([0, 0, base, packMeta(ROLE.prompt, 0, 0), chosen[0], 1, base, meta], i * 8);
    targets.set(chosen, (2 * i + 1) * K);
    logits.set(known.logits.subarray(i * V, (i + 1) * V), 2 * i * S);
  }
  const words = Math.ceil(V / 32);
  const sets = new Uint32Array(2 * words).fill(0xffffffff);
  const hyper = new Float32Array(members * HYPER_COLUMNS);
  known.temperatures.forEach((temperature, p) => {
    hyper[p * HYPER_COLUMNS + HYPER.temperature] = temperature;
  });
  const rows = {
    table: u32('rows', members, table),
    count: u32('count', members, new Uint32Array(members).fill(capacity)),
    capacity,
  };
  const several = K > 1 ? u32('targets', members, targets) : null;
  const t = {
    logits: f32('logits', capacity * S),
    byLogProb: f32('gradient by log-prob', capacity * S),
    byEntropy: f32('gradient by entropy', capacity * S),
    dLogProb: atTargets('dLogProb', known.byLogProb, K),
    dEntropy: atTargets('dEntropy', known.byEntropy, 1),
    noLogProb: atTargets('no dLogProb', new Float32Array(positions * K), K),
    noEntropy: atTargets('no dEntropy', new Float32Array(positions), 1),
    logProb: f32('logProb', capacity * K),
    entropy: f32('entropy', capacity),
    logSumExp: f32('logSumExp', capacity * 2),
    hyper: f32('hyper', HYPER_COLUMNS),
  };
  backend.write(t.logits, logits);
  backend.write(t.hyper, hyper);
  const legalSets = u32('legal sets', 1, sets);
  const program = backend.record('masked log-prob', members, (ops) => {
    const shared = [rows, legalSets, t.hyper, V, several] as const;
    ops.maskedLogProb(t.logProb, t.entropy, t.logSumExp, t.logits, ...shared);
    ops.copy(t.byLogProb, t.logits);
    ops.copy(t.byEntropy, t.logits);
    ops.maskedLogProbBackward(t.byLogProb, t.dLogProb, t.noEntropy, t.entropy, t.logSumExp, ...shared);
    ops.maskedLogProbBackward(t.byEntropy, t.noLogProb, t.dEntropy, t.entropy, t.logSumExp, ...shared);
  });
  await backend.prepare();
  backend.run(program);
  const [logProb, entropy, byLogProb, byEntropy] = await backend.read(t.logProb, t.entropy, t.byLogProb, t.byEntropy);
  return {
    logprob: pick(logProb, positions, K, K, 1),
    entropy: pick(entropy, positions, 1, 1, 1),
    grad_logits: pick(byLogProb, positions, S, V, 0),
    grad_logits_entropy: pick(byEntropy, positions, S, V, 0),
  };
}

/** Tolerance of a comparison. */
type Rest = Pick<CheckedOutput, 'atol' | 'rtol' | 'exactZeros'>;
const EXACTLY: Rest = { atol: 0, rtol: 0, exactZeros: true };

function compare(fixture: Fixture, known: Case, results: Results, kind: Backend['kind']): CheckedOutput[] {
  const { V, K, mask, logits } = known;
  const { value, gradient } = tolerances(logits);
  const isLost = mask.map((_, row) => (hasDistribution(logits.subarray(row * V, (row + 1) * V)) ? 0 : 1));
  const comparisons: CheckedOutput[] = [];
  for (const [output, width] of [
    ['logprob', K],
    ['entropy', 1],
    ['grad_logits', V],
    ['grad_logits_entropy', V],
  ] as const) {
    const expected = expectationOf(fixture, output);
    if (!expected) continue;
    const got = results[output];
    if (got.length !== expected.length) comparisons.push({ output, got, expected, ...EXACTLY });
    const add = (
      at: readonly number[],
      wanted: (i: number) => number,
      found: (i: number) => number,
      rest: Rest,
    ): void => {
      if (at.length > 0) comparisons.push({ output, got: at.map(found), expected: at.map(wanted), ...rest });
    };
    const [expectedAt, gotAt] = [(i: number) => expected[i], (i: number) => got[i]];
    const isGradient = output.startsWith('grad');
    const isUndefined = (row: number): boolean => expected.subarray(row * width, (row + 1) * width).some(Number.isNaN);
    const kindOf = (i: number): 'usual' | 'masked' | 'lost' | 'finite' => {
      const row = Math.floor(i / width);
      if (isGradient && mask[row] === 0) return 'masked';
      if (isLost[row] === 1 && !Number.isFinite(expectedAt(i))) return 'lost';
      return isGradient && isUndefined(row) ? 'finite' : 'usual';
    };
    const places = Array.from(expected, (_, i) => i);
    const of = (kind: ReturnType<typeof kindOf>): number[] => places.filter((i) => kindOf(i) === kind);
    add(of('usual'), expectedAt, gotAt, isGradient ? { atol: gradient, rtol: 2e-5 } : { atol: value, rtol: 2e-6 });
    add(of('masked'), (i) => (Number.isNaN(expectedAt(i)) ? 0 : expectedAt(i)), gotAt, EXACTLY);
    // Where a project gives NaN for a whole position (0·∞ in the entropy), ours only has to be finite.
    add(
      of('finite'),
      () => 1,
      (i) => (Number.isFinite(gotAt(i)) ? 1 : 0),
      EXACTLY,
    );
    // WGSL need not keep NaN, so the results of such logits are unspecified there.
    if (kind !== 'webgpu')
      add(
        of('lost'),
        () => Number.NaN,
        (i) => (Number.isFinite(gotAt(i)) ? gotAt(i) : Number.NaN),
        EXACTLY,
      );
  }
  return comparisons;
}

/** False for logits without a softmax: all −∞, or one +∞ or NaN. Other projects give NaN for them, and so may we. */
function hasDistribution(logits: Float32Array): boolean {
  const highest = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return Number.isFinite(highest);
}

/**
 * Absolute tolerances, from the float32 rounding of the logits. It grows with their magnitude, unless all are large together:
 * then subtracting the largest one removes most of it.
 */
function tolerances(logits: Float32Array): { value: number; gradient: number } {
  const finite = logits.filter(Number.isFinite);
  const [lowest, highest] = finite.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  const magnitude = Math.max(Math.abs(lowest), Math.abs(highest), 0);
  if (magnitude > 100 * (highest - lowest)) return { value: 5e-6, gradient: 2e-6 };
  return { value: 2e-6 + 2.5e-7 * magnitude, gradient: magnitude > 5e3 ? 3e-5 : 2e-6 };
}
