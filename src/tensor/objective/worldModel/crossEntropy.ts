/** The world-model loss, token by token. */

import { ROLE } from '../../../foundation/roles';
import { TERM, TERM_COLUMNS } from '../../columns';
import { LOG_RATIO_LIMIT } from '../../layout';
import type { WorldModelOperations } from '../../operations/worldModel';
import type { ObjectiveHost } from '../host';
import type { Estimate } from '../kl';
import { forEachRow } from '../targets';
import { type WorldModelMember, worldModelMember } from './member';

/** −log p: ECHO (arXiv 2605.24517). */
const crossEntropy = (logProb: number): Estimate => ({ value: -logProb, derivative: -1 });

/** −min(r, 1 + clip): PPO's clipped surrogate (arXiv 1707.06347) with the advantage 1, whose lower bound never acts. */
function constantAdvantage(logProb: number, old: number, clip: number): Estimate {
  const logRatio = logProb - old;
  const ratio = Math.exp(Math.min(Math.max(logRatio, -LOG_RATIO_LIMIT), LOG_RATIO_LIMIT));
  const pushes = ratio <= 1 + clip && Math.abs(logRatio) <= LOG_RATIO_LIMIT;
  return { value: -Math.min(ratio, 1 + clip), derivative: pushes ? -ratio : 0 };
}

/** max(0, threshold − p): the clipped absolute error of PaW (arXiv 2606.02388), reconstructed. */
function probabilityThreshold(logProb: number, threshold: number): Estimate {
  const p = Math.exp(logProb);
  return p < threshold ? { value: threshold - p, derivative: -p } : { value: 0, derivative: 0 };
}

/** A token's loss before its weight, in the member's form. */
export function lossOf(logProb: number, old: number, member: WorldModelMember): Estimate {
  switch (member.worldModelForm) {
    case 'cross-entropy':
      return crossEntropy(logProb);
    case 'constant-advantage':
      return constantAdvantage(logProb, old, member.worldModelClip);
    case 'probability-threshold':
      return probabilityThreshold(logProb, member.worldModelThreshold);
  }
}

const METRICS = ['mismatch', 'crossEntropyLoss', 'entropy', 'observationNll', 'warningNll'] as const;

export function crossEntropyObjective(host: ObjectiveHost): WorldModelOperations['crossEntropyObjective'] {
  return (dLogProb, terms, rows, inputs, hyper, context, { accumulate }) => {
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [derivative, term] = [host.f32(dLogProb, p), host.f32(terms, p)];
        const member = worldModelMember(host.f32(hyper, p));
        const [logProb, entropy] = [host.f32(inputs.logProb, p), host.f32(inputs.entropy, p)];
        const [old, behaviour] = [host.f32(inputs.oldLogProb, p), host.f32(inputs.behaviourLogProb, p)];
        const weights = host.f32(inputs.crossEntropyWeight, p);
        forEachRow(host, rows, context, p, ({ index: r, role, dense }) => {
          const at = r * TERM_COLUMNS;
          for (const name of METRICS) term[at + TERM[name]] = 0;
          if (!accumulate) derivative[r] = 0;
          if (role === null) return;
          const here = logProb[r];
          if (role === ROLE.action) {
            term[at + TERM.mismatch] = Math.abs(here - behaviour[dense]);
            term[at + TERM.entropy] = entropy[r];
          }
          if (role === ROLE.observation) term[at + TERM.observationNll] = -here;
          if (role === ROLE.warning) term[at + TERM.warningNll] = -here;
          const weight = weights[dense];
          if (weight === 0) return;
          const loss = lossOf(here, old[dense], member);
          term[at + TERM.crossEntropyLoss] = weight * loss.value;
          derivative[r] += weight * loss.derivative;
        });
      }
    });
  };
}
