/**
 * Masks that real trainers got wrong, as their trackers tell: each beside the same arm with the mask that was meant.
 * Small enough for two processor cores.
 */
import type { Experiment } from '../../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy, worldModel } from '../preset';

type Described = Pick<Preset, 'claim' | 'finding'>;

function bug(id: string, described: Described, differences: Pick<Experiment, 'title' | 'arms'>): Preset {
  const experiment = { ...baseExperiment, preset: id, seeds: 2, updates: 150, policy: smallPolicy, ...differences };
  return { id, ...described, experiment };
}

const base = { ...worldModel, id: 'kl-on-actions', name: 'KL on actions', klCoefficient: 0.1 };

const klOnObservations = bug(
  'mask-bug-kl',
  {
    claim: 'A KL penalty whose mask was forgotten holds the policy’s predictions of the world to those of its start.',
    finding: 'mask-bugs-seen',
  },
  {
    title: 'Mask bug: the KL penalty sees observations',
    arms: [
      base,
      { ...base, id: 'kl-on-observations', name: 'KL on observations too', kl: { ...base.kl, observation: 1 } },
    ],
  },
);

const inverted = bug(
  'mask-bug-inverted',
  {
    claim:
      'With its mask turned round, the policy gradient acts on what the world said, and the actions learn nothing.',
    finding: 'mask-bugs-seen',
  },
  {
    title: 'Mask bug: the mask is turned round',
    arms: [
      actionMask,
      { ...actionMask, id: 'inverted', name: 'Inverted mask', pg: { ...actionMask.pg, action: 0, observation: 1 } },
    ],
  },
);

export const maskBugs: readonly Preset[] = [klOnObservations, inverted];
