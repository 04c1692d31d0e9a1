/**
 * Settings of an arm that are added losses in the formula language. KL and entropy off what the policy drew, where its table
 * has a weight for them, averaged over the tokens of those roles; on actions and thoughts they are the lab's own
 * (tensor/operations/worldModel.ts). And the imitation of successes.
 */
import { DRAWN, ROLES, type Role } from '../../foundation/roles';
import { weightOn } from '../../hyperparameters/weights';
import type { Arm } from '../experiment';
import type { OwnLoss } from './ownLosses';

const NO_WEIGHTS = Object.fromEntries(ROLES.map((role) => [role, 0])) as OwnLoss['on'];

/** Text of the loss that an entropy bonus adds. */
export const ENTROPY_TEXT = 'loss = -entropy';

/**
 * −log p over actions of trajectories that succeeded, divided by their number: the mean over all actions that an added loss
 * is has them as its denominator, which the fraction takes out. 0 where none succeeded.
 */
export const POSITIVE_TEXT = `positive = sum_batch(success * tokens)
loss = -logp * success * sum_batch(tokens) / max(positive, 1)`;

/** Every loss of an arm that is trained as a formula: its own, regularisers off what the policy drew, imitation of successes. */
export function formulaLosses(arm: Arm): readonly OwnLoss[] {
  const kl = added('kl', klText(arm), arm.kl, arm.klCoefficient);
  const entropy = added('entropy', ENTROPY_TEXT, arm.entropy, arm.entropyCoefficient);
  const positive = positiveLoss(arm);
  if (kl === null && entropy === null && positive === null) return arm.losses;
  return [...arm.losses, kl, entropy, positive].filter((loss) => loss !== null);
}

/** Weight 0, not null, while an update has no policy loss: its programs stay. */
function positiveLoss({ positiveNll, pg }: Arm): OwnLoss | null {
  if (positiveNll === 0) return null;
  const weight = (role: Role): number => positiveNll * Math.min(weightOn(pg, role), 1);
  const on = { ...NO_WEIGHTS, action: weight('action'), thought: weight('thought') };
  return { name: 'imitation of successes', text: POSITIVE_TEXT, place: 'added', on, values: {} };
}

/** Names that no user's loss can have: a space is in them. */
function added(name: string, text: string, weights: OwnLoss['on'], coefficient: number): OwnLoss | null {
  const on = Object.fromEntries(
    ROLES.map((role) => [role, DRAWN.includes(role) ? 0 : weights[role] * coefficient]),
  ) as OwnLoss['on'];
  if (ROLES.every((role) => on[role] === 0)) return null;
  return { name: `regulariser ${name}`, text, place: 'added', on, values: {} };
}

/** Estimators of the divergence at a token, from d = log-prob − reference log-prob; exp stays within float32. */
const ESTIMATORS: Readonly<Record<Arm['klEstimator'], string>> = {
  k3: 'expm1(min(-d, 85)) + d',
  k1: 'd',
  abs: 'abs(d)',
  k2: 'd ** 2 / 2',
  'mismatch-k3': 'expm1(min(d, 85)) - d',
};

/** The arm's estimator with its bounds, as src/tensor/objective/kl.ts has it. */
export function klText({ klEstimator, klClamp, klStraightThrough, klRatioWeighted }: Arm): string {
  const takesExp = klEstimator === 'k3' || klEstimator === 'mismatch-k3';
  const clampsRatio = klClamp === 'log-ratio' || klClamp === 'log-ratio-and-value';
  const clampsValue = klClamp === 'value' || (klClamp === 'log-ratio-and-value' && takesExp);
  const ratioLimit = clampsRatio ? 20 : 85;
  const lines = [
    'gap = logp - ref_logp',
    takesExp && clampsRatio ? 'd = clip(gap, -20, 20)' : 'd = gap',
    `estimate = ${ESTIMATORS[klEstimator]}`,
    clampsValue ? 'bounded = clip(estimate, -10, 10)' : 'bounded = estimate',
    // The value of the estimate, the slope of its square.
    klStraightThrough ? 'kl = detach(bounded - gap ** 2 / 2) + gap ** 2 / 2' : 'kl = bounded',
    `loss = ${klRatioWeighted ? `exp(clip(logp - old_logp, -${ratioLimit}, ${ratioLimit})) * kl` : 'kl'}`,
  ];
  return lines.join('\n');
}
