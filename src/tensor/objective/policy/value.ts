/** The critic's loss, clipped as implementations of PPO do (verl `compute_value_loss`). */
import { namesOf, readerOf } from '../../../hyperparameters/columns';
import { CRITIC } from '../../../hyperparameters/critic';
import { TERM, TERM_COLUMNS } from '../../columns';
import type { PolicyObjectiveOperations } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';
import { forEachRow } from '../targets';

const read = readerOf(namesOf(CRITIC));

export function valueObjective(host: ObjectiveHost): PolicyObjectiveOperations['valueObjective'] {
  return (dValue, terms, rows, inputs, hyper, context) => {
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [byValue, table, value] = [host.f32(dValue, p), host.f32(terms, p), host.f32(inputs.value, p)];
        const [oldValue, returns] = [host.f32(inputs.oldValue, p), host.f32(inputs.returns, p)];
        const weights = host.f32(inputs.actionWeight, p);
        const { valueCoefficient: coefficient, valueClip: epsilon } = read(host.f32(hyper, p));
        forEachRow(host, rows, context, p, (r, role, dense) => {
          const weight = role === null || coefficient === 0 ? 0 : coefficient * weights[dense];
          const clipped = weight === 0 ? NOTHING : clippedSquare(value[r], oldValue[dense], returns[dense], epsilon);
          byValue[r] = weight === 0 ? 0 : weight * clipped.derivative;
          table[r * TERM_COLUMNS + TERM.valueLoss] = weight === 0 ? 0 : weight * clipped.loss;
          table[r * TERM_COLUMNS + TERM.valueClipped] = clipped.clipped ? 1 : 0;
        });
      }
    });
  };
}

const NOTHING = { loss: 0, derivative: 0, clipped: false };

function clippedSquare(v: number, old: number, target: number, epsilon: number): typeof NOTHING {
  const bounded = epsilon > 0 ? Math.min(Math.max(v, old - epsilon), old + epsilon) : v;
  const [plainSquare, boundedSquare] = [(v - target) ** 2, (bounded - target) ** 2];
  const clipped = boundedSquare > plainSquare;
  // Where the bounded branch is the larger, it is constant in v: derivative 0.
  return { loss: Math.max(plainSquare, boundedSquare) / 2, derivative: clipped ? 0 : v - target, clipped };
}
