/** Cases of KL estimates to the reference, every token an action, through the operation of training. */

import { ROLE } from '../foundation/roles';
import { CHOICES, type ChoiceOf } from '../hyperparameters/columns';
import type { Backend } from '../tensor/backend';
import { NO_ROLE, TERM, TERM_COLUMNS } from '../tensor/columns';
import { HYPER } from '../tensor/layout';
import { expectationOf, inputOf, tableOf } from './arrays';
import { type CheckedOutput, type Fixture, invalid } from './format';
import { hyperTensor, placeTokens } from './place';
import { KL_ESTIMATORS } from './policyLoss/verl';
import { isExtreme, lossTolerance, type Tolerance } from './tolerance';

type Estimator = ChoiceOf<'klEstimator'>;
type Clamp = ChoiceOf<'klClamp'>;

/** Estimators by their names in other projects, without a trailing "+" (gradient of k2) or "_unclamped". */
const ESTIMATORS: Readonly<Record<string, Estimator>> = { ...KL_ESTIMATORS, mismatch_k3: 'mismatch-k3' };

/** Clamps by project. */
const CLAMPS: readonly (readonly [repository: RegExp, clamp: Clamp])[] = [
  [/openrlhf/i, 'value'],
  [/\btrl\b|prime/i, 'none'],
  [/verl|skyrl/i, 'log-ratio-and-value'],
];

/** Hyperparameters for the estimate that another project calls `name`. */
function klColumns(fixture: Fixture, name: string): [column: number, value: number][] {
  const [, plain = name, unclamped, plus] = /^(.*?)(_unclamped)?(\+)?$/.exec(name) ?? [];
  const estimator = ESTIMATORS[plain];
  if (estimator === undefined) throw invalid(`${fixture.name} asks for the KL estimate “${name}”, which is not known`);
  const own = CLAMPS.find(([repository]) => repository.test(fixture.source.repo))?.[1];
  const clamp = unclamped === undefined ? own : 'none';
  if (clamp === undefined) throw invalid(`What ${fixture.source.repo} clamps is not known (${fixture.name})`);
  return [
    [HYPER.klEstimator, CHOICES.klEstimator.indexOf(estimator)],
    [HYPER.klClamp, CHOICES.klClamp.indexOf(clamp)],
    [HYPER.klStraightThrough, plus === undefined ? 0 : 1],
  ];
}

export async function checkKl(backend: Backend, fixture: Fixture): Promise<readonly CheckedOutput[]> {
  const [B, T] = tableOf(fixture, 'log_prob');
  const logProb = inputOf(fixture, 'log_prob');
  const mask = fixture.inputs.mask === undefined ? null : inputOf(fixture, 'mask', B * T);
  const roles = Array.from(logProb, (_, i) => (mask?.[i] === 0 ? NO_ROLE : ROLE.action));
  const place = placeTokens(backend, roles, { shape: [B, T] });
  const zeros = new Float32Array(B * T);
  const [dLogProb, dEntropy] = [place.packed('dLogProb', zeros), place.packed('dEntropy', zeros)];
  const terms = backend.tensor('terms', 'f32', 1, place.rows.capacity * TERM_COLUMNS);
  const inputs = {
    logProb: place.packed('logProb', logProb),
    entropy: place.packed('entropy', zeros),
    referenceLogProb: place.dense('referenceLogProb', inputOf(fixture, 'ref_log_prob', B * T)),
    oldLogProb: place.dense('oldLogProb', logProb),
    // The weight of a token's KL in the loss is the case's derivative by that KL.
    actionWeight: place.dense('actionWeight', inputOf(fixture, 'grad_kl', B * T)),
  };
  const columns = klColumns(fixture, String(fixture.params.kl));
  const hyper = hyperTensor(backend, [HYPER.klCoefficient, 1], ...columns);
  const program = backend.record(fixture.name, 1, (ops) => {
    ops.regularise(dLogProb, dEntropy, terms, place.rows, inputs, hyper, place.context);
  });
  await backend.prepare();
  backend.run(program);
  const [term, derivative] = await backend.read(terms, dLogProb);
  const got: Readonly<Record<string, Float64Array>> = {
    kl: place.tokens(term, TERM_COLUMNS, TERM.klEstimate),
    grad_log_prob: place.tokens(derivative),
  };
  return Object.entries(got).flatMap(([output, values]): CheckedOutput[] => {
    const expected = expectationOf(fixture, output);
    if (expected === undefined) return [];
    return [{ output, got: values, expected, ...toleranceOf(fixture), exactZeros: true }];
  });
}

/** Tolerance, wider for OpenRLHF: it computes in float32 itself, where k3 cancels near 0. */
function toleranceOf(fixture: Fixture): Tolerance {
  const usual = lossTolerance(fixture);
  return /openrlhf/i.test(fixture.source.repo) && !isExtreme(fixture) ? { ...usual, atol: 1e-6 } : usual;
}
