/** One member's part of a batch in the tape's form, from the numbers that formulaInputs packed. */
import type { Formula } from '../../../formula/compile';
import {
  type BatchShape,
  columnsOf,
  furtherColumns,
  GROUP_RANGE,
  GROUP_RANGE_COLUMNS,
  packingOf,
  TOKEN,
  TRAJECTORY,
  TRAJECTORY_COLUMNS,
} from '../../../formula/packing';
import type { Inputs, Structure } from '../../../formula/tape';
import { type InputName, isRunInput, type RunInput } from '../../../formula/vocabulary';
import { isDrawn, ROLE } from '../../../foundation/roles';
import type { FloatData } from '../../backend';

/** A member's tensors. */
export interface FormulaMember {
  readonly logProb: FloatData;
  readonly entropy: FloatData;
  readonly oldLogProb: FloatData;
}

export interface TapeBatch {
  readonly structure: Structure;
  readonly inputs: Inputs;
  /** Place b·T + t in the batch of each token of the tape. */
  readonly tokens: Int32Array;
}

/** Batch of all trajectories. `counting`: groups with a trajectory that counts; they alone are elements, numbered without gaps. */
export function wholeBatch(
  formula: Formula,
  shape: BatchShape,
  packed: FloatData,
  policy: FormulaMember,
): TapeBatch & { readonly counting: readonly number[] } {
  const table = packingOf(formula, shape).groups;
  const everyGroup = Array.from({ length: shape.groups }, (_, g) => g);
  const counting = everyGroup.filter((g) => packed[table + g * GROUP_RANGE_COLUMNS + GROUP_RANGE.counts] !== 0);
  const numbers = new Map(counting.map((g, i) => [g, i]));
  const groups = { count: counting.length, numberOf: (g: number) => numbers.get(g) as number };
  return { ...tapeBatch(formula, shape, packed, policy, { first: 0, end: shape.trajectories }, groups), counting };
}

/** The trajectories first … end − 1. `groupOf` numbers the groups that are elements of a reduction. */
export function tapeBatch(
  formula: Formula,
  shape: BatchShape,
  packed: FloatData,
  policy: FormulaMember,
  range: { readonly first: number; readonly end: number },
  groups: { readonly count: number; readonly numberOf: (group: number) => number },
): TapeBatch {
  const { context: T } = shape;
  const [columns, further] = [columnsOf(formula), furtherColumns(formula)];
  const table = packingOf(formula, shape).trajectories;
  const ofTrajectory = (b: number, column: number): number => packed[table + b * TRAJECTORY_COLUMNS + column];
  const [tokens, tokenTurn, turnFirst, turnTrajectory]: [number[], number[], number[], number[]] = [[], [], [], []];
  const counting: number[] = [];
  for (let b = range.first; b < range.end; b++) {
    if (ofTrajectory(b, TRAJECTORY.counts) === 0) continue;
    let before = Number.NaN;
    for (let i = b * T; i < (b + 1) * T; i++) {
      if (packed[i * columns + TOKEN.own] === 0) continue;
      const turn = packed[i * columns + TOKEN.turn];
      if (turn !== before) {
        turnFirst.push(i);
        turnTrajectory.push(counting.length);
      }
      before = turn;
      tokenTurn.push(turnFirst.length - 1);
      tokens.push(i);
    }
    counting.push(b);
  }
  const at = (places: readonly number[], column: number): Float64Array =>
    mapped(places, (i) => packed[i * columns + column]);
  const columnAt = (name: Parameters<typeof further.get>[0]): number => further.get(name) as number;
  const dense = (values: FloatData): Float64Array => mapped(tokens, (i) => values[i]);
  const hasRole = (role: number): Float64Array =>
    mapped(tokens, (i) => Number(packed[i * columns + columnAt('role')] === role));
  const outcome = (column: number): Float64Array => mapped(counting, (b) => ofTrajectory(b, column));
  const sampler = (i: number): number =>
    isDrawn(packed[i * columns + columnAt('role')]) ? packed[i * columns + columnAt('sampler')] : policy.oldLogProb[i];
  const sources: Readonly<Record<Exclude<InputName, RunInput>, () => Float64Array>> = {
    logp: () => dense(policy.logProb),
    entropy: () => dense(policy.entropy),
    old_logp: () => dense(policy.oldLogProb),
    sampler_logp: () => mapped(tokens, sampler),
    ref_logp: () => at(tokens, columnAt('reference')),
    advantage: () => at(tokens, columnAt('advantage')),
    returns: () => at(tokens, columnAt('returns')),
    value: () => at(tokens, columnAt('value')),
    position: () => mapped(tokens, (i) => i % T),
    is_action: () => hasRole(ROLE.action),
    is_thought: () => hasRole(ROLE.thought),
    is_observation: () => hasRole(ROLE.observation),
    turn: () => at(turnFirst, TOKEN.turn),
    turn_reward: () => at(turnFirst, columnAt('turnReward')),
    reward: () => outcome(TRAJECTORY.reward),
    success: () => outcome(TRAJECTORY.success),
    turns: () => outcome(TRAJECTORY.turns),
    valid: () => outcome(TRAJECTORY.valid),
  };
  return {
    tokens: Int32Array.from(tokens),
    structure: {
      tokenTurn: Int32Array.from(tokenTurn),
      tokenIndex: Int32Array.from(tokens, (i) => i % T),
      tokenWeight: at(tokens, TOKEN.weight),
      turnTrajectory: Int32Array.from(turnTrajectory),
      turnNumber: Int32Array.from(turnFirst, (i) => packed[i * columns + TOKEN.turn]),
      trajectoryGroup: Int32Array.from(counting, (b) => groups.numberOf(ofTrajectory(b, TRAJECTORY.group))),
      groups: groups.count,
    },
    inputs: Object.fromEntries(
      [...formula.reads].flatMap((name) => (isRunInput(name) ? [] : [[name, sources[name]()]])),
    ),
  };
}

/** One number a place. A loop: `from` goes through an iterator, and this runs with every inner step. */
function mapped(places: readonly number[], value: (place: number) => number): Float64Array {
  const values = new Float64Array(places.length);
  for (let i = 0; i < values.length; i++) values[i] = value(places[i]);
  return values;
}
