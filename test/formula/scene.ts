/** Random batches for formulas: who belongs to whom, and numbers of every input. */

import type { Structure } from '../../src/formula/tape';
import type { InputName, RunInput } from '../../src/formula/vocabulary';
import type { RandomStream } from '../../src/foundation/philox';

export interface Scene {
  readonly structure: Structure;
  readonly inputs: Readonly<Record<Exclude<InputName, RunInput>, Float64Array>>;
}

/** Trajectories of one group each two; some have no token, and turns without one are skipped. */
export function randomScene(random: RandomStream, trajectories = 5, mostTurns = 3, mostTokens = 3): Scene {
  const [tokenTurn, tokenIndex, turnTrajectory, turnNumber]: number[][] = [[], [], [], []];
  const role: number[] = [];
  for (let b = 0; b < trajectories; b++) {
    let position = 1;
    for (let turn = -1; turn < mostTurns; turn++) {
      const tokens = b === 1 ? 0 : random.below(mostTokens + 1);
      if (tokens > 0) {
        turnTrajectory?.push(b);
        turnNumber?.push(turn);
      }
      for (let i = 0; i < tokens; i++) {
        tokenTurn?.push((turnTrajectory?.length ?? 0) - 1);
        tokenIndex?.push(position++);
        role.push(random.below(2));
      }
      position += random.below(2);
    }
  }
  const [T, U] = [role.length, turnNumber?.length ?? 0];
  const drawn = (n: number, draw: () => number): Float64Array => Float64Array.from({ length: n }, draw);
  const logProb = (): number => -0.05 - Math.abs(random.normal());
  return {
    structure: {
      tokenTurn: Int32Array.from(tokenTurn ?? []),
      tokenIndex: Int32Array.from(tokenIndex ?? []),
      tokenWeight: drawn(T, () => 0.2 + random.unit()),
      turnTrajectory: Int32Array.from(turnTrajectory ?? []),
      turnNumber: Int32Array.from(turnNumber ?? []),
      trajectoryGroup: Int32Array.from({ length: trajectories }, (_, b) => Math.floor(b / 2)),
      groups: Math.ceil(trajectories / 2),
    },
    inputs: {
      logp: drawn(T, logProb),
      entropy: drawn(T, () => 0.05 + random.unit()),
      old_logp: drawn(T, logProb),
      sampler_logp: drawn(T, logProb),
      ref_logp: drawn(T, logProb),
      advantage: drawn(T, () => random.normal()),
      returns: drawn(T, () => random.normal()),
      value: drawn(T, () => random.normal()),
      position: Float64Array.from(tokenIndex ?? []),
      is_action: Float64Array.from(role),
      is_thought: Float64Array.from(role, () => 0),
      is_observation: Float64Array.from(role, (one) => 1 - one),
      turn: Float64Array.from(turnNumber ?? []),
      turn_reward: drawn(U, () => random.normal()),
      reward: drawn(trajectories, () => random.normal()),
      success: drawn(trajectories, () => random.below(2)),
      turns: drawn(trajectories, () => random.below(5)),
      valid: drawn(trajectories, () => random.unit()),
    },
  };
}
