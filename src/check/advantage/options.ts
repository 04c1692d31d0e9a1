/** A member's choices by name, and those that several projects share. */
import { CHOICES, type ChoiceOf } from '../../hyperparameters/columns';
import { flagOf, settingOf } from '../arrays';
import { type Fixture, invalid } from '../format';
import type { AdvantageScene } from './scene';

export type SceneOptions = AdvantageScene['options'];

export const credit = (name: ChoiceOf<'advantageCredit'>): SceneOptions => ({
  advantageCredit: CHOICES.advantageCredit.indexOf(name),
});
export const baseline = (name: ChoiceOf<'advantageBaseline'>): SceneOptions => ({
  advantageBaseline: CHOICES.advantageBaseline.indexOf(name),
});
export const scale = (name: ChoiceOf<'advantageScale'>): SceneOptions => ({
  advantageScale: CHOICES.advantageScale.indexOf(name),
});
export const source = (name: ChoiceOf<'rewardSource'>): SceneOptions => ({
  rewardSource: CHOICES.rewardSource.indexOf(name),
});
export const offMask = (name: ChoiceOf<'offMask'>): SceneOptions => ({ offMask: CHOICES.offMask.indexOf(name) });
export const whitening = (
  name: ChoiceOf<'whitening'>,
  deviation: ChoiceOf<'advantageDeviation'>,
  whiteningEpsilon: number,
): SceneOptions => ({
  whitening: CHOICES.whitening.indexOf(name),
  whiteningDeviation: CHOICES.advantageDeviation.indexOf(deviation),
  whiteningEpsilon,
});

export const RAW: SceneOptions = { singletonGroup: CHOICES.singletonGroup.indexOf('raw') };
export const NOTHING: SceneOptions = { ...baseline('none'), ...scale('none') };
export const EVERY_TOKEN: SceneOptions = { creditClock: CHOICES.creditClock.indexOf('every-token') };
export const VERL_WHITENING = whitening('tokens', 'sample-variance', 1e-8);
export const OPENRLHF_WHITENING = whitening('tokens', 'population-floor', 1e-8);

/** Deviation with the case's degrees of freedom (ddof) and ε. */
export function deviation(fixture: Fixture, epsilon?: number, ddof: 0 | 1 = 1): SceneOptions {
  const taken = settingOf(fixture, ['ddof'], ddof);
  if (taken !== 0 && taken !== 1) throw invalid(`${fixture.name} has the ddof ${taken}, neither 0 nor 1`);
  return {
    advantageDeviation: CHOICES.advantageDeviation.indexOf(taken === 0 ? 'population' : 'sample'),
    advantageEpsilon: settingOf(fixture, ['epsilon'], epsilon),
  };
}

export const groupScale = (fixture: Fixture, ddof: 0 | 1 = 1): SceneOptions =>
  flagOf(fixture, 'norm_adv_by_std', fixture.params.estimator !== 'dr_grpo')
    ? { ...scale('group-deviation'), ...deviation(fixture, 1e-6, ddof) }
    : scale('none');
