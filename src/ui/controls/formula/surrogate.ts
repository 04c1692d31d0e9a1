/** Symbols of the surrogate, with the arm's numbers put in, and what else acts on the policy gradient. */
import type { Arm } from '../../../experiment/experiment';
import {
  call,
  comma,
  type Formula,
  index,
  minus,
  operator,
  power,
  row,
  symbol,
  times,
  words,
} from '../../../foundation/formula';
import { decodingCorrection } from '../../../hyperparameters/correction';
import { RATIO, ratioLevel } from '../../../hyperparameters/ratio';
import { surrogate } from '../../../hyperparameters/surrogate';
import { formatSetting } from '../../format';
import { contains, formulaOf, remarkOf } from './shared';

const r = symbol('r', 'r');
const A = symbol('A', 'A');
const x = symbol('x', 'x');
const p = symbol('p', 'p');
const p0 = index('p', 0);
const slash = operator('/', 'divided by');
/** gmpo's log-ratio, bounded on the side the advantage pushes to. */
const bounded = symbol('y', 'y');
const kept = index('1', words('kept'));

/** Term that the policy gradient maximises at one token. */
export function surrogateFormula(arm: Arm): Formula {
  return formulaOf(surrogate, arm, arm.ratioLevel === 'turn' ? 'turn' : 'trajectory') ?? words(arm.surrogate);
}

/** These say themselves how the log-ratios of a segment come together. */
const OWN_SEGMENT: readonly Arm['surrogate'][] = ['gmpo', 'vespo'];

/** What the symbols of the surrogate mean: each a formula with a remark. */
export function surrogateSymbols(arm: Arm): { formula: Formula; remark: string }[] {
  const equals = operator('=', 'is');
  const lines: { formula: Formula; remark: string }[] = [];
  const shared =
    arm.ratioLevel === 'token' || OWN_SEGMENT.includes(arm.surrogate)
      ? null
      : `${arm.ratioReduction === 'mean' ? 'averaged' : 'summed'} over the ${remarkOf(ratioLevel, arm)}`;
  const remark = [shared, remarkOf(RATIO.ratioBase, arm)].filter((part) => part !== null).join('; ');
  const logRatio = row(symbol('log', 'log'), p, slash, p0);
  const loss = surrogateFormula(arm);
  const hasX = contains(loss, x) || contains(loss, bounded);
  if (contains(loss, r)) {
    const simple = row(r, equals, p, slash, p0, ...(hasX ? [comma, x, equals, symbol('log', 'log'), r] : []));
    const formula = shared === null ? simple : row(r, equals, call('exp', x), comma, x, equals, logRatio);
    lines.push({ formula, remark });
  } else if (hasX) {
    lines.push({ formula: row(x, equals, logRatio), remark });
  }
  const low = formatSetting(arm.clipLow);
  const high = formatSetting(arm.clipHigh);
  const rules: Partial<Record<Arm['surrogate'], string>> = {
    'dppo-tv': `while p is at most ${high} above p₀ (A > 0), or ${low} below it (A < 0)`,
    'dppo-kl': `while p diverges from p₀ by at most ${high} upwards (A > 0), or ${low} downwards (A < 0)`,
    prime: `while p is at most ${high} above p₀ (A > 0), or ${low} below it (A < 0)`,
    ipo: `while p is within ${high} of p₀`,
  };
  const rule = rules[arm.surrogate];
  if (rule !== undefined) lines.push({ formula: kept, remark: `is 1 ${rule}, else 0` });
  if ((arm.surrogate === 'ppo' || arm.surrogate === 'clip-cov') && arm.ratioCap > 0) {
    lines.push({ formula: row(arm.ratioCap, A), remark: 'bounds it where A < 0 only' });
  }
  if (arm.surrogate === 'gmpo') {
    lines.push({
      formula: row(bounded, equals, call('min', x, arm.clipHigh)),
      remark: `where A > 0, else max(x, −${low})`,
    });
  }
  if (arm.surrogate === 'sapo') {
    const tau = symbol('τ', 'tau');
    lines.push({
      formula: row(tau, equals, arm.sapoPositive),
      remark: `where A > 0, else ${formatSetting(arm.sapoNegative)}`,
    });
  }
  if (arm.surrogate === 'vespo') {
    const phi = symbol('φ', 'phi');
    const w = symbol('w', 'w');
    const [k, decay] = [arm.vespoPowerPositive, arm.vespoScalePositive];
    lines.push({
      formula: row(phi, equals, power(w, k), times, call('exp', row(decay, minus, decay, w))),
      remark: `where A ≥ 0, else with ${formatSetting(arm.vespoPowerNegative)} and ${formatSetting(arm.vespoScaleNegative)}; w is the ratio p/p₀ of the whole ${remarkOf(ratioLevel, arm)}, ${remarkOf(RATIO.ratioBase, arm)}`,
    });
  }
  if (arm.surrogate === 'clip-cov') {
    const share = formatSetting(arm.covarianceShare);
    lines.push({
      formula: words('left out:'),
      remark: `a share of ${share} of the tokens, among those whose covariance of A and log p lies between ${formatSetting(arm.covarianceLow)} and ${formatSetting(arm.covarianceHigh)}`,
    });
  }
  if (arm.surrogate === 'kl-cov') {
    lines.push({
      formula: index(arm.ratioPenalty, words('some')),
      remark: `on the share of ${formatSetting(arm.covarianceShare)} of the tokens with the highest covariance of A and log p, else 0`,
    });
  }
  return lines;
}

const percent = (share: number): string => `${formatSetting(Number((100 * share).toPrecision(3)))}%`;

/** What else acts on the tokens of the policy gradient, in words. */
export function surrogateRemarks(arm: Arm): string[] {
  const correction = remarkOf(decodingCorrection, arm);
  const level =
    arm.decodingCorrection === 'sequence-mask' || arm.decodingLevel === 'token'
      ? ''
      : ` (by ${arm.decodingLevel === 'sequence' ? 'trajectory, product' : 'trajectory, geometric mean'})`;
  const upper = arm.decodingHigh > 0 ? formatSetting(arm.decodingHigh) : 'any';
  const remarks = [
    correction === null ? null : `${correction} ${formatSetting(arm.decodingLow)} to ${upper}${level}`,
    arm.entropyShare < 1 ? `only the ${percent(arm.entropyShare)} of tokens with the highest entropy` : null,
    arm.offPolicyLimit > 0
      ? `failed trajectories are left out once they are ${formatSetting(arm.offPolicyLimit)} nats a token less likely`
      : null,
  ];
  return remarks.filter((remark) => remark !== null);
}
