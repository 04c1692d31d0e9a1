/** The per-token pass: loss, gradient and metrics from the segments. */
import { ROLE } from '../../../foundation/roles';
import { TERM, TERM_COLUMNS } from '../../columns';
import { type PolicyObjectiveOperations, SEGMENT_COLUMNS } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';
import { forEachRow } from '../targets';
import { type PolicyMember, policyMember } from './member';
import { klOfLogRatio, reportedLogRatio } from './ratio';
import { isShared } from './segments';
import { type Surrogate, surrogateOf } from './surrogates';

/** First and last of the policy's terms that stand after those of world model and value. */
const [FIRST_LATE, LAST_LATE] = [TERM.ratio, TERM.decodingLogRatio];

export function policyObjective(host: ObjectiveHost): PolicyObjectiveOperations['policyObjective'] {
  return (dLogProb, terms, rows, inputs, hyper, context) => {
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const member = policyMember(host.f32(hyper, p));
        const [byLogProb, table, segments] = [host.f32(dLogProb, p), host.f32(terms, p), host.f32(inputs.segments, p)];
        const [logProb, old] = [host.f32(inputs.logProb, p), host.f32(inputs.oldLogProb, p)];
        const [advantage, weights] = [host.f32(inputs.advantage, p), host.f32(inputs.policyWeight, p)];
        forEachRow(host, rows, context, p, ({ index: r, role, dense }) => {
          const first = r * TERM_COLUMNS;
          const put = (term: number, value: number): void => {
            table[first + term] = value;
          };
          table.fill(0, first, first + TERM.mismatch);
          table.fill(0, first + FIRST_LATE, first + LAST_LATE + 1);
          byLogProb[r] = 0;
          const isAction = role === ROLE.action;
          const [logRatio = 0, decoding = 0, shared = 0, selection = 0] = segments.subarray(
            r * SEGMENT_COLUMNS,
            (r + 1) * SEGMENT_COLUMNS,
          );
          const here = logProb[r];
          if (isAction) {
            const d = reportedLogRatio(here - old[dense], member.logRatioClamp);
            put(TERM.logRatio, d);
            put(TERM.klOld, klOfLogRatio(d));
            put(TERM.decodingLogRatio, decoding);
          }
          if (member.roleWeight(role) === 0) return;
          const base = old[dense] - (member.ratioBase === 'behaviour' ? decoding : 0);
          const token = {
            logRatio,
            logProb: here,
            baseLogProb: base,
            advantage: advantage[dense],
            selection,
          };
          const surrogate = surrogateOf(token, member);
          const weight = weights[dense];
          const takesPart = weight !== 0 && selection !== 0;
          if (takesPart) put(TERM.policyLoss, weight * surrogate.loss);
          byLogProb[r] = gradient(surrogate, takesPart ? weight : 0, shared, member, token.advantage);
          if (isAction) {
            put(TERM.clipped, surrogate.bounds.clipped ? 1 : 0);
            put(TERM.clippedLow, surrogate.bounds.low ? 1 : 0);
            put(TERM.clippedHigh, surrogate.bounds.high ? 1 : 0);
            put(TERM.clippedDual, surrogate.bounds.dual ? 1 : 0);
            put(TERM.ratio, surrogate.ratio);
            put(TERM.outside, surrogate.bounds.outside ? 1 : 0);
          }
        });
      }
    });
  };
}

/** ∂loss/∂logProb: through the token itself, and through the ratio, its own or its segment's. */
function gradient(
  { byLogProb, byRatio, bounds }: Surrogate,
  weight: number,
  shared: number,
  member: PolicyMember,
  advantage: number,
): number {
  const own = weight === 0 ? 0 : weight * byLogProb;
  if (!isShared(member)) return weight === 0 ? 0 : own + weight * byRatio;
  // gmpo: a clipped token, and one with the advantage 0, is a constant in the segment's mean.
  const isHeld = member.surrogate === 'gmpo' && (bounds.clipped || advantage === 0);
  return isHeld ? own : own + shared;
}
