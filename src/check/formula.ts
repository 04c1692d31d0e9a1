/**
 * Losses as text, with their derivatives and what they show. The case says whose each token is, its turn, group and weight
 * (1), so these are put where formulaInputs would put them; the rest runs as training runs it, in two microbatches.
 */
import { compile, type Formula } from '../formula/compile';
import { FormulaError } from '../formula/error';
import {
  columnsOf,
  FORMULA_TERM,
  type FurtherColumn,
  furtherColumns,
  GROUP_RANGE,
  GROUP_RANGE_COLUMNS,
  packingOf,
  TOKEN,
  TRAJECTORY,
  TRAJECTORY_COLUMNS,
} from '../formula/packing';
import { ROLE } from '../foundation/roles';
import type { Backend, Tensor } from '../tensor/backend';
import { OUTCOME_COLUMNS } from '../tensor/columns';
import { packMeta, ROW_FIELDS } from '../tensor/layout';
import type { Batch } from '../tensor/operations/batch';
import { FORMULA_PARAMETERS, FORMULA_TERM_COLUMNS } from '../tensor/operations/formula';
import { expectationOf, inputOf, numberIn, tableOf } from './arrays';
import { type CheckedOutput, type Fixture, invalid } from './format';
import { tensorOf } from './place';

/**
 * Tolerance of a comparison. The case's arrays are decimals, which float32 rounds once, and each number computed from
 * them is rounded again.
 */
const TOLERANCE = { atol: 3e-6, rtol: 3e-5 };

/** Trajectories of the case, those of a group adjacent, with room for one more token, which is empty. */
interface Scene {
  readonly B: number;
  /** Tokens of a trajectory of the case. */
  readonly T: number;
  /** Tokens with the empty place, T + 1. */
  readonly context: number;
  /** Index of the case's trajectory at each place. */
  readonly order: readonly number[];
  /** Group of each place, numbered from 0. */
  readonly group: readonly number[];
  /** Numbers of tokens [B,T] or trajectories [B] in that order. */
  readonly tokens: (name: string) => Float64Array;
  readonly trajectories: (name: string) => Float64Array;
}

export async function checkFormula(backend: Backend, fixture: Fixture): Promise<readonly CheckedOutput[]> {
  const formula = compiled(fixture);
  const scene = sceneOf(fixture);
  const { B, T, context } = scene;
  const batch = batchOf(backend, scene);
  const packed = tensorOf(backend, 'packed', packedOf(formula, scene, batch));
  const parameters = tensorOf(backend, 'parameters', parametersOf(formula, fixture));
  const policy = {
    logProb: tensorOf(backend, 'logProb', scene.tokens('log_prob')),
    entropy: tensorOf(backend, 'entropy', scene.tokens('entropy')),
    oldLogProb: tensorOf(backend, 'oldLogProb', scene.tokens('old_log_prob')),
  };
  const sequences = Math.ceil(B / 2);
  const microbatches = [0, sequences].map((first) => microbatch(backend, scene, first, sequences));
  const program = backend.record(fixture.name, 1, (ops) => {
    ops.formulaHeld(packed, formula, batch, policy, parameters);
    for (const { rows, outputs } of microbatches) {
      ops.formulaObjective(outputs, packed, formula, batch, rows, policy, parameters);
    }
  });
  await backend.prepare();
  backend.run(program);
  const got = {
    loss: new Float64Array(B * T),
    logProb: new Float64Array(B * T),
    entropy: new Float64Array(B * T),
    shown: formula.shown.map(() => 0),
    own: 0,
  };
  for (const { rows, outputs } of microbatches) {
    const [terms, byLogProb, byEntropy] = await backend.read(outputs.terms, outputs.dLogProb, outputs.dEntropy);
    for (let r = 0; r < rows.inUse; r++) {
      const [b, t] = [rows.first + Math.floor(r / context), r % context];
      if (t === T) continue;
      const at = (scene.order[b] as number) * T + t;
      got.loss[at] = terms[r * FORMULA_TERM_COLUMNS + FORMULA_TERM.loss];
      got.logProb[at] = byLogProb[r];
      got.entropy[at] = byEntropy[r];
      got.own += terms[r * FORMULA_TERM_COLUMNS + FORMULA_TERM.own];
      got.shown = got.shown.map((sum, k) => sum + terms[r * FORMULA_TERM_COLUMNS + FORMULA_TERM.shown + k]);
    }
  }
  const outputs = { token_loss: got.loss, grad_log_prob: got.logProb, grad_entropy: got.entropy };
  const shows = fixture.expected.shows ?? {};
  return [
    ...Object.entries(outputs).flatMap(([output, values]): CheckedOutput[] => {
      const expected = expectationOf(fixture, output);
      return expected === undefined ? [] : [{ output, got: values, expected, ...TOLERANCE, exactZeros: true }];
    }),
    ...formula.shown.flatMap(({ name }, k): CheckedOutput[] => {
      const expected = shows[name];
      const mean = got.own === 0 ? 0 : (got.shown[k] as number) / got.own;
      return expected === undefined
        ? []
        : [{ output: `shows.${name}`, got: [mean], expected: [Number(expected)], ...TOLERANCE }];
    }),
  ];
}

function compiled(fixture: Fixture): Formula {
  try {
    return compile(String(fixture.params.formula));
  } catch (cause) {
    if (!(cause instanceof FormulaError)) throw cause;
    throw invalid(`The formula of ${fixture.name}: ${cause.what}`, cause);
  }
}

function sceneOf(fixture: Fixture): Scene {
  const [B, T] = tableOf(fixture, 'log_prob');
  const groups = inputOf(fixture, 'group', B);
  const order = Array.from({ length: B }, (_, b) => b).sort((a, b) => groups[a] - groups[b] || a - b);
  const known = [...new Set(order.map((b) => groups[b]))];
  const has = (name: string): boolean => fixture.inputs[name] !== undefined;
  const turns = inputOf(fixture, 'turn', B * T);
  if (turns.some((turn) => !(turn >= -1 && turn < T)))
    throw invalid(`${fixture.name} has a turn that is not between −1 and ${T - 1}`);
  const ordered = (name: string, width: number, room: number): Float64Array => {
    const values = has(name) ? inputOf(fixture, name, B * width) : null;
    return Float64Array.from({ length: B * room }, (_, i) => {
      const [b, t] = [Math.floor(i / room), i % room];
      return t < width && values !== null ? values[order[b] * width + t] : Number.NaN;
    });
  };
  return {
    B,
    T,
    order,
    group: order.map((b) => known.indexOf(groups[b])),
    context: T + 1,
    tokens: (name) => ordered(name, T, T + 1),
    trajectories: (name) => ordered(name, 1, 1),
  };
}

/** Batch for the operations. Inputs are packed already, so only its sizes are read. */
function batchOf(backend: Backend, { B, context, group }: Scene): Batch {
  const groups = (group.at(-1) as number) + 1;
  return {
    roles: backend.tensor('roles', 'u32', 1, B * context),
    groupStart: backend.tensor('groupStart', 'u32', 1, groups + 1),
    outcomes: backend.tensor('outcomes', 'f32', 1, B * OUTCOME_COLUMNS),
    trajectories: B,
    context,
    groups,
  };
}

/** Names of further columns' numbers in cases. */
const GIVEN: Readonly<Partial<Record<FurtherColumn, string>>> = {
  sampler: 'sampler_log_prob',
  reference: 'ref_log_prob',
  advantage: 'advantage',
  returns: 'returns',
  value: 'value',
  turnReward: 'turn_reward',
};

function packedOf(formula: Formula, scene: Scene, batch: Batch): Float32Array {
  const { B, T, context, group } = scene;
  const packing = packingOf(formula, batch);
  const columns = columnsOf(formula);
  const packed = new Float32Array(packing.floats);
  const [own, turn] = [scene.tokens('token_mask'), scene.tokens('turn')];
  const isThere = (i: number): boolean => i % context < T;
  for (let i = 0; i < B * context; i++) {
    if (!isThere(i)) continue;
    packed[i * columns + TOKEN.own] = own[i];
    packed[i * columns + TOKEN.weight] = own[i];
    packed[i * columns + TOKEN.turn] = turn[i];
  }
  for (const [name, column] of furtherColumns(formula)) {
    const given = GIVEN[name];
    const values = given === undefined ? null : scene.tokens(given);
    for (let i = 0; i < B * context; i++) packed[i * columns + column] = values === null ? ROLE.action : values[i];
  }
  const [reward, success] = [scene.trajectories('reward'), scene.trajectories('success')];
  for (let b = 0; b < B; b++) {
    const row = packed.subarray(packing.trajectories + b * TRAJECTORY_COLUMNS);
    row[TRAJECTORY.counts] = 1;
    row[TRAJECTORY.group] = group[b];
    row[TRAJECTORY.tokens] = own.subarray(b * context, b * context + T).reduce((a, c) => a + c, 0);
    row[TRAJECTORY.reward] = reward[b];
    row[TRAJECTORY.success] = success[b];
  }
  for (let g = 0; g < batch.groups; g++) {
    const row = packed.subarray(packing.groups + g * GROUP_RANGE_COLUMNS);
    row[GROUP_RANGE.first] = group.indexOf(g);
    row[GROUP_RANGE.end] = group.lastIndexOf(g) + 1;
    row[GROUP_RANGE.counts] = 1;
  }
  return packed;
}

function parametersOf(formula: Formula, fixture: Fixture): Float32Array {
  const values = (fixture.params.values ?? {}) as Readonly<Record<string, unknown>>;
  const row = new Float32Array(FORMULA_PARAMETERS);
  formula.parameters.forEach((parameter, k) => {
    row[k] = numberIn(fixture, values[parameter.name], parameter.name) ?? parameter.default;
  });
  return row;
}

/** Rows of the trajectories from `first` on: all their tokens, in order. */
function microbatch(backend: Backend, { B, context }: Scene, first: number, sequences: number) {
  const capacity = sequences * context;
  const inUse = Math.max(0, Math.min(sequences, B - first)) * context;
  const table = new Uint32Array(capacity * ROW_FIELDS);
  for (let r = 0; r < inUse; r++) {
    const b = Math.floor(r / context);
    table.set([0, r % context, b * context, packMeta(ROLE.action, 0, first + b)], r * ROW_FIELDS);
  }
  const u32 = (label: string, data: Uint32Array): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', 1, data.length);
    backend.write(tensor, data);
    return tensor;
  };
  const zeros = (label: string, length: number): Tensor<'f32'> => tensorOf(backend, label, new Float32Array(length));
  return {
    rows: { table: u32('table', table), count: u32('count', Uint32Array.of(inUse)), capacity, inUse, first, sequences },
    outputs: {
      dLogProb: zeros('dLogProb', capacity),
      dEntropy: zeros('dEntropy', capacity),
      terms: zeros('terms', capacity * FORMULA_TERM_COLUMNS),
    },
  };
}
