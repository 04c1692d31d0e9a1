/**
 * The reference of the objective's three passes: reductions (group advantages, role counts), the per-token loss with its
 * two derivatives, and sums. PPO's clip (arXiv 1707.06347), GRPO's advantage and k3 estimator (arXiv 2402.03300), one
 * denominator per term (ECHO, arXiv 2605.24517).
 */
import { ROLE, ROLES } from '../../foundation/roles';
import type { Operations, Rows, Sequences, Tensor } from '../backend';
import { HYPER, LOG_RATIO_LIMIT, TERM, TERM_COLUMNS } from '../layout';
import { add, at, member, type Row, rowsBySequence, rowsInUse } from './storage';

type F32 = Tensor<'f32'>;

export function groupAdvantage(
  members: number,
  advantage: F32,
  zeroVariance: F32,
  reward: F32,
  hyper: F32,
  sizes: { groups: number; groupSize: number },
): void {
  const { groups, groupSize: G } = sizes;
  for (let p = 0; p < members; p++) {
    const [advantages, rewards] = [member(advantage, p), member(reward, p)];
    const epsilon = at(member(hyper, p), HYPER.advantageEpsilon);
    let equalGroups = 0;
    for (let group = 0; group < groups; group++) {
      const own = rewards.subarray(group * G, (group + 1) * G);
      if (own.every((value) => value === own[0])) {
        equalGroups++;
        advantages.fill(0, group * G, (group + 1) * G);
        continue;
      }
      const mean = own.reduce((a, b) => a + b, 0) / G;
      const deviation = Math.sqrt(own.reduce((total, value) => total + (value - mean) ** 2, 0) / (G - 1));
      own.forEach((value, i) => {
        advantages[group * G + i] = (value - mean) / (deviation + epsilon);
      });
    }
    member(zeroVariance, p)[0] = equalGroups / groups;
  }
}

export function countRoles(members: number, counts: F32, rows: Sequences, options: { accumulate: boolean }): void {
  for (let p = 0; p < members; p++) {
    const count = member(counts, p);
    if (!options.accumulate) count.fill(0, 0, ROLES.length);
    for (const { position, role } of rowsInUse(rows, p)) {
      if (position > 0 && role < ROLES.length) add(count, role, 1);
    }
  }
}

/** One member's numbers, and the denominators they imply. */
interface Objective {
  readonly hyper: Float64Array;
  readonly policyCount: number;
  readonly crossEntropyCount: number;
  readonly actionCount: number;
}

function objectiveOf(hyper: Float64Array, counts: Float64Array): Objective {
  const countWhere = (column: number): number =>
    ROLES.reduce((total, _, role) => total + (at(hyper, column + role) !== 0 ? at(counts, role) : 0), 0);
  return {
    hyper,
    policyCount: countWhere(HYPER.policyGradient),
    crossEntropyCount: countWhere(HYPER.crossEntropy),
    actionCount: at(counts, ROLE.action),
  };
}

/** a/b, absent (0) where there is nothing to average over. */
const over = (value: number, count: number): number => (count === 0 ? 0 : value / count);

/** The log-ratio as exp takes it, and its derivative: 1 inside and on the edge, 0 outside. */
function clampLogRatio(logRatio: number): { value: number; derivative: number } {
  const value = Math.min(Math.max(logRatio, -LOG_RATIO_LIMIT), LOG_RATIO_LIMIT);
  return { value, derivative: value === logRatio ? 1 : 0 };
}

/** Loss, derivative with respect to the log-ratio, and whether the clipped branch is strictly the larger. */
function clippedSurrogate(
  ratio: number,
  A: number,
  low: number,
  high: number,
): { loss: number; derivative: number; clipped: boolean } {
  const unclippedLoss = -A * ratio;
  const clippedLoss = -A * Math.min(Math.max(ratio, 1 - low), 1 + high);
  const clipped = clippedLoss > unclippedLoss;
  return { loss: clipped ? clippedLoss : unclippedLoss, derivative: clipped ? 0 : -A * ratio, clipped };
}

export function tokenObjective(
  members: number,
  dLogProb: F32,
  dEntropy: F32,
  terms: F32,
  inputs: Parameters<Operations['tokenObjective']>[3],
  rows: Rows,
  part: 'all' | 'world-model',
): void {
  for (let p = 0; p < members; p++) {
    const objective = objectiveOf(member(inputs.hyper, p), member(inputs.counts, p));
    const [byLogProb, byEntropy, table] = [member(dLogProb, p), member(dEntropy, p), member(terms, p)];
    for (const row of rowsInUse(rows, p)) {
      const r = row.index;
      const token = row.position === 0 ? NOT_A_TARGET : tokenLoss(objective, inputs, row, p);
      table.set(token.terms, r * TERM_COLUMNS);
      byLogProb[r] = part === 'all' ? token.dPolicy + token.dCrossEntropy : token.dCrossEntropy;
      byEntropy[r] = part === 'all' ? token.dEntropy : 0;
    }
  }
}

interface TokenLoss {
  readonly terms: Float64Array;
  /** ∂/∂logProb of the policy-gradient and KL terms. */
  readonly dPolicy: number;
  readonly dCrossEntropy: number;
  readonly dEntropy: number;
}

const NOT_A_TARGET: TokenLoss = {
  terms: new Float64Array(TERM_COLUMNS),
  dPolicy: 0,
  dCrossEntropy: 0,
  dEntropy: 0,
};

function tokenLoss(
  { hyper, policyCount, crossEntropyCount, actionCount }: Objective,
  inputs: Parameters<Operations['tokenObjective']>[3],
  { index: r, role, sequence }: Row,
  p: number,
): TokenLoss {
  const input = (tensor: F32): number => at(member(tensor, p), r);
  const isAction = role === ROLE.action;
  const policyWeight = role < ROLES.length ? at(hyper, HYPER.policyGradient + role) : 0;
  const crossEntropyWeight = role < ROLES.length ? at(hyper, HYPER.crossEntropy + role) : 0;
  const logProb = input(inputs.logProb);
  const terms = new Float64Array(TERM_COLUMNS);
  let dPolicy = 0;
  let dCrossEntropy = 0;
  let dEntropy = 0;

  const logRatio = clampLogRatio(logProb - input(inputs.oldLogProb));

  if (policyWeight !== 0) {
    const surrogate = clippedSurrogate(
      Math.exp(logRatio.value),
      at(member(inputs.advantage, p), sequence),
      at(hyper, HYPER.clipLow),
      at(hyper, HYPER.clipHigh),
    );
    terms[TERM.policyLoss] = policyWeight * surrogate.loss;
    dPolicy += over(policyWeight * surrogate.derivative * logRatio.derivative, policyCount);
    if (isAction) terms[TERM.clipped] = surrogate.clipped ? 1 : 0;
  }
  if (crossEntropyWeight !== 0) {
    terms[TERM.crossEntropyLoss] = -crossEntropyWeight * logProb;
    dCrossEntropy = over(-crossEntropyWeight, crossEntropyCount);
  }
  if (isAction) {
    const toReference = clampLogRatio(input(inputs.referenceLogProb) - logProb);
    const excess = Math.expm1(toReference.value);
    terms[TERM.kl] = excess - toReference.value;
    terms[TERM.logRatio] = logRatio.value;
    terms[TERM.entropy] = input(inputs.entropy);
    terms[TERM.mismatch] = Math.abs(logProb - input(inputs.behaviourLogProb));
    const klCoefficient = at(hyper, HYPER.klCoefficient);
    if (klCoefficient !== 0) dPolicy += over(-klCoefficient * excess * toReference.derivative, actionCount);
    const entropyCoefficient = at(hyper, HYPER.entropyCoefficient);
    if (entropyCoefficient !== 0) dEntropy = over(-entropyCoefficient, actionCount);
  }
  if (role === ROLE.observation) terms[TERM.observationNll] = -logProb;
  return { terms, dPolicy, dCrossEntropy, dEntropy };
}

export function sumTerms(
  members: number,
  sums: F32,
  sequenceSums: F32,
  terms: F32,
  rows: Sequences,
  options: { accumulate: boolean },
): void {
  for (let p = 0; p < members; p++) {
    const [total, bySequence, table] = [member(sums, p), member(sequenceSums, p), member(terms, p)];
    if (!options.accumulate) total.fill(0, 0, TERM_COLUMNS);
    rowsBySequence(rows, p).forEach((sequence, s) => {
      bySequence.fill(0, s * TERM_COLUMNS, (s + 1) * TERM_COLUMNS);
      for (let k = 0; k < TERM_COLUMNS; k++) {
        for (const { index: r } of sequence) add(bySequence, s * TERM_COLUMNS + k, at(table, r * TERM_COLUMNS + k));
        add(total, k, at(bySequence, s * TERM_COLUMNS + k));
      }
    });
  }
}
