/** The world-model loss, token by token. */

import { isDrawn, ROLE } from '../../../foundation/roles';
import { TERM, TERM_COLUMNS } from '../../columns';
import type { WorldModelOperations } from '../../operations/worldModel';
import type { ObjectiveHost } from '../host';
import { forEachRow } from '../targets';
import { formLosses } from './forms';
import { worldModelMember } from './member';

/** Columns that are written, 0 for a token without the quantity. */
const WRITTEN = (['mismatch', 'crossEntropyLoss', 'entropy', 'observationNll', 'warningNll'] as const).map(
  (name) => TERM[name],
);

export function crossEntropyObjective(host: ObjectiveHost): WorldModelOperations['crossEntropyObjective'] {
  return (dLogProb, terms, rows, inputs, hyper, context, { accumulate }) => {
    const [logProbs, oldLogProbs] = [new Float64Array(rows.capacity), new Float64Array(rows.capacity)];
    /** Rows of the tokens with a weight, and the weights. */
    const [row, weight] = [new Int32Array(rows.capacity), new Float64Array(rows.capacity)];
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [derivative, term] = [host.f32(dLogProb, p), host.f32(terms, p)];
        const member = worldModelMember(host.f32(hyper, p));
        const [logProb, entropy] = [host.f32(inputs.logProb, p), host.f32(inputs.entropy, p)];
        const [old, behaviour] = [host.f32(inputs.oldLogProb, p), host.f32(inputs.behaviourLogProb, p)];
        const weights = host.f32(inputs.crossEntropyWeight, p);
        let count = 0;
        forEachRow(host, rows, context, p, (r, role, dense) => {
          const at = r * TERM_COLUMNS;
          for (let k = 0; k < WRITTEN.length; k++) term[at + WRITTEN[k]] = 0;
          if (!accumulate) derivative[r] = 0;
          if (role === null) return;
          const here = logProb[r];
          if (isDrawn(role)) {
            term[at + TERM.mismatch] = Math.abs(here - behaviour[dense]);
            term[at + TERM.entropy] = entropy[r];
          }
          if (role === ROLE.observation) term[at + TERM.observationNll] = -here;
          if (role === ROLE.warning) term[at + TERM.warningNll] = -here;
          if (weights[dense] === 0) return;
          logProbs[count] = here;
          oldLogProbs[count] = old[dense];
          row[count] = r;
          weight[count] = weights[dense];
          count++;
        });
        const losses = formLosses(count, { logProb: logProbs, oldLogProb: oldLogProbs }, member);
        const [loss, byLogProb] = [losses('loss'), losses('byLogProb')];
        for (let i = 0; i < count; i++) {
          term[row[i] * TERM_COLUMNS + TERM.crossEntropyLoss] = weight[i] * loss[i];
          derivative[row[i]] += weight[i] * byLogProb[i];
        }
      }
    });
  };
}
