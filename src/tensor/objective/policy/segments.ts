/** Ratios of segments (token, turn, trajectory), and the gradient that a differentiated ratio adds to its tokens. */

import { isDrawn } from '../../../foundation/roles';
import { EXPONENT } from '../../../hyperparameters/exponents';
import type { FloatData } from '../../backend';
import { BOUND } from '../../bounds';
import { type PolicyObjectiveOperations, SEGMENT_COLUMNS } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';
import { forEachRow } from '../targets';
import { decodingFactor } from './correction';
import { type PolicyMember, policyMember } from './member';
import { surrogatesOf, tokensFor } from './surrogates';

const clip = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

interface Row {
  readonly index: number;
  readonly role: number | null;
  readonly dense: number;
}

interface Segment {
  readonly tokens: readonly Carrying[];
  readonly logRatio: number;
}

/** A token of a trajectory that carries the policy loss. */
interface Carrying {
  readonly row: number;
  readonly turn: number;
  readonly drawn: boolean;
  readonly logProb: number;
  readonly baseLogProb: number;
  /** old − behaviour log-prob of a drawn token; 0 for other roles. */
  readonly decoding: number;
  readonly advantage: number;
  readonly weight: number;
  readonly selection: number;
}

export function ratioSegments(host: ObjectiveHost): PolicyObjectiveOperations['ratioSegments'] {
  return (written, rows, inputs, hyper, context) => {
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const member = policyMember(host.f32(hyper, p));
        const out = host.f32(written, p);
        const [logProb, old] = [host.f32(inputs.logProb, p), host.f32(inputs.oldLogProb, p)];
        const behaviour = host.f32(inputs.behaviourLogProb, p);
        const [advantage, weight] = [host.f32(inputs.advantage, p), host.f32(inputs.policyWeight, p)];
        const selection = host.f32(inputs.selection, p);
        if (isEachItsOwn(member)) {
          forEachRow(host, rows, context, p, (row, role, dense) => {
            const at = row * SEGMENT_COLUMNS;
            const drawn = role !== null && isDrawn(role);
            const isCarrying = member.roleWeight(role) !== 0;
            const base = member.ratioBase === 'behaviour' && drawn ? behaviour[dense] : old[dense];
            out[at] = isCarrying ? logProb[row] - base : 0;
            out[at + 1] = drawn ? old[dense] - behaviour[dense] : 0;
            out[at + 2] = 0;
            out[at + 3] = isCarrying ? selection[dense] : 0;
          });
          continue;
        }
        const carryingAt = ({ index: row, role, dense }: Row, turn: number): Carrying => {
          const drawn = role !== null && isDrawn(role);
          const decoding = drawn ? old[dense] - behaviour[dense] : 0;
          const fromBehaviour = member.ratioBase === 'behaviour' && drawn;
          return {
            row,
            turn,
            drawn,
            logProb: logProb[row],
            baseLogProb: fromBehaviour ? behaviour[dense] : old[dense],
            decoding,
            advantage: advantage[dense],
            weight: weight[dense],
            selection: selection[dense],
          };
        };
        const segments: Segment[] = [];
        for (const trajectory of trajectories(host, rows, context, p)) {
          const carrying: Carrying[] = [];
          let turn = 0;
          let wasDrawn = false;
          for (const row of trajectory) {
            out.fill(0, row.index * SEGMENT_COLUMNS, (row.index + 1) * SEGMENT_COLUMNS);
            const drawn = row.role !== null && isDrawn(row.role);
            if (drawn && !wasDrawn) turn++;
            wasDrawn = drawn;
            if (member.roleWeight(row.role) !== 0) carrying.push(carryingAt(row, turn));
            else if (drawn) {
              out[row.index * SEGMENT_COLUMNS + 1] = old[row.dense] - behaviour[row.dense];
            }
          }
          const tooFar = isTooFarOff(carrying, member);
          const selected = carrying.map((one) => (tooFar && one.advantage < 0 ? { ...one, selection: 0 } : one));
          for (const own of segmentsOf(selected, member)) {
            segments.push({ tokens: own, logRatio: segmentLogRatio(own, member) });
          }
        }
        for (const { tokens, logRatio } of segments) {
          for (const { row, decoding, selection } of tokens)
            out.set([logRatio, decoding, 0, selection], row * SEGMENT_COLUMNS);
        }
        if (isShared(member)) addSharedGradients(out, segments, member);
      }
    });
  };
}

/** The rows in use, trajectory by trajectory. */
function trajectories(
  host: ObjectiveHost,
  rows: Parameters<PolicyObjectiveOperations['ratioSegments']>[1],
  context: number,
  p: number,
): Row[][] {
  const start = host.u32(rows.start, p);
  const all: Row[] = [];
  forEachRow(host, rows, context, p, (index, role, dense) => all.push({ index, role, dense }));
  return Array.from({ length: rows.sequences }, (_, s) => all.slice(start[s], start[s + 1]));
}

/** True if the mean of (recorded − present log-prob) is above offPolicyLimit; where none is recorded: old − present. */
function isTooFarOff(carrying: readonly Carrying[], { offPolicyLimit, ratioBase }: PolicyMember): boolean {
  if (offPolicyLimit === 0) return false;
  const sum = carrying.reduce((total, one) => {
    const recorded = ratioBase === 'behaviour' ? one.baseLogProb : one.baseLogProb - one.decoding;
    return total + recorded - one.logProb;
  }, 0);
  return sum / Math.max(carrying.length, 1) > offPolicyLimit;
}

function segmentsOf(carrying: readonly Carrying[], { ratioLevel }: PolicyMember): readonly (readonly Carrying[])[] {
  if (ratioLevel === 'token') return carrying.map((one) => [one]);
  if (ratioLevel === 'sequence') return [carrying];
  const turns = new Map<number, Carrying[]>();
  for (const one of carrying) turns.set(one.turn, [...(turns.get(one.turn) ?? []), one]);
  return [...turns.values()];
}

/** True if each token is a segment of its own in every trajectory: the usual case, which needs no lists of tokens. */
const isEachItsOwn = ({ ratioLevel, offPolicyLimit }: PolicyMember): boolean =>
  ratioLevel === 'token' && offPolicyLimit === 0;

/** True if the segment's ratio is differentiated: policyObjective then adds the shared gradient to each token. */
export const isShared = ({ ratioLevel, ratioGradient, surrogate }: PolicyMember): boolean =>
  surrogate === 'gmpo' || (ratioLevel !== 'token' && ratioGradient === 'differentiable');

function segmentLogRatio(tokens: readonly Carrying[], member: PolicyMember): number {
  const { surrogate, clipLow: low, clipHigh: high } = member;
  const sum = (of: (token: Carrying) => number): number => tokens.reduce((total, one) => total + of(one), 0);
  const logRatioOf = ({ logProb, baseLogProb }: Carrying): number => logProb - baseLogProb;
  if (surrogate === 'vespo') {
    const sumOfRatios = sum((one) => clip(logRatioOf(one), -EXPONENT.logRatio, EXPONENT.logRatio));
    return clip(sumOfRatios + logDecodingFactor(tokens, member), BOUND.vespoLow, BOUND.vespoHigh);
  }
  // The surrogate's text names its bound `clipped`; token by token it holds the gradient in tokens.ts.
  if (surrogate === 'gmpo') {
    const bounded = (one: Carrying): number => {
      if (one.advantage === 0) return 0;
      return one.advantage > 0 ? Math.min(logRatioOf(one), high) : Math.max(logRatioOf(one), -low);
    };
    return sum(bounded) / tokens.length;
  }
  if (tokens.length === 1) return logRatioOf(tokens[0]);
  const total = sum(logRatioOf);
  return member.ratioReduction === 'sum' ? total : total / tokens.length;
}

/** Logarithm of vespo's correction for decoding: a sum over action tokens, or one for the segment (decodingLevel). */
function logDecodingFactor(tokens: readonly Carrying[], member: PolicyMember): number {
  if (member.decodingCorrection === 'none') return 0;
  const actions = tokens.filter(({ drawn }) => drawn);
  const sum = actions.reduce((total, { decoding }) => total + decoding, 0);
  const logOf = (decoding: number): number =>
    clip(Math.log(decodingFactor(member, decoding, sum, actions.length)), BOUND.vespoLow, BOUND.vespoHigh);
  if (member.decodingLevel !== 'token') return actions.length === 0 ? 0 : logOf(0);
  return actions.reduce((total, { decoding }) => total + logOf(decoding), 0);
}

/** Σ weight·∂loss/∂x over each segment, times ∂x/∂(a token's log-prob): 1 in a sum of n tokens, 1/n in their mean. */
function addSharedGradients(out: FloatData, segments: readonly Segment[], member: PolicyMember): void {
  const tokens = tokensFor(segments.reduce((sum, one) => sum + one.tokens.length, 0));
  let count = 0;
  for (const { tokens: own, logRatio } of segments) {
    for (const { logProb, baseLogProb, advantage, selection } of own) {
      tokens.logRatio[count] = logRatio;
      tokens.logProb[count] = logProb;
      tokens.baseLogProb[count] = baseLogProb;
      tokens.advantage[count] = advantage;
      tokens.selection[count] = selection;
      count++;
    }
  }
  const byRatio = surrogatesOf(count, tokens, member)('byRatio');
  const isSum = member.surrogate !== 'gmpo' && member.ratioReduction === 'sum';
  let at = 0;
  for (const { tokens: own } of segments) {
    let sum = 0;
    for (const { weight, selection } of own) {
      if (weight !== 0 && selection !== 0) sum += weight * byRatio[at];
      at++;
    }
    const flow = isSum ? sum : sum / own.length;
    for (const { row } of own) out[row * SEGMENT_COLUMNS + 2] = flow;
  }
}
