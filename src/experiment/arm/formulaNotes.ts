/** Notes on a user's loss in its arm, to read before it is applied: its cost, and terms that it counts twice. */
import type { Formula } from '../../formula/compile';
import { ROLES } from '../../foundation/roles';
import type { Arm } from '../experiment';
import { type OwnLoss, weightIn } from './ownLosses';
import { learnsFromReward } from './relevance';

export interface FormulaNote {
  /** True for a loss that does something else than it says, or nothing; the others are mere facts. */
  readonly isWarning: boolean;
  readonly text: string;
}

const warning = (text: string): FormulaNote => ({ isWarning: true, text });
const fact = (text: string): FormulaNote => ({ isWarning: false, text });

export function formulaNotes(formula: Formula, { place, on }: OwnLoss, arm: Arm): readonly FormulaNote[] {
  const { reads, nodes, needsScores } = formula;
  const isUnused = ROLES.every((role) => weightIn(arm, { place, on }, role) === 0);
  const notes: FormulaNote[] = [];
  if (isUnused) {
    notes.push(
      warning(
        place === 'added'
          ? 'No role has a weight: give it one, or the loss does nothing.'
          : `No role of this arm has the ${place === 'policy' ? 'policy' : 'prediction'} loss: give one its weight in the table, or let this loss be added.`,
      ),
    );
  }
  for (const role of ['action', 'thought', 'observation'] as const) {
    if (isUnused || !reads.has(`is_${role}`) || weightIn(arm, { place, on }, role) !== 0) continue;
    const mend = place === 'added' ? 'give them a weight' : 'let the loss be added, with a weight on them';
    notes.push(
      warning(
        `The text asks for ${role} tokens, and the loss is used for none of them: that branch never acts. To use it, ${mend}.`,
      ),
    );
  }
  if (reads.has('sampler_logp') && arm.decodingCorrection !== 'none' && place !== 'predict') {
    notes.push(
      warning(
        'The text reads sampler_logp while the arm’s correction for decoding is on: the difference between decoding and training may be counted twice.',
      ),
    );
  }
  if (reads.has('advantage') && !learnsFromReward(arm)) {
    notes.push(
      fact(
        'A is worked out for this formula alone: no role of the arm has a policy gradient. It is the arm’s own estimator’s (Settings, Advantage).',
      ),
    );
  }
  if (reads.has('ref_logp') && arm.referencePolicy === '') {
    const isRandom = arm.startPolicy === '' && arm.warmStart === 'none';
    notes.push(
      fact(
        `The reference is the policy that this arm begins as${isRandom ? ', and that knows nothing yet: it is about as surprised by every token. A warm start, or a policy from a file, makes it tell tokens apart (Settings, Before training)' : ''}.`,
      ),
    );
  }
  if (nodes.some(({ op, level }) => op === 'reduce' && (level === 'group' || level === 'batch'))) {
    const cost = needsScores
      ? ' They read log-probs that are known only after a pass over the whole batch, so such a pass is made first: it costs time.'
      : '';
    notes.push(fact(`Values of a group or of the batch are held fixed: they carry no derivative.${cost}`));
  }
  return notes;
}
