/** Judgement of a loss while it is written, before it is applied: its mistakes, and what it would do. */
import { type LossReach, reachOf } from '../../experiment/arm/lossReach';
import { formulaOf, parameterValues, weightIn } from '../../experiment/arm/ownLosses';
import type { Experiment } from '../../experiment/experiment';
import type { Formula } from '../../formula/compile';
import { FormulaError } from '../../formula/error';
import { ROLES, type Role } from '../../foundation/roles';
import { type FormulaDraft, problemsOf } from './formulaDesk';

export interface LossJudgement {
  /** Formula; null where the text has a mistake. */
  readonly formula: Formula | null;
  readonly mistake: FormulaError | null;
  /** Reach of the loss in its arm; null where the text has a mistake. */
  readonly reach: LossReach | null;
  /** Reasons why the loss cannot be applied; none where it can. */
  readonly problems: readonly string[];
}

/** Mistakes of a draft in its experiment, and its reach among the roles that tokens can have there. */
export function judge(experiment: Experiment, draft: FormulaDraft, roles: readonly Role[] = ROLES): LossJudgement {
  const { text, name } = draft.loss;
  try {
    const formula = formulaOf(text);
    const problems = problemsOf(experiment, draft);
    const arm = experiment.arms.find(({ id }) => id === draft.arm);
    if (arm === undefined || problems.length > 0) return { formula, mistake: null, reach: null, problems };
    const weightOf = (role: Role): number => weightIn(arm, draft.loss, role);
    const reach = reachOf(formula, roles, weightOf, parameterValues(draft.loss));
    return { formula, mistake: null, reach, problems: uselessness(reach) };
  } catch (cause) {
    if (!(cause instanceof FormulaError)) throw cause;
    const what = name === '' ? ['The loss needs a name.'] : [];
    const problems = [`The text has a mistake in line ${cause.line}.`, ...what];
    return { formula: null, mistake: cause, reach: null, problems };
  }
}

/** Reasons why a loss that can be read teaches nothing; none if it does. */
function uselessness({ hasGradient, isNeverFinite, broken }: LossReach): string[] {
  if (!hasGradient)
    return [
      'It has no gradient: nothing that the policy does changes it. Let it read logp or entropy, outside of detach(…).',
    ];
  if (!isNeverFinite) return [];
  return [broken === null ? 'It is never finite.' : `It is never finite: line ${broken.line} has “${broken.text}”.`];
}
