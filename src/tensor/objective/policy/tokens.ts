/** The per-token pass: loss, gradient and metrics from the segments. */
import { isDrawn } from '../../../foundation/roles';
import { TERM, TERM_COLUMNS } from '../../columns';
import { type PolicyObjectiveOperations, SEGMENT, SEGMENT_COLUMNS } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';
import { forEachRow } from '../targets';
import { policyMember } from './member';
import { klOfLogRatio, reportedLogRatio } from './ratio';
import { isShared } from './segments';
import { surrogatesOf, tokensFor } from './surrogates';

/** First and last of the policy's terms that stand after those of world model and value. */
const [FIRST_LATE, LAST_LATE] = [TERM.ratio, TERM.decodingLogRatio];

export function policyObjective(host: ObjectiveHost): PolicyObjectiveOperations['policyObjective'] {
  return (dLogProb, terms, rows, inputs, hyper, context) => {
    const tokens = tokensFor(rows.capacity);
    /** Row, weight of the loss, and 1 if it was drawn, of each carrying token. */
    const row = new Int32Array(rows.capacity);
    const weight = new Float64Array(rows.capacity);
    const wasDrawn = new Uint8Array(rows.capacity);
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const member = policyMember(host.f32(hyper, p));
        const [byLogProb, table, segments] = [host.f32(dLogProb, p), host.f32(terms, p), host.f32(inputs.segments, p)];
        const [logProb, old] = [host.f32(inputs.logProb, p), host.f32(inputs.oldLogProb, p)];
        const [advantage, weights] = [host.f32(inputs.advantage, p), host.f32(inputs.policyWeight, p)];
        let count = 0;
        forEachRow(host, rows, context, p, (r, role, dense) => {
          const first = r * TERM_COLUMNS;
          // A loop: filling a few places takes longer than writing them.
          for (let k = 0; k <= LAST_LATE; k++) if (k < TERM.mismatch || k >= FIRST_LATE) table[first + k] = 0;
          byLogProb[r] = 0;
          const segment = r * SEGMENT_COLUMNS;
          const decoding = segments[segment + SEGMENT.decoding];
          const drawn = role !== null && isDrawn(role);
          if (drawn) {
            const d = reportedLogRatio(logProb[r] - old[dense], member.logRatioClamp);
            table[first + TERM.logRatio] = d;
            table[first + TERM.klOld] = klOfLogRatio(d);
            table[first + TERM.decodingLogRatio] = decoding;
          }
          if (member.roleWeight(role) === 0) return;
          const selection = segments[segment + SEGMENT.selection];
          tokens.logRatio[count] = segments[segment + SEGMENT.logRatio];
          tokens.logProb[count] = logProb[r];
          tokens.baseLogProb[count] = old[dense] - (member.ratioBase === 'behaviour' ? decoding : 0);
          tokens.advantage[count] = advantage[dense];
          tokens.selection[count] = selection;
          row[count] = r;
          weight[count] = selection === 0 ? 0 : weights[dense];
          wasDrawn[count] = drawn ? 1 : 0;
          count++;
        });
        const surrogate = surrogatesOf(count, tokens, member);
        const [loss, direct, byRatio, clipped] = [
          surrogate('loss'),
          surrogate('byLogProb'),
          surrogate('byRatio'),
          surrogate('clipped'),
        ];
        const shares = isShared(member);
        for (let i = 0; i < count; i++) {
          const w = weight[i];
          if (w !== 0) {
            table[row[i] * TERM_COLUMNS + TERM.policyLoss] = w * loss[i];
            byLogProb[row[i]] = shares ? w * direct[i] : w * direct[i] + w * byRatio[i];
          }
          // gmpo: a clipped token, and one with the advantage 0, is a constant in the segment's mean.
          const isHeld = member.surrogate === 'gmpo' && (clipped[i] !== 0 || tokens.advantage[i] === 0);
          if (!shares || isHeld) continue;
          byLogProb[row[i]] = (w === 0 ? 0 : w * direct[i]) + segments[row[i] * SEGMENT_COLUMNS + SEGMENT.joint];
        }
        const [below, above, dual, ratio] = (['below', 'above', 'dual', 'ratio'] as const).map(surrogate);
        for (let i = 0; i < count; i++) {
          if (wasDrawn[i] === 0) continue;
          const first = row[i] * TERM_COLUMNS;
          table[first + TERM.clipped] = clipped[i];
          table[first + TERM.clippedLow] = tokens.advantage[i] < 0 ? below[i] : 0;
          table[first + TERM.clippedHigh] = tokens.advantage[i] > 0 ? above[i] : 0;
          table[first + TERM.clippedDual] = dual[i];
          table[first + TERM.ratio] = ratio[i];
          table[first + TERM.outside] = Math.max(below[i], above[i]);
        }
      }
    });
  };
}
