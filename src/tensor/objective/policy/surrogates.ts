/**
 * Surrogates over many tokens at once, from their texts (src/hyperparameters/surrogateTexts.ts): losses, derivatives and
 * the bounds that act. Of the same texts webgpu/surrogates.ts makes WGSL. A loss is minimised.
 */
import { type Evaluate, type TokenLoss, tokenEvaluator, tokenLoss } from '../../../formula/tokenLoss';
import type { ChoiceOf } from '../../../hyperparameters/columns';
import { RATIO_BOUNDS } from '../../../hyperparameters/ratio';
import {
  numbersIn,
  SURROGATE_NUMBERS,
  SURROGATE_TEXTS,
  type SurrogateText,
} from '../../../hyperparameters/surrogateTexts';
import type { PolicyMember } from './member';

/** Inputs of a surrogate, one number a token. */
export interface SurrogateTokens {
  /** The segment's log-ratio, x. */
  readonly logRatio: Float64Array;
  readonly logProb: Float64Array;
  /** Log-prob in the ratio's denominator. */
  readonly baseLogProb: Float64Array;
  readonly advantage: Float64Array;
  /** Selection of the token: 0 dropped, 1 usual, 2 with kl-cov's penalty. */
  readonly selection: Float64Array;
}

/** Room for so many tokens. */
export const tokensFor = (most: number): SurrogateTokens => ({
  logRatio: new Float64Array(most),
  logProb: new Float64Array(most),
  baseLogProb: new Float64Array(most),
  advantage: new Float64Array(most),
  selection: new Float64Array(most),
});

/** Outputs of a text, one number a token; bounds are 0 or 1 (surrogateTexts.ts). */
export const SURROGATE_OUTPUTS = {
  loss: 'loss',
  /** ∂loss/∂(log-prob of the token itself), the ratio held fixed. */
  byLogProb: 'by logp',
  /** ∂loss/∂x: of the text with the ratio held fixed, and then with the part through the ratio. */
  byLogRatio: 'by log_ratio',
  byRatio: 'by ratio',
  /** Factor of the advantage, before any bound. */
  ratio: 'factor',
  below: 'below',
  above: 'above',
  clipped: 'clipped',
  dual: 'dual',
} as const;

export type SurrogateOutput = keyof typeof SURROGATE_OUTPUTS;

/** One text of a surrogate. */
export interface SurrogateProgram {
  readonly surrogate: ChoiceOf<'surrogate'>;
  /** The choice under which the surrogate is this; null: under all others. */
  readonly instead: NonNullable<SurrogateText['instead']> | null;
  readonly text: string;
}

/** Every text, in the order of the choices. */
export const SURROGATES: readonly SurrogateProgram[] = (
  Object.entries(SURROGATE_TEXTS) as [ChoiceOf<'surrogate'>, SurrogateText][]
).flatMap(([surrogate, texts]) =>
  [null, ...(texts.instead === undefined ? [] : [texts.instead])].map((instead) => ({
    surrogate,
    instead,
    text: textOf(instead ?? texts, texts.factor),
  })),
);

/** The text with its inputs and shown values. */
function textOf({ lines, bounds = {} }: Pick<SurrogateText, 'lines' | 'bounds'>, factor = 'ratio'): string {
  const all = [
    ...lines,
    ...(['below', 'above', 'clipped', 'dual'] as const).map((name) => `show ${name} = ${bounds[name] ?? '0'}`),
    `show factor = ${factor}`,
  ];
  const parameters = numbersIn(SURROGATE_NUMBERS, all);
  return [...parameters.map((name) => `param ${name} = 0 in [0, 1]`), ...all].join('\n');
}

export const surrogateLoss = ({ text }: SurrogateProgram): TokenLoss =>
  tokenLoss(text, ['logp', 'log_ratio', 'ratio'], ['selection']);

const evaluators = new Map<SurrogateProgram, Evaluate>();

function evaluatorOf(program: SurrogateProgram): Evaluate {
  const evaluate = evaluators.get(program) ?? tokenEvaluator(surrogateLoss(program));
  evaluators.set(program, evaluate);
  return evaluate;
}

/** Outputs of a member's surrogate on the first `count` tokens; arrays are valid until the next call. */
export function surrogatesOf(
  count: number,
  { logRatio, logProb, baseLogProb, advantage, selection }: SurrogateTokens,
  member: PolicyMember,
): (output: SurrogateOutput) => Float64Array {
  const program = SURROGATES.findLast(
    ({ surrogate, instead }) =>
      surrogate === member.surrogate && (instead === null || member[instead.setting] === instead.choice),
  ) as SurrogateProgram;
  const numbers = Object.entries(SURROGATE_NUMBERS).map(([name, number]) => [
    name,
    'zero' in number ? member[number.name] || number.zero : member[number.name],
  ]);
  const [least, most] = RATIO_BOUNDS[member.logRatioClamp];
  const [ratio, byRatio] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) ratio[i] = Math.exp(Math.min(Math.max(logRatio[i], least), most));
  const tokens = { log_ratio: logRatio, ratio, logp: logProb, old_logp: baseLogProb, advantage, selection };
  const read = evaluatorOf(program)(count, tokens, Object.fromEntries(numbers));
  const [beside, through] = [read(SURROGATE_OUTPUTS.byLogRatio), read(SURROGATE_OUTPUTS.byRatio)];
  for (let i = 0; i < count; i++) {
    // The clamp has the derivative 1 inside and on the edge.
    const isInside = logRatio[i] >= least && logRatio[i] <= most;
    byRatio[i] = beside[i] + (isInside ? through[i] * ratio[i] : 0);
  }
  return (output) => (output === 'byRatio' ? byRatio : read(SURROGATE_OUTPUTS[output]));
}
