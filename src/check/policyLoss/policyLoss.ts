/** Policy losses of other projects, recomputed by the operations of training. */
import type { Backend } from '../../tensor/backend';
import { expectationOf, inputOf } from '../arrays';
import type { CheckedOutput, Fixture } from '../format';
import { isExtreme, lossTolerance, METRIC_TOLERANCE } from '../tolerance';
import { inputsOf } from './inputs';
import { metricsOf } from './metrics';
import { entropySettingsOf, metricSettingsOf, settingsOf } from './projects';
import { runPolicyLoss, type ValueInputs } from './run';

export async function checkPolicyLoss(backend: Backend, fixture: Fixture): Promise<readonly CheckedOutput[]> {
  const [inputs, settings] = [inputsOf(fixture), settingsOf(fixture)];
  const entropySettings = entropySettingsOf(fixture);
  const { name } = fixture;
  const values = valuesOf(fixture, inputs.B * inputs.T);
  const result = await runPolicyLoss(backend, { name, inputs, settings, entropySettings, values });
  // Where metrics have other bounds than the loss, the same operations run once more.
  const ofMetrics = metricSettingsOf(fixture);
  const described = ofMetrics
    ? await runPolicyLoss(backend, { name, inputs, settings: ofMetrics, entropySettings, values })
    : result;
  const gradients = { grad_log_prob: result.dLogProb, grad_entropy: result.dEntropy, grad_vpreds: result.dValue };
  const loss: CheckedOutput = {
    output: 'loss',
    got: [result.loss],
    expected: expectationOf(fixture, 'loss') ?? [],
    ...lossTolerance(fixture),
  };
  const compared = Object.entries(gradients).flatMap(([output, got]) =>
    compareGradient(fixture, output, got, { mask: inputs.mask, isSmooth: settings.surrogate === 'sapo' }),
  );
  const metrics = metricsOf(fixture, { result: described, inputs, settings }).map(
    ([output, got, expected]): CheckedOutput => ({ output, got: [got], expected: [expected], ...METRIC_TOLERANCE }),
  );
  return [loss, ...compared, ...metrics];
}

/**
 * Comparisons of a gradient. Zeros must be exact, in two situations only on masked tokens: with a smooth bound, which
 * flattens until it rounds to 0, and with huge log-ratios, where a zero can come from cancellation or underflow.
 */
function compareGradient(
  fixture: Fixture,
  output: string,
  got: Float64Array,
  { mask, isSmooth }: { readonly mask: Float32Array; readonly isSmooth: boolean },
): CheckedOutput[] {
  const expected = expectationOf(fixture, output);
  if (expected === undefined) return [];
  const all: CheckedOutput = {
    output,
    got,
    expected,
    ...lossTolerance(fixture),
    exactZeros: !(isSmooth || isExtreme(fixture)),
  };
  const masked = got.filter((_, i) => mask[i] !== 1);
  const zeros = new Float64Array(masked.length);
  return [all, { output: `${output} where masked`, got: masked, expected: zeros, atol: 0, rtol: 0 }];
}

function valuesOf(fixture: Fixture, tokens: number): ValueInputs | null {
  if (!('vpreds' in fixture.inputs)) return null;
  return {
    value: inputOf(fixture, 'vpreds'),
    oldValue: inputOf(fixture, 'values', tokens),
    returns: inputOf(fixture, 'returns', tokens),
  };
}
