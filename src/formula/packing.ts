/**
 * Layout of a formula's numbers in the tensor that each of its instances has, [P, floatsOf(formula, batch)]: inputs of
 * each token [B,T,columns], of each trajectory [B,TRAJECTORY columns], of each group [G,GROUP_RANGE columns], and the results
 * of its reductions, those of one level together.
 */
import type { Formula } from './compile';
import { FORMULA_LIMITS } from './limits';
import { type InputName, RUN_INPUTS, type RunInput } from './vocabulary';

/** Columns that every token has. */
export const TOKEN = {
  /** 1 on the formula's own tokens, else 0: then nothing else of the token is looked at. */
  own: 0,
  /** Factor of the token's loss. */
  weight: 1,
  /** Number of its turn, −1 in the prompt. */
  turn: 2,
} as const;

const TOKEN_COLUMNS = 3;

/** Columns of a trajectory. */
export const TRAJECTORY = {
  /** 1 if it is part of the formula's batch, else 0. */
  counts: 0,
  group: 1,
  /** Number of the trajectory's tokens that are the formula's own. */
  tokens: 2,
  reward: 3,
  success: 4,
  turns: 5,
  valid: 6,
} as const;

export const TRAJECTORY_COLUMNS = 7;

/** Columns of a group. */
export const GROUP_RANGE = {
  /** First trajectory of the group, and the one behind its last. */
  first: 0,
  end: 1,
  /** 1 if a trajectory of it counts, else 0. */
  counts: 2,
} as const;

export const GROUP_RANGE_COLUMNS = 3;

/** Columns of a member's row of parameters: the text's own, then the run's numbers; a multiple of 4. */
export const PARAMETER_COLUMNS = FORMULA_LIMITS.parameters + 4;

/** Column of one of the run's numbers. */
export const runColumn = (name: RunInput): number => FORMULA_LIMITS.parameters + RUN_INPUTS.indexOf(name);

/** A member's row of parameters, [PARAMETER_COLUMNS]. values: the text's, in its order. */
export function parameterRow(values: readonly number[], run: Readonly<Record<RunInput, number>>): Float64Array {
  const row = new Float64Array(PARAMETER_COLUMNS);
  row.set(values);
  for (const name of RUN_INPUTS) row[runColumn(name)] = run[name];
  return row;
}

/** Further columns of tokens, where the text needs them; `sampler` holds the recorded log-prob, on drawn tokens only. */
const FURTHER = {
  role: ['is_action', 'is_thought', 'is_observation', 'sampler_logp'],
  sampler: ['sampler_logp'],
  reference: ['ref_logp'],
  advantage: ['advantage'],
  returns: ['returns'],
  value: ['value'],
  turnReward: ['turn_reward'],
} as const satisfies Readonly<Record<string, readonly InputName[]>>;

export type FurtherColumn = keyof typeof FURTHER;

/** The columns that this text needs beyond those of TOKEN, and their places. */
export function furtherColumns({ reads }: Pick<Formula, 'reads'>): ReadonlyMap<FurtherColumn, number> {
  const names = (Object.keys(FURTHER) as FurtherColumn[]).filter((name) => FURTHER[name].some((one) => reads.has(one)));
  return new Map(names.map((name, i) => [name, TOKEN_COLUMNS + i]));
}

export const columnsOf = (formula: Pick<Formula, 'reads'>): number => TOKEN_COLUMNS + furtherColumns(formula).size;

export interface BatchShape {
  /** Trajectories of the batch, B. */
  readonly trajectories: number;
  /** Tokens of a trajectory, T. */
  readonly context: number;
  /** Groups of the batch, G. */
  readonly groups: number;
}

export interface Packing {
  /** Columns of a token, K. */
  readonly columns: number;
  /** First float of each table and of the results of each level. */
  readonly trajectories: number;
  readonly groups: number;
  readonly results: Readonly<Record<'turn' | 'trajectory' | 'group' | 'batch', number>>;
  /** Floats a member. */
  readonly floats: number;
}

/** A level's results lie one after the other: of turns [n,B,T] by number + 1, of trajectories [n,B], of groups [n,G]. */
export function packingOf(
  formula: Pick<Formula, 'reads' | 'schedule'>,
  { trajectories: B, context: T, groups: G }: BatchShape,
): Packing {
  const columns = columnsOf(formula);
  const { counts } = formula.schedule;
  const trajectories = B * T * columns;
  const groups = trajectories + B * TRAJECTORY_COLUMNS;
  const turn = groups + G * GROUP_RANGE_COLUMNS;
  const trajectory = turn + counts.turn * B * T;
  const group = trajectory + counts.trajectory * B;
  const batch = group + counts.group * G;
  return { columns, trajectories, groups, results: { turn, trajectory, group, batch }, floats: batch + counts.batch };
}

/** Numbers of a formulaTerms row: weight · loss, 1 on own tokens, then what is shown; a multiple of 4. */
export const FORMULA_TERM = { loss: 0, own: 1, shown: 2 } as const;
export const FORMULA_TERM_COLUMNS = 20;
