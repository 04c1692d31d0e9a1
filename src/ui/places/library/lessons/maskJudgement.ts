/** Judgement on a token and a fault that a reader named, by the audit of the batch. */
import type { RuleId, RuleReport } from '../../../../batch/audit/report';
import type { ChosenBatchToken } from '../../../../batch/page/asked';

interface MaskJudgement {
  /** The rule that was found, if token and fault are right. */
  readonly finding: RuleId | null;
  readonly said: string;
}

type Chosen = Pick<ChosenBatchToken, 'trajectory' | 'token' | 'role' | 'numbers'>;

/** `fault`: a rule's name. */
export function judgeMask(rules: readonly RuleReport[], chosen: Chosen, fault: string): MaskJudgement {
  const { trajectory, token, role, numbers } = chosen;
  const weight = numbers.weight || 0;
  const isWrong = (weight !== 0) !== (role === 'action');
  // A shifted mask is told once, at its first token.
  const report = rules.find(
    ({ rule, state, places }) =>
      state === 'found' &&
      places.some(
        (place) => place.trajectory === trajectory && (place.token === token || (rule === 'shift' && isWrong)),
      ),
  );
  const has = `Token ${token} of trajectory ${trajectory} (${role}) has the weight ${weight}`;
  if (!isWrong || report === undefined) return { finding: null, said: `${has}, and should. Look for another.` };
  if (report.rule !== fault) {
    return {
      finding: null,
      said: `${has}, which is wrong. But that is not what is wrong with its mask: look at the tokens around it.`,
    };
  }
  return { finding: report.rule, said: `${has}. So it is: ${report.rule}. ${report.meaning}` };
}
