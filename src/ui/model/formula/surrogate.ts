/** The arm's surrogate as its text writes it, with the arm's numbers put in, and what else acts on the policy gradient. */

import { policyText } from '../../../experiment/arm/formulaTexts';
import type { Arm } from '../../../experiment/experiment';
import { index, type Notation, words } from '../../../foundation/notation';
import { precisePercent } from '../../../foundation/percent';
import { decodingCorrection } from '../../../hyperparameters/correction';
import { formatSetting } from '../../kit/format';
import { remarkOf } from './shared';
import { linesOf, maximised } from './text';

/** Term that the policy gradient maximises at one token. */
export const surrogateFormula = (arm: Arm): Notation => maximised(policyText(arm));

/** Meanings of the names in the surrogate: each a formula with a remark. */
export function surrogateSymbols(arm: Arm): { formula: Notation; remark: string }[] {
  const lines = linesOf(policyText(arm)).map((formula) => ({ formula, remark: '' }));
  const share = formatSetting(arm.covarianceShare);
  if (arm.surrogate === 'clip-cov') {
    const [low, high] = [formatSetting(arm.covarianceLow), formatSetting(arm.covarianceHigh)];
    const remark = `a share of ${share} of the tokens, among those whose covariance of A and log π lies between ${low} and ${high}`;
    return [...lines, { formula: words('left out:'), remark }];
  }
  if (arm.surrogate === 'kl-cov') {
    const remark = `times the size of the log ratio is taken off on the share of ${share} of the tokens with the highest covariance of A and log π`;
    return [...lines, { formula: index(arm.ratioPenalty, words('some')), remark }];
  }
  return lines;
}

/** Remarks on everything else that acts on the tokens of the policy gradient. */
export function surrogateRemarks(arm: Arm): string[] {
  const correction = remarkOf(decodingCorrection, arm);
  const level =
    arm.decodingCorrection === 'sequence-mask' || arm.decodingLevel === 'token'
      ? ''
      : ` (by ${arm.decodingLevel === 'sequence' ? 'trajectory, product' : 'trajectory, geometric mean'})`;
  const upper = arm.decodingHigh > 0 ? formatSetting(arm.decodingHigh) : 'any';
  const remarks = [
    correction === null ? null : `${correction} ${formatSetting(arm.decodingLow)} to ${upper}${level}`,
    arm.entropyShare < 1 ? `only the ${precisePercent(arm.entropyShare)} of tokens with the highest entropy` : null,
    arm.offPolicyLimit > 0
      ? `failed trajectories are left out once they are ${formatSetting(arm.offPolicyLimit)} nats a token less likely`
      : null,
  ];
  return remarks.filter((remark) => remark !== null);
}
