/** Distillation from a teacher's whole distribution: the policy told of a success (SDPO, arXiv 2601.20802), and the reference. */
import { actionMask, fiveByFive, type Preset } from '../preset';

const told = { ...actionMask, distillationTeacher: 'success', distillationDivergence: 'jensen-shannon' } as const;

export const selfDistillation: Preset = {
  id: 'self-distillation',
  claim: 'Can a policy teach itself by reading its attempt again, after one that succeeded?',
  experiment: {
    ...fiveByFive,
    preset: 'self-distillation',
    title: 'Can hindsight in words teach?',
    arms: [
      actionMask,
      { ...told, id: 'beside', name: 'Told of a success, beside', distillation: 0.3 },
      { ...told, id: 'alone', name: 'Told of a success, alone', distillation: 1, pg: { ...actionMask.pg, action: 0 } },
      { ...actionMask, id: 'reference', name: 'Held to the reference', distillation: 0.3 },
    ],
  },
};
