/** Trajectories of a batch as arrays [B, T], as an update takes them. */
import { ROLES } from '../../foundation/roles';
import type { WrittenBatch } from '../../rl/learn/batch';
import type { Packed } from '../../rl/learn/microbatches';
import { NO_ROLE, REWARD_PARTS } from '../../tensor/columns';
import { TURN_PATH_COLUMNS } from '../../tensor/operations/advantage';
import { type ColumnName, isSampled } from '../trajectory';
import type { KeptTrajectory } from './kept';
import type { GivenColumns } from './lacks';

export interface LaidOut {
  readonly trajectories: Packed & WrittenBatch & { readonly maxTurns: number; readonly starts: readonly number[] };
  readonly logProb: Float64Array;
  readonly dense: Readonly<
    Record<'logProb' | 'oldLogProb' | 'referenceLogProb' | 'oldValue' | 'advantage', Float64Array>
  >;
}

/** Trajectories in the order in which those of a group are beside each other; one without a group is a group of its own. */
export function laidOut(all: readonly KeptTrajectory[], given: GivenColumns): LaidOut {
  const B = all.length;
  const T = Math.max(2, ...all.map(({ length }) => length));
  const column = (name: ColumnName): Float64Array => {
    const values = new Float64Array(B * T);
    all.forEach(({ columns }, b) => {
      columns[name]?.forEach((value, at) => {
        if (Number.isFinite(value)) values[b * T + at] = value;
      });
    });
    return values;
  };
  const logProb = column(given.source ?? 'old');
  const oldLogProb = given.old ? column('old') : logProb;
  const roles = new Uint8Array(B * T).fill(NO_ROLE);
  const turns = new Int32Array(B);
  const tokenRewards = new Float64Array(B * T);
  const parts = new Float64Array(B * REWARD_PARTS).fill(Number.NaN);
  all.forEach((one, b) => {
    let last = 0;
    one.roles.forEach((role, at) => {
      roles[b * T + at] = role < ROLES.length ? role : NO_ROLE;
      if (!isSampled(role)) return;
      if (!isSampled(one.roles[at - 1])) turns[b] = (turns[b] ?? 0) + 1;
      last = at;
    });
    tokenRewards[b * T + last] = parts[b * REWARD_PARTS] = one.reward;
  });
  const maxTurns = Math.max(1, ...turns);
  const zeros = new Float32Array(B);
  return {
    trajectories: {
      ...{ members: 1, count: B, context: T, maxTurns, roles, tokenRewards, parts, turns, starts: startsOf(all) },
      lengths: Int32Array.from(all, ({ length }) => length),
      tokens: new Uint16Array(B * T),
      legalSets: new Uint8Array(B * T),
      behaviourLogProb: given.rollout ? column('rollout') : oldLogProb,
      anchors: new Uint32Array(B * maxTurns),
      turnPath: new Uint32Array(B * maxTurns * TURN_PATH_COLUMNS),
      ...{ successes: zeros, environments: zeros, baselines: zeros, validShare: zeros.slice().fill(1) },
      replayed: new Map(),
    },
    logProb,
    dense: {
      ...{ logProb, oldLogProb },
      ...{ referenceLogProb: column('reference'), oldValue: column('values'), advantage: column('advantage') },
    },
  };
}

function startsOf(all: readonly KeptTrajectory[]): number[] {
  const starts = all.flatMap(({ group }, b) => (b === 0 || group === null || group !== all[b - 1]?.group ? [b] : []));
  return [...starts, all.length];
}
