/** A member's choices by name, and those that several projects share. */
import {
  BASELINES,
  CLOCKS,
  CREDITS,
  DEVIATIONS,
  OFF_MASKS,
  REWARD_SOURCES,
  SCALES,
  SINGLETONS,
  WHITENINGS,
} from '../../tensor/columns/advantage';
import { flagOf, settingOf } from '../arrays';
import { type Fixture, invalid } from '../format';
import type { Scene } from './scene';

export type Options = Scene['options'];

export const credit = (name: (typeof CREDITS)[number]): Options => ({ advantageCredit: CREDITS.indexOf(name) });
export const baseline = (name: (typeof BASELINES)[number]): Options => ({ advantageBaseline: BASELINES.indexOf(name) });
export const scale = (name: (typeof SCALES)[number]): Options => ({ advantageScale: SCALES.indexOf(name) });
export const source = (name: (typeof REWARD_SOURCES)[number]): Options => ({
  rewardSource: REWARD_SOURCES.indexOf(name),
});
export const offMask = (name: (typeof OFF_MASKS)[number]): Options => ({ offMask: OFF_MASKS.indexOf(name) });
export const whitening = (
  name: (typeof WHITENINGS)[number],
  deviation: (typeof DEVIATIONS)[number],
  whiteningEpsilon: number,
): Options => ({
  whitening: WHITENINGS.indexOf(name),
  whiteningDeviation: DEVIATIONS.indexOf(deviation),
  whiteningEpsilon,
});

export const RAW: Options = { singletonGroup: SINGLETONS.indexOf('raw') };
export const NOTHING: Options = { ...baseline('none'), ...scale('none') };
export const EVERY_TOKEN: Options = { creditClock: CLOCKS.indexOf('every-token') };
export const VERL_WHITENING = whitening('tokens', 'sample-variance', 1e-8);
export const OPENRLHF_WHITENING = whitening('tokens', 'population-floor', 1e-8);

/** The deviation a case names by its degrees of freedom, and its ε. */
export function deviation(fixture: Fixture, epsilon?: number, ddof: 0 | 1 = 1): Options {
  const taken = settingOf(fixture, ['ddof'], ddof);
  if (taken !== 0 && taken !== 1) throw invalid(`${fixture.name} has the ddof ${taken}, neither 0 nor 1`);
  return {
    advantageDeviation: DEVIATIONS.indexOf(taken === 0 ? 'population' : 'sample'),
    advantageEpsilon: settingOf(fixture, ['epsilon'], epsilon),
  };
}

export const groupScale = (fixture: Fixture, ddof: 0 | 1 = 1): Options =>
  flagOf(fixture, 'norm_adv_by_std', fixture.params.estimator !== 'dr_grpo')
    ? { ...scale('group-deviation'), ...deviation(fixture, 1e-6, ddof) }
    : scale('none');
