/** Distillation from a teacher's whole distribution: the policy told of a success (SDPO, arXiv 2601.20802), and the reference. */
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy } from './preset';

const told = { ...actionMask, distillationTeacher: 'success', distillationDivergence: 'jensen-shannon' } as const;

export const selfDistillation: Preset = {
  id: 'self-distillation',
  claim: 'Can a policy teach itself by reading its attempt again, after one that succeeded?',
  expectation:
    'SDPO (arXiv 2601.20802) asks it of language models, which can read; this policy begins with random weights. In the recorded run of ' +
    'four seeds, whose range stands in brackets, the area under the success curve was 0.19 (0.16 to 0.25) for the action mask, 0.16 (0.15 to 0.17) with the told ' +
    'self as a teacher beside it, 0.14 (0.13 to 0.14) with that teacher alone and 0.18 (0.15 to 0.24) held to the reference. Nothing teaches this policy what a ' +
    'success before its attempt means, so its told self need not know more than it does: watch whether both come to agree where neither ' +
    'says anything. That arm keeps the entropy bonus; without it, in a run of the same seeds, the policy learned as well to say the same whether it is told or not ' +
    '(Jensen–Shannon from 4e-4 to 2e-3 nats at first, 1e-6 to 4e-6 at last), at the success of a random policy. Would a policy that has learned to read, or a longer context, make a teacher of itself? Nothing was searched.',
  experiment: {
    ...baseExperiment,
    preset: 'self-distillation',
    title: 'Can hindsight in words teach?',
    updates: 150,
    environment: environmentOf('gridworld', { size: 5 }),
    policy: smallPolicy,
    batch: { groups: 8, groupSize: 8 },
    arms: [
      actionMask,
      { ...told, id: 'beside', name: 'Told of a success, beside', distillation: 0.3 },
      { ...told, id: 'alone', name: 'Told of a success, alone', distillation: 1, pg: { ...actionMask.pg, action: 0 } },
      { ...actionMask, id: 'reference', name: 'Held to the reference', distillation: 0.3 },
    ],
  },
};
