/** The door of losses. */
import type { LossPlace } from '../experiment/arm/ownLosses';
import { lossFields } from '../experiment/link/linkFields';
import { compile } from '../formula/compile';
import { type FormulaSummary, sourceOf, summaryOf, type Target } from '../formula/summary';

/** A compiled loss. */
export interface Loss extends FormulaSummary {
  /** Text of a program for the formula: kernels of the lab, or PyTorch for a trainer. */
  to(target: Target, name?: string): string;
  /**
   * Settings for `train` that give the loss to an arm, by its id. `place`: what it takes the place of (the policy’s loss where left out),
   * or `added` beside the arm’s own, with the weight 1 on actions.
   */
  on(arm: string, options?: { readonly name?: string; readonly place?: LossPlace }): Record<string, string | number>;
}

export function lossOf(text: string): Loss {
  const formula = compile(text);
  return {
    ...summaryOf(formula),
    to: (target, name = 'own') => sourceOf(formula, target, name),
    on: (arm, { name = 'own', place = 'policy' } = {}) => lossFields(arm, name, place, text),
  };
}
