/** Numbers derived from a token's own: its ratio, its effective weight, which bound acts on it, and why it is veiled. */
import { isFixed } from '../../../experiment/arm/policyFiles';
import { beginsTurn, isDrawn, ROLE } from '../../../foundation/roles';
import type { Inspection } from '../../../train/looks/shown';
import type { TokenNumber } from '../../../train/protocol';
import { formatSetting, plural } from '../../kit/format';
import type { TokenLearning } from '../../model/tokens/Chip';
import { learningIn } from '../../model/tokens/learning';

export const numberOf = ({ numbers }: Inspection, name: TokenNumber, index: number): number =>
  numbers[name][index] ?? Number.NaN;

/** Ratio of a token, exp(new − old). */
export function ratioOf(inspection: Inspection, index: number): number {
  return Math.exp(numberOf(inspection, 'logProb', index) - numberOf(inspection, 'oldLogProb', index));
}

/** Pull of the policy gradient on a token's log-prob while the token's ratio is 1: |weight · advantage|. */
export function policyPull(inspection: Inspection, index: number): number {
  return Math.abs(numberOf(inspection, 'policyWeight', index) * numberOf(inspection, 'advantage', index));
}

export function learningAt(inspection: Inspection, index: number): TokenLearning {
  return learningIn(isFixed(inspection.arm) ? undefined : inspection.arm, {
    role: inspection.roles[index],
    index,
    policyWeight: policyPull(inspection, index),
    crossEntropyWeight: numberOf(inspection, 'crossEntropyWeight', index),
  });
}

export type Bound = 'lower' | 'upper' | 'cap' | 'other';

/** The bound that acts on a token's gradient; null where none does. */
export function boundOf(inspection: Inspection, index: number): Bound | null {
  if (numberOf(inspection, 'clippedDual', index) === 1) return 'cap';
  if (numberOf(inspection, 'clipped', index) !== 1) return null;
  if (numberOf(inspection, 'clippedHigh', index) === 1) return 'upper';
  return numberOf(inspection, 'clippedLow', index) === 1 ? 'lower' : 'other';
}

/** Surrogates whose bounds are 1 − clipLow and 1 + clipHigh; the others bound something else than the ratio. */
const RELATIVE: readonly Inspection['arm']['surrogate'][] = ['ppo', 'clip-cov', 'icepop', 'reinforce-kl'];

export function boundWords(inspection: Inspection, index: number): string {
  const { surrogate, clipLow, clipHigh, ratioCap } = inspection.arm;
  const at = (value: number): string =>
    RELATIVE.includes(surrogate) ? `, ${formatSetting(Number(value.toPrecision(12)))}` : '';
  switch (boundOf(inspection, index)) {
    case 'upper':
      return `yes, at the upper bound${at(1 + clipHigh)}`;
    case 'lower':
      return `yes, at the lower bound${at(1 - clipLow)}`;
    case 'cap':
      return `yes, at the cap, ${formatSetting(ratioCap)}`;
    case 'other':
      return 'yes, by the objective’s own bound';
    default:
      return numberOf(inspection, 'outside', index) === 1
        ? 'no: outside the bounds, but the advantage pushes it back'
        : 'no';
  }
}

/** Reason why nothing is learned from a token, in words; null where something is. */
export function veilWords(inspection: Inspection, index: number): string | null {
  const { isEqual, isKept, rewards } = inspection;
  if (learningAt(inspection, index) !== 'veiled') return null;
  if (isFixed(inspection.arm)) return 'Hatched: a fixed policy learns from no token.';
  if (index === 0) return 'Hatched: nothing comes before it that could predict it.';
  const weight = numberOf(inspection, 'policyWeight', index);
  const isTrained = weight > 0 || (!isKept && isDrawn(inspection.roles[index] ?? -1));
  if (!isTrained) return 'Hatched: this arm gives its role no weight, or leaves it out.';
  if (isEqual) {
    return `Hatched: the ${plural(rewards.length, 'reward')} of its group are all equal, so there is nothing to compare and its advantage is 0.`;
  }
  return isKept ? 'Hatched: its advantage is 0.' : 'Hatched: a filter left its group out.';
}

export interface TokenTurn {
  /** First token, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** Turns of a trajectory: the prompt, then each action with the environment's answer. */
export function turnsOf({ roles }: Pick<Inspection, 'roles'>): TokenTurn[] {
  const starts = Array.from(roles.keys()).filter((t) => t === 0 || beginsTurn(roles, t));
  return starts.map((from, i) => ({ from, to: starts[i + 1] ?? roles.length }));
}

/** The token of another trajectory that stands at the same place of the same turn, or the last before it. */
export function alignedIndex(of: Inspection, index: number, target: Inspection): number {
  const turns = turnsOf(of);
  const turn = turns.findLastIndex(({ from }) => from <= index);
  const there = turnsOf(target);
  const place = there[Math.min(turn, there.length - 1)];
  if (place === undefined) return 0;
  return Math.min(place.from + index - (turns[turn]?.from ?? 0), place.to - 1);
}

export function firstAction({ roles }: Inspection): number {
  return Math.max(0, roles.indexOf(ROLE.action));
}
