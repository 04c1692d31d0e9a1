/** Distillation: the policy drawn to a teacher's probabilities of all words, where it drew one. */
import { choice, isAbove, onHost, real } from './setting';

const weight = onHost(
  real({
    label: 'Distillation δ',
    help: 'Adds δ times the mean divergence from a teacher’s probabilities of all words, over the tokens that the policy drew, with its exact gradient. 0 is none.',
    default: 0,
    min: 0,
    max: 10,
    soft: [0, 1],
    step: 0.05,
  }),
);

const when = isAbove(weight);

/** Formulas as in operations/distillation.ts: π is the policy, q the teacher. Kernels know them by their places. */
const divergence = onHost(
  choice(
    'Divergence',
    'Which way the distance is measured. Reverse seeks one of the teacher’s modes, forward covers all of them (SDPO, arXiv 2601.20802, has all three).',
    {
      reverse: 'reverse: KL(policy ‖ teacher)',
      forward: 'forward: KL(teacher ‖ policy)',
      'jensen-shannon': 'Jensen–Shannon: from both to their mean',
    },
    { when },
  ),
);

export type DivergenceName = (typeof divergence.choices)[number];

export const DIVERGENCES: readonly DivergenceName[] = divergence.choices;

export const DISTILLATION = {
  /** δ of δ · mean of D over a member's drawn tokens that a teacher has read; 0: none. Its passes: rl/learn/distillation. */
  distillation: weight,
  distillationTeacher: onHost(
    choice(
      'Teacher',
      'The reference policy, which may come from a file, reading what the policy read. Or the policy as it is, reading the same again after an episode of the group that succeeded: self-distillation (SDPO).',
      {
        reference: 'the reference policy',
        success: 'itself, told of a success (SDPO)',
      },
      { when },
    ),
  ),
  distillationDivergence: divergence,
} as const;

export type TeacherName = (typeof DISTILLATION.distillationTeacher.choices)[number];
