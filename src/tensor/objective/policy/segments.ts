/** Ratios of segments (token, turn, trajectory), and the gradient that a differentiated ratio adds to its tokens. */

import { isDrawn } from '../../../foundation/roles';
import { EXPONENT } from '../../../hyperparameters/exponents';
import type { FloatData } from '../../backend';
import { BOUND } from '../../bounds';
import { type PolicyObjectiveOperations, SEGMENT, SEGMENT_COLUMNS } from '../../operations/policyObjective';
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

/** Inputs of one member: logProb [R], the others [B·T]. */
type Inputs = Readonly<Record<keyof Parameters<PolicyObjectiveOperations['ratioSegments']>[2], FloatData>>;

export function ratioSegments(host: ObjectiveHost): PolicyObjectiveOperations['ratioSegments'] {
  return (written, rows, tensors, hyper, context) => {
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const member = policyMember(host.f32(hyper, p));
        const out = host.f32(written, p);
        const inputs: Inputs = {
          logProb: host.f32(tensors.logProb, p),
          oldLogProb: host.f32(tensors.oldLogProb, p),
          behaviourLogProb: host.f32(tensors.behaviourLogProb, p),
          advantage: host.f32(tensors.advantage, p),
          policyWeight: host.f32(tensors.policyWeight, p),
          selection: host.f32(tensors.selection, p),
        };
        if (isTokenwise(member)) forEachRow(host, rows, context, p, writerOfTokens(out, inputs, member));
        else writeSegments(out, trajectories(host, rows, context, p), inputs, member);
      }
    });
  };
}

/** True if each token is a segment of its own in every trajectory: the usual case, which needs no lists of tokens. */
const isTokenwise = ({ ratioLevel, offPolicyLimit }: PolicyMember): boolean =>
  ratioLevel === 'token' && offPolicyLimit === 0;

/** Writes the row of a token that is its own segment. */
function writerOfTokens(out: FloatData, inputs: Inputs, member: PolicyMember): Parameters<typeof forEachRow>[4] {
  const { logProb, oldLogProb: old, behaviourLogProb: behaviour, selection } = inputs;
  return (row, role, dense) => {
    const at = row * SEGMENT_COLUMNS;
    const drawn = role !== null && isDrawn(role);
    const isCarrying = member.roleWeight(role) !== 0;
    const base = member.ratioBase === 'behaviour' && drawn ? behaviour[dense] : old[dense];
    out[at + SEGMENT.logRatio] = isCarrying ? logProb[row] - base : 0;
    out[at + SEGMENT.decoding] = drawn ? old[dense] - behaviour[dense] : 0;
    out[at + SEGMENT.joint] = 0;
    out[at + SEGMENT.selection] = isCarrying ? selection[dense] : 0;
  };
}

/** Writes the rows of segments that have several tokens, or whose trajectory may be too far off policy. */
function writeSegments(out: FloatData, played: readonly Row[][], inputs: Inputs, member: PolicyMember): void {
  const segments = played.flatMap((trajectory): Segment[] => {
    const carrying: Carrying[] = [];
    let turn = 0;
    let wasDrawn = false;
    for (const row of trajectory) {
      const drawn = row.role !== null && isDrawn(row.role);
      if (drawn && !wasDrawn) turn++;
      wasDrawn = drawn;
      const decoding = drawn ? inputs.oldLogProb[row.dense] - inputs.behaviourLogProb[row.dense] : 0;
      out.set([0, decoding, 0, 0], row.index * SEGMENT_COLUMNS);
      if (member.roleWeight(row.role) !== 0) carrying.push(carryingAt(row, turn, inputs, member));
    }
    const tooFar = isTooFarOff(carrying, member);
    const selected = carrying.map((token) => (tooFar && token.advantage < 0 ? { ...token, selection: 0 } : token));
    return segmentsOf(selected, member).map((tokens) => ({ tokens, logRatio: segmentLogRatio(tokens, member) }));
  });
  for (const { tokens, logRatio } of segments) {
    for (const { row, decoding, selection } of tokens)
      out.set([logRatio, decoding, 0, selection], row * SEGMENT_COLUMNS);
  }
  if (isShared(member)) addJointGradients(out, segments, member);
}

function carryingAt({ index: row, role, dense }: Row, turn: number, inputs: Inputs, member: PolicyMember): Carrying {
  const drawn = role !== null && isDrawn(role);
  const [old, behaviour] = [inputs.oldLogProb[dense], inputs.behaviourLogProb[dense]];
  return {
    row,
    turn,
    drawn,
    logProb: inputs.logProb[row],
    baseLogProb: member.ratioBase === 'behaviour' && drawn ? behaviour : old,
    decoding: drawn ? old - behaviour : 0,
    advantage: inputs.advantage[dense],
    weight: inputs.policyWeight[dense],
    selection: inputs.selection[dense],
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

/** True if the segment's ratio is differentiated: policyObjective then adds the joint gradient to each token. */
export const isShared = ({ ratioLevel, ratioGradient, surrogate }: PolicyMember): boolean =>
  surrogate === 'gmpo' || (ratioLevel !== 'token' && ratioGradient === 'differentiable');

function segmentLogRatio(tokens: readonly Carrying[], member: PolicyMember): number {
  const { surrogate, clipLow: low, clipHigh: high } = member;
  const sum = (of: (token: Carrying) => number): number => tokens.reduce((total, one) => total + of(one), 0);
  const logRatioOf = ({ logProb, baseLogProb }: Carrying): number => logProb - baseLogProb;
  if (surrogate === 'vespo') {
    const clamped = sum((token) => clip(logRatioOf(token), -EXPONENT.logRatio, EXPONENT.logRatio));
    return clip(clamped + logDecodingFactor(tokens, member), BOUND.vespoLow, BOUND.vespoHigh);
  }
  // The surrogate's text names its bound `clipped`; token by token it holds the gradient in tokens.ts.
  if (surrogate === 'gmpo') {
    const bounded = (token: Carrying): number => {
      if (token.advantage === 0) return 0;
      return token.advantage > 0 ? Math.min(logRatioOf(token), high) : Math.max(logRatioOf(token), -low);
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
function addJointGradients(out: FloatData, segments: readonly Segment[], member: PolicyMember): void {
  const tokens = tokensFor(segments.reduce((sum, one) => sum + one.tokens.length, 0));
  let count = 0;
  for (const { tokens: carrying, logRatio } of segments) {
    for (const { logProb, baseLogProb, advantage, selection } of carrying) {
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
  for (const { tokens: carrying } of segments) {
    let sum = 0;
    for (const { weight, selection } of carrying) {
      if (weight !== 0 && selection !== 0) sum += weight * byRatio[at];
      at++;
    }
    const joint = isSum ? sum : sum / carrying.length;
    for (const { row } of carrying) out[row * SEGMENT_COLUMNS + SEGMENT.joint] = joint;
  }
}
