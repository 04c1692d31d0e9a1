/** KL to the reference policy, and entropy. */
import { fraction, minus, negative, operator, plus, power, row, symbol } from '../foundation/notation';
import { isCriticTrained } from './critic';
import { type Condition, choice, either, flag, isAbove, real } from './setting';

const klCoefficient = real({
  label: 'KL penalty',
  help: 'Pulls the policy back towards where it began, or towards the file set as reference; DAPO, ECHO and prime-rl use none.',
  default: 0,
  min: 0,
  max: 10,
  soft: [0, 0.2],
  step: 0.002,
});
const isKlInLoss: Condition = isAbove(klCoefficient);

const entropyCoefficient = real({
  label: 'Entropy bonus',
  help: 'Reward for staying undecided among the legal actions; ECHO has none, RAGEN 0.001.',
  default: 0.01,
  min: 0,
  max: 10,
  soft: [0, 0.1],
  step: 0.001,
});

/** True if KL, entropy or critic has a loss, which is aggregated as the policy loss is. */
export const isRegularised: Condition = either(isKlInLoss, isAbove(entropyCoefficient), isCriticTrained);

export const REGULARISATION = {
  klCoefficient,
  /** Estimator of KL(policy ‖ reference) at a token, d = log-prob − reference's (joschu.net/blog/kl-approx.html). */
  klEstimator: choice(
    'KL estimator',
    'What estimates the divergence at a token: verl and TRL take k3, OpenRLHF takes k1, whose gradient is 0 on average.',
    {
      /** exp(−d) + d − 1, never negative; "low_var_kl" in verl. The default of verl, TRL's only one. */
      k3: { name: 'k3', formula: () => row(power('e', row(negative, 'd')), plus, 'd', minus, 1) },
      /**
       * d: without bias, negative for single tokens; "kl" in verl. As a loss its expected gradient is 0. OpenRLHF's default.
       */
      k1: { name: 'k1', formula: () => symbol('d', 'd') },
      /** |d|. */
      abs: { name: '|k1|', formula: () => row(operator('|', 'the size of'), 'd', operator('|', ',')) },
      /** d²/2; "mse" in verl. Its gradient is that of the exact KL in expectation. */
      k2: { name: 'k2', formula: () => fraction(power('d', 2), 2) },
      /** exp(d) − d − 1: k3 of the opposite direction, prime-rl's mismatch KL. */
      'mismatch-k3': { name: 'k3 reversed (prime-rl)', formula: () => row(power('e', 'd'), minus, 'd', minus, 1) },
    },
    { when: isKlInLoss },
  ),
  /** 1: the estimator's value with the gradient of k2 (d, never clamped): verl's trailing "+". 0: its own gradient. */
  klStraightThrough: flag(
    'KL gradient of k2',
    'The estimator’s value is reported, but the gradient is that of k2, which is right on average: verl’s trailing “+”.',
    { when: isKlInLoss },
  ),
  /** Bounds of the estimate; outside of them its gradient is 0. */
  klClamp: choice(
    'KL clamp',
    'Where the estimate is kept within bounds; verl and SkyRL also bound its value, OpenRLHF only that, TRL nothing.',
    {
      /** d within ±20 in the two estimators that take its exp, so that float32 stays finite. The lab's own. */
      'log-ratio': 'log-ratio within ±20',
      /** Bounds of `log-ratio`, and the value within ±10 besides: verl, SkyRL. k3 stops pushing at d < −2.6 and at d > 11. */
      'log-ratio-and-value': 'and the value within ±10 (verl)',
      /** The value of any estimator within ±10, d unchanged: OpenRLHF. */
      value: 'value within ±10 (OpenRLHF)',
      /** None: TRL, prime-rl. Only exp stays within what float32 holds (its argument ends at 85). */
      none: 'none (TRL)',
    },
    { when: isKlInLoss },
  ),
  /**
   * 1: the estimate is multiplied by the token's ratio to the policy before the update, and both are differentiated. It
   * then stays unbiased after the policy has moved (TRL's `use_bias_correction_kl`). 0: it is not.
   */
  klRatioWeighted: flag(
    'KL weighed by the ratio',
    'Multiplies the estimate by the token’s ratio to the old policy, so that it stays unbiased after the policy moved (TRL’s use_bias_correction_kl).',
    { when: isKlInLoss },
  ),
  entropyCoefficient,
} as const;
