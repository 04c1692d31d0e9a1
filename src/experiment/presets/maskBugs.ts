/**
 * Masks that real trainers got wrong, as their trackers tell: each beside the same arm with the mask as it was meant. Small
 * enough for two processor cores.
 */
import type { Experiment } from '../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy, worldModel } from './preset';

type Described = Pick<Preset, 'claim' | 'expectation' | 'finding'>;

function bug(id: string, described: Described, differences: Pick<Experiment, 'title' | 'arms'>): Preset {
  const experiment = { ...baseExperiment, preset: id, seeds: 2, updates: 150, policy: smallPolicy, ...differences };
  return { id, ...described, experiment };
}

const held = { ...worldModel, id: 'kl-on-actions', name: 'KL on actions', klCoefficient: 0.1 };

const klOnObservations = bug(
  'mask-bug-kl',
  {
    claim: 'A KL penalty whose mask was forgotten holds the policy’s predictions of the world to those of its start.',
    expectation:
      'A KL loss without its mask was found in Search-R1 (#21) and slime (#1372). Eight seeds of 150 updates, as ' +
      'measured over the last 20: with the KL on actions alone cross-entropy on observations ended at 0.68 nats, with ' +
      'the same weight on observations too at 1.54, because the reference knows nothing of the world: +0.86 (95% ' +
      'interval +0.78 to +0.94). Success does not tell them apart: 23% and 25%.',
    finding: 'mask-bugs-seen',
  },
  {
    title: 'Mask bug: the KL penalty sees observations',
    arms: [
      held,
      { ...held, id: 'kl-on-observations', name: 'KL on observations too', kl: { ...held.kl, observation: 1 } },
    ],
  },
);

const inverted = bug(
  'mask-bug-inverted',
  {
    claim:
      'With its mask turned round, the policy gradient acts on what the world said, and the actions learn nothing.',
    expectation:
      'A mask turned round was found in RAGEN (#71). Eight seeds of 150 updates, as measured over the last 20: ' +
      'cross-entropy on observations ended at 19.79 nats, at 3.93 with the mask as it was meant, because what the world ' +
      'said in a bad episode is made less likely, and nothing in the loss bounds it. Success ended at 10%, where random ' +
      'moves are, and at 29% with the mask as it was meant.',
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
