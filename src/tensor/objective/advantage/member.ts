/**
 * Inputs of one member's advantages. Action tokens: those that the policy drew (actions and thoughts), and those whose role has a
 * policy-gradient weight.
 */
import { isDrawn, isTarget as isTargetRole, ROLE } from '../../../foundation/roles';
import type { FloatData, Tensor } from '../../backend';
import { OUTCOME_COLUMNS } from '../../columns';
import type { AdvantageInputs } from '../../operations/advantage';
import type { Batch } from '../../operations/batch';
import type { ObjectiveHost } from '../host';
import { estimateKl } from '../kl';
import { type AdvantageOptions, optionsOf } from './options';

export interface Trajectory {
  /** Number of action tokens. */
  readonly length: number;
  /** Number of tokens that the policy drew. */
  readonly actions: number;
  /** Number of tokens of other roles, the first token included. */
  readonly input: number;
  /** Number of turns: runs of tokens that the policy drew. */
  readonly turns: number;
  /** Position of the last action token; −1 without any. */
  readonly last: number;
  /** Position of the first token after the prompt; 0 without any. */
  readonly response: number;
  /** Sum of its token rewards, added in order: equal rewards at other positions give an equal sum. */
  readonly reward: number;
  /** predictionReward · mean probability of its observation tokens; 0 without any. */
  readonly prediction: number;
  /** Sum of the KL of its action tokens, nats. */
  readonly kl: number;
}

export interface AdvantageMember {
  readonly options: AdvantageOptions;
  readonly B: number;
  readonly T: number;
  readonly groups: number;
  readonly turns: number;
  readonly groupStart: Uint32Array;
  readonly tokenReward: FloatData;
  readonly oldLogProb: FloatData;
  readonly oldValue: FloatData;
  readonly sumOfSquares: FloatData;
  readonly turnAnchor: Uint32Array;
  readonly turnPath: Uint32Array;
  readonly trajectories: readonly Trajectory[];
  /** Marks of targets, [B,T]: 1, else 0. */
  readonly isTarget: Uint8Array;
  /** Marks of action tokens, [B,T]: 1, else 0. */
  readonly isAction: Uint8Array;
  /** [B,T] 1 for the last token of a turn, which is a run of tokens whose role is action. */
  readonly endsTurn: Uint8Array;
  /** [B,T] number of turns that ended before this token: the index of its own turn. */
  readonly turn: Uint32Array;
  /** [B,T] number of action tokens before this token. */
  readonly ordinal: Uint32Array;
  /** [B,T] KL to the reference at action tokens, nats; 0 unless rewardKl puts it into the reward. */
  readonly kl: Float64Array;
  readonly outcome: (b: number, column: number) => number;
}

export function memberOf(
  host: ObjectiveHost,
  p: number,
  batch: Batch,
  inputs: AdvantageInputs,
  hyper: Tensor<'f32'>,
): AdvantageMember {
  const { trajectories: B, context: T } = batch;
  const options = optionsOf(host.f32(hyper, p));
  const roles = host.u32(batch.roles, p);
  const tokenReward = host.f32(inputs.tokenReward, p);
  const [oldLogProb, reference] = [host.f32(inputs.oldLogProb, p), host.f32(inputs.referenceLogProb, p)];
  const outcomes = host.f32(batch.outcomes, p);
  const [isTarget, isAction, endsTurn] = [new Uint8Array(B * T), new Uint8Array(B * T), new Uint8Array(B * T)];
  const [turn, ordinal, kl] = [new Uint32Array(B * T), new Uint32Array(B * T), new Float64Array(B * T)];

  const trajectories = Array.from({ length: B }, (_, b): Trajectory => {
    let [length, actions, input, last, response, reward, klSum, ended] = [0, 0, 1, -1, -1, 0, 0, 0];
    let [predicted, observations] = [0, 0];
    for (let t = 0; t < T; t++) {
      const at = b * T + t;
      const role = roles[at];
      turn[at] = ended;
      ordinal[at] = length;
      if (!isTargetRole(role)) continue;
      isTarget[at] = 1;
      reward += tokenReward[at];
      if (role !== ROLE.prompt && response < 0) response = t;
      if (role === ROLE.observation && options.predictionReward !== 0) {
        predicted += Math.exp(oldLogProb[at]);
        observations += 1;
      }
      if (isDrawn(role)) {
        actions += 1;
        if (t + 1 === T || !isDrawn(roles[at + 1])) endsTurn[at] = 1;
      } else {
        input += 1;
      }
      ended += endsTurn[at];
      if (!isDrawn(role) && options.policyGradient[role] === 0) continue;
      isAction[at] = 1;
      length += 1;
      last = t;
      if (options.rewardKl === 0) continue;
      kl[at] = estimateKl(oldLogProb[at] - reference[at], options.kl).value;
      klSum += kl[at];
    }
    const prediction = observations > 0 ? (options.predictionReward * predicted) / observations : 0;
    response = Math.max(response, 0);
    return { length, actions, input, turns: ended, last, response, reward, prediction, kl: klSum };
  });

  return {
    options,
    B,
    T,
    groups: batch.groups,
    turns: inputs.turns,
    groupStart: host.u32(batch.groupStart, p),
    tokenReward,
    oldLogProb,
    oldValue: host.f32(inputs.oldValue, p),
    sumOfSquares: host.f32(inputs.sumOfSquares, p),
    turnAnchor: host.u32(inputs.turnAnchor, p),
    turnPath: host.u32(inputs.turnPath, p),
    trajectories,
    isTarget,
    isAction,
    endsTurn,
    turn,
    ordinal,
    kl,
    outcome: (b, column) => outcomes[b * OUTCOME_COLUMNS + column],
  };
}

/** Indices of the trajectories of a group. */
export function trajectoriesOfGroup({ groupStart }: AdvantageMember, g: number): number[] {
  const first = groupStart[g];
  return Array.from({ length: groupStart[g + 1] - first }, (_, i) => first + i);
}
