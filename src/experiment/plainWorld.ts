/** Comparison of an experiment with the recorded ones: the same world and start, with and without prediction. */
import type { EnvironmentSettings } from '../environments/environment';
import type { Experiment } from './experiment';
import { knownPreset } from './known';
import { findPreset } from './presets';

/** Settings of the share that is held out: which tasks are kept back makes no other world. */
const HELD_OUT: readonly string[] = ['heldOut', 'holdOut'];

const worldIn = (settings: EnvironmentSettings): string =>
  JSON.stringify(
    Object.entries(settings)
      .filter(([name]) => !HELD_OUT.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/**
 * True if the recorded verdict on this world is of the experiment's own settings of it, and the experiment has an arm with
 * prediction and one without that begin as the recorded ones did.
 */
export function isAsRecorded({ environment, arms }: Pick<Experiment, 'environment' | 'arms'>): boolean {
  const plain = findPreset(knownPreset(environment.id) ?? '')?.experiment;
  const first = plain?.arms[0];
  if (plain === undefined || first === undefined) return false;
  const predicts = arms
    .filter(({ warmStart, startPolicy }) => warmStart === first.warmStart && startPolicy === first.startPolicy)
    .map(({ ce }) => ce.observation > 0);
  const isSameWorld = worldIn(plain.environment.settings) === worldIn(environment.settings);
  return isSameWorld && predicts.includes(true) && predicts.includes(false);
}
