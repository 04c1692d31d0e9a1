/** Metrics that other projects report, from the terms and their sums. */
import { TERM } from '../../tensor/columns';
import { type Fixture, invalid } from '../format';
import type { PolicyLossInputs } from './inputs';
import type { PolicyLossResult } from './run';
import type { PolicySettings } from './settings';

interface Run {
  readonly result: PolicyLossResult;
  readonly inputs: PolicyLossInputs;
  readonly settings: PolicySettings;
}

const countOf = ({ mask }: PolicyLossInputs): number => mask.reduce((a, b) => a + b, 0);

/** Mean of a term over the mask's tokens; 0 if there are none. */
const mean =
  (column: number, sign = 1) =>
  ({ result, inputs }: Run): number =>
    (sign * result.sum(column)) / Math.max(countOf(inputs), 1);

/** Values of a term on the tokens of the mask. */
function onTokens({ result, inputs }: Run, column: number): number[] {
  return Array.from(result.term(column)).filter((_, i) => inputs.mask[i] === 1);
}

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(values.length, 1);

/** Mean over all sequences of a number that the tokens of each share; `otherwise` for a sequence without tokens. */
function meanOfSequences({ result, inputs }: Run, column: number, otherwise: number): number {
  const { B, T, mask } = inputs;
  const sums = result.sequenceSums(column);
  return meanOf(
    Array.from({ length: B }, (_, b) => {
      const tokens = mask.subarray(b * T, (b + 1) * T).reduce((a, c) => a + c, 0);
      return tokens === 0 ? otherwise : sums[b] / tokens;
    }),
  );
}

/** TRL's means: over tokens, or over sequences where the ratio is a sequence's. */
const meanOfRatios =
  (...columns: readonly number[]) =>
  (run: Run): number =>
    columns.reduce(
      (sum, column) =>
        sum + (run.settings.ratioLevel === 'sequence' ? meanOfSequences(run, column, 0) : mean(column)(run)),
      0,
    );

/** Mean KL as in the loss, where it is multiplied by a ratio. */
function weightedKl({ result, inputs, settings }: Run): number {
  const [loss, coefficient] = [result.term(TERM.regulariserLoss), settings.klCoefficient ?? 0];
  const values = Array.from(loss, (value, i) => {
    const weight = result.actionWeight[i];
    return inputs.mask[i] === 1 ? value / weight / coefficient : 0;
  });
  return values.reduce((a, b) => a + b, 0) / Math.max(countOf(inputs), 1);
}

const T = TERM;
const ratios = (run: Run): number[] => onTokens(run, T.ratio);
/** Log-ratios x = log(p/p₀) of the mask's tokens; p₀: the sampler. */
const logRatios = (run: Run): number[] => ratios(run).map(Math.log);

type Metric = (run: Run) => number;

const METRICS: Readonly<Record<string, Metric>> = {
  // verl
  pg_clipfrac: (run) => {
    if (run.settings.surrogate === 'gmpo') return mean(T.clippedHigh)(run);
    return mean(T.clipped)(run);
  },
  pg_clipfrac_lower: (run) => {
    return mean(run.settings.surrogate === 'gmpo' ? T.clippedLow : T.clippedDual)(run);
  },
  ppo_kl: (run) => {
    if (run.settings.surrogate === 'kl-cov') return meanOf(onTokens(run, T.logRatio).map(Math.abs));
    return mean(T.logRatio, -1)(run);
  },
  vf_clipfrac: mean(T.valueClipped),
  // OpenRLHF, SkyRL
  clip_ratio: mean(T.clipped),
  vllm_kl: mean(T.decodingLogRatio, -1),
  // TRL
  'clip_ratio/low_mean': meanOfRatios(T.clippedLow),
  'clip_ratio/high_mean': meanOfRatios(T.clippedHigh),
  'clip_ratio/region_mean': meanOfRatios(T.clippedLow, T.clippedHigh),
  cispo_clip_ratio: meanOfRatios(T.clippedHigh),
  // A sequence without tokens has the ratio 1, where φ is 1 for every k and λ.
  'vespo/phi_seq_mean': (run) => meanOfSequences(run, T.ratio, 1),
  kl: (run) => (run.settings.klRatioWeighted === 1 ? weightedKl(run) : mean(T.klEstimate)(run)),
  // rLLM
  'ppo/clip_frac': mean(T.outside),
  'cispo/clip_frac': mean(T.outside),
  'gspo/clip_frac': mean(T.clipped),
  'dppo_tv/mask_frac': mean(T.clipped),
  'dppo_kl/mask_frac': mean(T.clipped),
  'icepop/mask_frac': mean(T.clipped),
  'icepop/ratio_mean': mean(T.ratio),
  'icepop/ratio_min': (run) => Math.min(...ratios(run)),
  'icepop/ratio_max': (run) => Math.max(...ratios(run)),
  'reinforce_kl/kl_bwd': (run) => meanOf(logRatios(run).map((x) => Math.expm1(x) - x)),
  'reinforce_kl/kl_fwd': (run) => meanOf(logRatios(run).map((x) => Math.exp(x) * x - Math.expm1(x))),
  'reinforce_kl/ratio_mean': mean(T.ratio),
  'reinforce_kl/ratio_min': (run) => Math.min(...ratios(run)),
  'reinforce_kl/ratio_max': (run) => Math.max(...ratios(run)),
  'reinforce_kl/clamp_frac': mean(T.outside),
};

/** The case's metrics that are numbers: [name, got, expected]. A metric that is not known here is an error. */
export function metricsOf(fixture: Fixture, run: Run): readonly (readonly [string, number, number])[] {
  const expected = Object.entries(fixture.expected.metrics ?? {}).map(
    ([name, value]) => [name, Number(value)] as const,
  );
  return expected
    .filter(([, value]) => !Number.isNaN(value))
    .map(([name, value]) => {
      const metric = METRICS[name];
      if (!metric) throw invalid(`${fixture.name} expects the metric “${name}”, which is not known here`);
      return [name, metric(run), value] as const;
    });
}
