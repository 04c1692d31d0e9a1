/**
 * Masks that real trainers got wrong, as their trackers tell: each beside the same arm with the mask as it was meant. Small
 * enough for two processor cores.
 */
import type { Experiment } from '../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy, worldModel } from './preset';

type Described = Pick<Preset, 'claim' | 'expectation'>;

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
      'A KL loss without its mask was found in Search-R1 (#21) and slime (#1372). Four seeds of 150 updates, as measured: with the KL ' +
      'on actions alone, cross-entropy on observations falls from 3.9 to between 0.52 and 0.60 nats; with the same weight on ' +
      'observations too it stays between 1.45 and 1.82, because the reference knows nothing of the world. Success does not separate them: ' +
      '14% to 20% against 14% to 46%.',
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
      'A mask turned round was found in RAGEN (#71). Four seeds of 150 updates, as measured: success stays at the 10% to 11% of random ' +
      'moves, against 15% to 56% with the mask as it was meant, and cross-entropy on observations rises from 3.9 to between 20.1 ' +
      'and 21.2 nats, because what the world said in a bad episode is made less likely, and nothing in the loss bounds it.',
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
