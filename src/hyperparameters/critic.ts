/** The critic: weight of its loss, bound on a value's change, and the updates that are its own. */
import { type Condition, integer, isAbove, onHost, real } from './setting';

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
  /** VAPO's value pre-training (arXiv 2504.05118); here the value head alone moves, since policy and critic share all before it. */
  criticWarmUp: onHost(
    integer({
      label: 'Critic’s warm-up',
      help: 'Updates at the start that train only the critic; the policy waits (VAPO). 0: none.',
      default: 0,
      min: 0,
      max: 100_000,
      soft: [0, 100],
      when: isCriticTrained,
    }),
  ),
} as const;
