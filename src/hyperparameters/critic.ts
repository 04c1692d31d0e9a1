/** The critic: weight of its loss, and bound on a value's change. */
import { type Condition, isAbove, real } from './setting';

/** Weight of the value loss beside the policy loss, aggregated alike; 0: no critic is trained (PPO: 0.5 … 1). */
const valueCoefficient = real({
  label: 'Value loss weight',
  help: 'Trains the critic: what the value loss counts beside the policy’s, 0.5 in much PPO code; 0 trains none.',
  default: 0,
  min: 0,
  max: 100,
  soft: [0, 2],
  step: 0.05,
});

export const isCriticTrained: Condition = isAbove(valueCoefficient);

export const CRITIC = {
  valueCoefficient,
  /** ε of the value loss's clip; 0: none (verl's `cliprange_value`, 0.5). */
  valueClip: real({
    label: 'Value clip',
    help: 'How far a value may move from the old one before its loss stops falling: 0.5 in verl; 0 is none.',
    default: 0,
    min: 0,
    max: 1000,
    soft: [0, 2],
    step: 0.05,
    when: isCriticTrained,
  }),
} as const;
