/**
 * Numbers of every token of one trajectory, arm by arm, for the inspector. They are read from the device between two
 * updates, and only when the person asks.
 */
import type { Arm } from '../../experiment/experiment';
import { ROLE } from '../../foundation/roles';
import { groupTree } from '../../rl/look/groupTree';
import { type BatchInspection, TOKEN_NUMBERS, type TokenNumber } from '../../rl/look/inspection';
import type { Trajectories } from '../../rl/play/trajectories';
import type { Member } from '../../rl/population';
import type { Inspection, InspectionChoice } from './shown';

/** False for tokens without a log-prob: the first one, and prompts without a weight (tensor/operations/logProb.ts). */
export function isScored(arm: Arm, role: number, position: number): boolean {
  return position > 0 && (role !== ROLE.prompt || arm.pg.prompt !== 0 || arm.ce.prompt !== 0);
}

/** The last update, and the batch that it learned from. */
export interface Learned {
  readonly update: number;
  /** The arms' settings in that update. */
  readonly arms: readonly Arm[];
  readonly trajectories: Trajectories;
  readonly groupSize: number;
}

export async function inspectTrajectory(
  batch: BatchInspection,
  { update, arms, trajectories, groupSize }: Learned,
  members: readonly Member[],
  choice: InspectionChoice,
): Promise<Inspection[]> {
  const indices = members.flatMap(({ seed }, index) => (seed === choice.seed ? [index] : []));
  if (indices.length === 0) return [];
  const first = choice.group * groupSize;
  const slot = first + choice.trajectory;
  const inspected = await batch.read(indices, slot);
  return indices.map((index, i) => {
    const arm = arms[(members[index] as Member).armIndex] as Arm;
    const { numbers, attention, isEqual, isKept } = inspected[i] as (typeof inspected)[number];
    const at = index * trajectories.count;
    const from = (at + slot) * trajectories.context;
    const to = from + (trajectories.lengths[at + slot] as number);
    const roles = trajectories.roles.slice(from, to);
    const numberOf = (name: TokenNumber): Float32Array => {
      const isKnown = name !== 'oldValue' || arm.valueCoefficient !== 0;
      return numbers[name].map((value, t) => (isKnown && isScored(arm, roles[t] as number, t) ? value : Number.NaN));
    };
    return {
      arm,
      update,
      ...choice,
      tokens: trajectories.tokens.slice(from, to),
      roles,
      numbers: Object.fromEntries(TOKEN_NUMBERS.map((name) => [name, numberOf(name)])) as Inspection['numbers'],
      attention,
      rewards: Float32Array.from(trajectories.rewards.subarray(at + first, at + first + groupSize)),
      successes: Uint8Array.from(trajectories.successes.subarray(at + first, at + first + groupSize)),
      tree: groupTree(trajectories, at + first, groupSize),
      isEqual,
      isKept,
    };
  });
}
