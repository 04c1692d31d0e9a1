/** The world-model loss before its weight over many tokens at once, from the form's text. */
import { type TokenLoss, tokenEvaluator, tokenLoss } from '../../../formula/tokenLoss';
import type { ChoiceOf } from '../../../hyperparameters/columns';
import { numbersIn } from '../../../hyperparameters/surrogateTexts';
import { FORM_NUMBERS, FORM_TEXTS } from '../../../hyperparameters/worldModel';
import type { WorldModelMember } from './member';

/** Outputs of a form, one number a token. */
export const FORM_OUTPUTS = { loss: 'loss', byLogProb: 'by logp' } as const;

function formLoss({ lines }: { readonly lines: readonly string[] }): TokenLoss {
  const parameters = numbersIn(FORM_NUMBERS, lines).map((name) => `param ${name} = 0 in [0, 1]`);
  return tokenLoss([...parameters, ...lines].join('\n'), ['logp']);
}

export const FORMS = Object.entries(FORM_TEXTS).map(([form, text]) => {
  const loss = formLoss(text);
  return { form: form as ChoiceOf<'worldModelForm'>, loss, evaluate: tokenEvaluator(loss) };
});

/** Inputs of a form, one number a token. */
export interface PredictedTokens {
  readonly logProb: Float64Array;
  readonly oldLogProb: Float64Array;
}

/** Outputs of a member's form on the first `count` tokens; arrays are valid until the next call. */
export function formLosses(
  count: number,
  { logProb, oldLogProb }: PredictedTokens,
  member: WorldModelMember,
): (output: keyof typeof FORM_OUTPUTS) => Float64Array {
  const own = FORMS.find(({ form }) => form === member.worldModelForm) as (typeof FORMS)[number];
  const numbers = Object.entries(FORM_NUMBERS).map(([name, setting]) => [name, member[setting]]);
  const read = own.evaluate(count, { logp: logProb, old_logp: oldLogProb }, Object.fromEntries(numbers));
  return (output) => read(FORM_OUTPUTS[output]);
}
