/** KL to the reference and entropy bonus, on actions and thoughts. */
import { isDrawn, ROLE } from '../../../foundation/roles';
import { TERM, TERM_COLUMNS } from '../../columns';
import { HYPER } from '../../layout';
import type { WorldModelOperations } from '../../operations/worldModel';
import type { ObjectiveHost } from '../host';
import { estimateKl, type KlOptions, ratioWeighted, readRegularisation } from '../kl';
import { forEachRow } from '../targets';

/** Estimator of the KL metric, the same in every arm: values of different estimators do not compare. */
const METRIC: KlOptions = { klEstimator: 'k3', klClamp: 'log-ratio', klStraightThrough: false };

export function regularise(host: ObjectiveHost): WorldModelOperations['regularise'] {
  return (dLogProb, dEntropy, terms, rows, inputs, hyper, context) => {
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [byLogProb, byEntropy, term] = [host.f32(dLogProb, p), host.f32(dEntropy, p), host.f32(terms, p)];
        const [logProb, entropy] = [host.f32(inputs.logProb, p), host.f32(inputs.entropy, p)];
        const [reference, old] = [host.f32(inputs.referenceLogProb, p), host.f32(inputs.oldLogProb, p)];
        const weights = host.f32(inputs.actionWeight, p);
        const settings = readRegularisation(host.f32(hyper, p));
        const hyperOf = host.f32(hyper, p);
        const onActions = [settings.klCoefficient, settings.entropyCoefficient] as const;
        const onThoughts = [hyperOf[HYPER.klThought], hyperOf[HYPER.entropyThought]] as const;
        forEachRow(host, rows, context, p, (r, role, dense) => {
          const at = r * TERM_COLUMNS;
          byEntropy[r] = 0;
          term[at + TERM.kl] = 0;
          term[at + TERM.klEstimate] = 0;
          term[at + TERM.regulariserLoss] = 0;
          if (role === null || !isDrawn(role)) return;
          const [klCoefficient, entropyCoefficient] = role === ROLE.thought ? onThoughts : onActions;
          const here = logProb[r];
          const d = here - reference[dense];
          const estimate = estimateKl(d, settings);
          term[at + TERM.kl] = estimateKl(d, METRIC).value;
          term[at + TERM.klEstimate] = estimate.value;
          const weight = weights[dense];
          if (weight === 0) return;
          let loss = 0;
          if (klCoefficient !== 0) {
            const used = settings.klRatioWeighted ? ratioWeighted(estimate, here - old[dense], settings) : estimate;
            byLogProb[r] += weight * klCoefficient * used.derivative;
            loss += weight * klCoefficient * used.value;
          }
          if (entropyCoefficient !== 0) {
            byEntropy[r] = -weight * entropyCoefficient;
            loss -= weight * entropyCoefficient * entropy[r];
          }
          term[at + TERM.regulariserLoss] = loss;
        });
      }
    });
  };
}
