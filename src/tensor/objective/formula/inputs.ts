/** Inputs of a formula that need no policy: facts of each token, trajectory and group (shaders/formula/ write the same). */
import {
  columnsOf,
  type FurtherColumn,
  furtherColumns,
  GROUP_RANGE,
  GROUP_RANGE_COLUMNS,
  packingOf,
  TOKEN,
  TRAJECTORY,
  TRAJECTORY_COLUMNS,
} from '../../../formula/packing';
import { isDrawn, isTarget } from '../../../foundation/roles';
import { readerOf } from '../../../hyperparameters/columns';
import type { FloatData } from '../../backend';
import { GROUP, GROUP_COLUMNS, OUTCOME, OUTCOME_COLUMNS, REWARD_PARTS } from '../../columns';
import { HYPER } from '../../layout';
import type { Batch } from '../../operations/batch';
import type { FormulaInputs, FormulaOperations } from '../../operations/formula';
import type { ObjectiveHost } from '../host';

const readSource = readerOf(['rewardSource']);

/** The tensors that further columns are taken from. */
const SOURCES: Readonly<Partial<Record<FurtherColumn, keyof FormulaInputs>>> = {
  sampler: 'behaviourLogProb',
  reference: 'referenceLogProb',
  advantage: 'advantage',
  returns: 'returns',
  value: 'oldValue',
};

export function formulaInputs(host: ObjectiveHost): FormulaOperations['formulaInputs'] {
  return (packed, formula, batch, inputs, tables) => {
    const packing = packingOf(formula, batch);
    const [columns, further] = [columnsOf(formula), furtherColumns(formula)];
    const sources = [...further].flatMap(([name, column]) => {
      const source = SOURCES[name];
      return source === undefined ? [] : [{ column, tensor: inputs[source], onlyDrawn: name === 'sampler' }];
    });
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const out = host.f32(packed, p);
        const member = memberOf(host, batch, inputs, tables, p);
        const counts = countingTrajectories(member, formula.reads.has('reward'));
        writeGroups(out.subarray(packing.groups), member, counts);
        writeTrajectories(out.subarray(packing.trajectories), member, counts);
        for (let b = 0; b < member.B; b++) {
          const tokens = writeTokens(out, member, b, counts[b] === 1, columns, further);
          out[packing.trajectories + b * TRAJECTORY_COLUMNS + TRAJECTORY.tokens] = tokens;
        }
        for (const { column, tensor, onlyDrawn } of sources) {
          const x = host.f32(tensor, p);
          for (let i = 0; i < member.roles.length; i++) {
            const isTaken = out[i * columns + TOKEN.own] !== 0 && (!onlyDrawn || isDrawn(member.roles[i]));
            out[i * columns + column] = isTaken ? x[i] : 0;
          }
        }
      }
    });
  };
}

interface Member {
  readonly B: number;
  readonly T: number;
  readonly groups: number;
  readonly roles: Uint32Array;
  readonly groupStart: Uint32Array;
  readonly outcomes: FloatData;
  readonly group: FloatData;
  readonly weight: FloatData;
  readonly tokenReward: FloatData;
  readonly hyper: FloatData;
  readonly armHyper: FloatData;
}

function memberOf(
  host: ObjectiveHost,
  { trajectories: B, context: T, groups, ...batch }: Batch,
  inputs: FormulaInputs,
  tables: Parameters<FormulaOperations['formulaInputs']>[4],
  p: number,
): Member {
  return {
    B,
    T,
    groups,
    roles: host.u32(batch.roles, p),
    groupStart: host.u32(batch.groupStart, p),
    outcomes: host.f32(batch.outcomes, p),
    group: host.f32(inputs.group, p),
    weight: host.f32(inputs.weight, p),
    tokenReward: host.f32(inputs.tokenReward, p),
    hyper: host.f32(tables.hyper, p),
    armHyper: host.f32(tables.armHyper, p),
  };
}

/**
 * Reward from which advantages are made: the weighted parts that could be scored, or the rewards of tokens. NaN: no
 * part could be.
 */
function rewardOf({ T, roles, outcomes, tokenReward, armHyper }: Member, b: number): number {
  let sum = 0;
  if (readSource(armHyper).rewardSource === 'tokens') {
    for (let i = b * T; i < (b + 1) * T; i++) if (isTarget(roles[i])) sum += tokenReward[i];
    return sum;
  }
  let [weighted, scored] = [0, 0];
  for (let k = 0; k < REWARD_PARTS; k++) {
    const weight = armHyper[HYPER.rewardWeight + k];
    if (weight === 0) continue;
    weighted++;
    const part = outcomes[b * OUTCOME_COLUMNS + OUTCOME.part + k];
    if (Number.isNaN(part)) continue;
    scored++;
    sum += weight * part;
  }
  return scored === 0 && weighted > 0 ? Number.NaN : sum;
}

/** 1 for trajectories that are part of the formula's batch, [B]. */
function countingTrajectories(member: Member, readsReward: boolean): Uint8Array {
  const counts = new Uint8Array(member.B);
  for (let g = 0; g < member.groups; g++) {
    if (member.group[g * GROUP_COLUMNS + GROUP.kept] === 0) continue;
    for (let b = member.groupStart[g]; b < member.groupStart[g + 1]; b++) {
      if (member.outcomes[b * OUTCOME_COLUMNS + OUTCOME.usable] === 0) continue;
      if (!readsReward || !Number.isNaN(rewardOf(member, b))) counts[b] = 1;
    }
  }
  return counts;
}

function writeGroups(out: FloatData, { groups, groupStart }: Member, counts: Uint8Array): void {
  for (let g = 0; g < groups; g++) {
    const [first, end] = [groupStart[g], groupStart[g + 1]];
    const row = out.subarray(g * GROUP_RANGE_COLUMNS);
    row[GROUP_RANGE.first] = first;
    row[GROUP_RANGE.end] = end;
    row[GROUP_RANGE.counts] = Number(counts.subarray(first, end).includes(1));
  }
}

function writeTrajectories(out: FloatData, member: Member, counts: Uint8Array): void {
  for (let g = 0; g < member.groups; g++) {
    for (let b = member.groupStart[g]; b < member.groupStart[g + 1]; b++) {
      const row = out.subarray(b * TRAJECTORY_COLUMNS);
      const outcome = (column: number): number => member.outcomes[b * OUTCOME_COLUMNS + column];
      row[TRAJECTORY.counts] = counts[b];
      row[TRAJECTORY.group] = g;
      row[TRAJECTORY.reward] = counts[b] === 1 ? rewardOf(member, b) : 0;
      row[TRAJECTORY.success] = outcome(OUTCOME.solved);
      row[TRAJECTORY.turns] = outcome(OUTCOME.turns);
      row[TRAJECTORY.valid] = outcome(OUTCOME.valid);
    }
  }
}

/** Own flag, weight, turn; role and the turn's reward where the text needs them. Returns how many are the formula's own. */
function writeTokens(
  out: FloatData,
  { T, roles, weight, tokenReward, hyper }: Member,
  b: number,
  isPart: boolean,
  columns: number,
  further: ReadonlyMap<FurtherColumn, number>,
): number {
  const [roleColumn, rewardColumn] = [further.get('role'), further.get('turnReward')];
  let [turn, turnStart, sum, ownTokens] = [-1, 0, 0, 0];
  let wasDrawn = false;
  for (let t = 0; t < T; t++) {
    const [i, row] = [b * T + t, (b * T + t) * columns];
    const role = roles[i];
    if (isDrawn(role) && !wasDrawn) [turn, turnStart, sum] = [turn + 1, t, 0];
    wasDrawn = isDrawn(role);
    if (isTarget(role)) sum += tokenReward[i];
    const isOwn = isPart && isTarget(role) && hyper[HYPER.policyGradient + role] !== 0;
    ownTokens += Number(isOwn);
    out[row + TOKEN.own] = Number(isOwn);
    out[row + TOKEN.weight] = isOwn ? weight[i] : 0;
    out[row + TOKEN.turn] = turn;
    if (roleColumn !== undefined) out[row + roleColumn] = role;
    if (rewardColumn === undefined) continue;
    const isLast = t + 1 === T || (isDrawn(roles[i + 1]) && !isDrawn(role));
    for (let back = turnStart; isLast && back <= t; back++) out[(b * T + back) * columns + rewardColumn] = sum;
  }
  return ownTokens;
}
