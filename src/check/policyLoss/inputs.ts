/** What a policy-loss case gives: flat arrays [B,T], whatever the project calls them, and settings by name. */
import { flagOf, inputOf, numberIn, tableOf } from '../arrays';
import { type Fixture, invalid } from '../format';

export interface PolicyLossInputs {
  readonly B: number;
  readonly T: number;
  /** 1 on the tokens that the loss is over. */
  readonly mask: Float32Array;
  readonly logProb: Float32Array;
  readonly oldLogProb: Float32Array;
  /** One a token. */
  readonly advantage: Float32Array;
  readonly behaviourLogProb: Float32Array;
  /**
   * Where a given correction for decoding went: into behaviourLogProb, or, if decoding's own log-probs are given besides,
   * into policyFactor, one factor a token of the policy loss.
   */
  readonly correction: 'none' | 'behaviour' | 'factor';
  readonly policyFactor: Float32Array | null;
  readonly referenceLogProb: Float32Array;
  readonly entropy: Float32Array;
}

/** A setting that is a number; null and absent are the value given. */
export function numberOf<D>(fixture: Fixture, name: string, otherwise: D): number | D {
  return numberIn(fixture, fixture.params[name], name) ?? otherwise;
}

/** A setting inside another one, such as policy_loss.dro_beta. */
export function innerNumberOf<D>(fixture: Fixture, outer: string, name: string, otherwise: D): number | D {
  const inner = fixture.params[outer] ?? {};
  if (typeof inner !== 'object')
    throw invalid(`${fixture.name} has the ${outer} ${JSON.stringify(inner)}, no settings`);
  return numberIn(fixture, (inner as Record<string, unknown>)[name], `${outer}.${name}`) ?? otherwise;
}

/** Inputs that may have one number a sequence. */
const BY_SEQUENCE = ['advantages', 'old_logps', 'rollout_is_weights', 'importance_sampling_ratio'];

export function inputsOf(fixture: Fixture): PolicyLossInputs {
  const shaped = ['log_prob', 'vpreds'].find((name) => name in fixture.inputs);
  if (shaped === undefined) throw invalid(`${fixture.name} has neither log-probs nor values`);
  const [B, T] = tableOf(fixture, shaped);
  const given = (...names: readonly string[]): Float32Array | undefined => {
    const name = names.find((one) => one in fixture.inputs);
    if (name === undefined) return undefined;
    const lengths = BY_SEQUENCE.includes(name) ? [B, B * T] : [B * T];
    return Float32Array.from(inputOf(fixture, name, ...lengths));
  };
  const zeros = new Float32Array(B * T);
  const logProb = given('log_prob') ?? zeros;
  const mask = maskOf(given, B * T);
  const advantage = given('advantages') ?? zeros;
  const whole = given('old_logps');
  const oldLogProb = whole ? onFirstTokens(whole, mask, T) : (given('old_log_prob') ?? logProb);
  const isCorrected = flagOf(fixture, 'vllm_importance_sampling_correction', true);
  const factor = isCorrected ? given('rollout_is_weights', 'importance_sampling_ratio') : given('rollout_is_weights');
  const behaviour = given('rollout_log_prob', 'sampling_log_prob');
  const isFactor = factor !== undefined && behaviour !== undefined && fixture.params.loss !== 'vespo';
  const correction = isFactor ? undefined : factor;
  return {
    B,
    T,
    mask,
    logProb,
    oldLogProb,
    // prime-rl's weight of the policy term.
    advantage: perToken(advantage, B, T).map((value) => value * numberOf(fixture, 'adv_tau', 1)),
    behaviourLogProb: correction
      ? behaviourOf(correction, { isVespo: fixture.params.loss === 'vespo', old: oldLogProb, mask, B, T })
      : (behaviour ?? oldLogProb),
    correction: isFactor ? 'factor' : correction ? 'behaviour' : 'none',
    policyFactor: isFactor ? perToken(factor, B, T) : null,
    referenceLogProb: given('ref_log_prob') ?? logProb,
    entropy: given('entropy') ?? zeros,
  };
}

function maskOf(given: (name: string) => Float32Array | undefined, size: number): Float32Array {
  const response = given('response_mask');
  if (response) return response;
  const [completion, tool] = [given('completion_mask'), given('tool_mask')];
  if (!completion) return new Float32Array(size).fill(1);
  return tool ? completion.map((value, i) => value * tool[i]) : completion;
}

/** One number a token, where the case has one a sequence. */
function perToken(values: Float32Array, B: number, T: number): Float32Array {
  if (values.length === B * T) return values;
  return Float32Array.from({ length: B * T }, (_, i) => values[Math.floor(i / T)]);
}

/** A number of a whole sequence as numbers of its tokens that add up to it: all of it on the first. */
function onFirstTokens(whole: Float32Array, mask: Float32Array, T: number): Float32Array {
  return mask.map((_, i) => {
    const b = Math.floor(i / T);
    return mask.indexOf(1, b * T) === i ? whole[b] : 0;
  });
}

/** exp of no less than this is 0 in float32. */
const LOG_ZERO = -1000;

interface Correction {
  readonly isVespo: boolean;
  readonly old: Float32Array;
  readonly mask: Float32Array;
  readonly B: number;
  readonly T: number;
}

/**
 * The log-probs decoding would have had to record for the correction to be the given factor, one a token or a sequence.
 * TRL's vespo takes the product over the tokens, masked ones included, or a sequence's own factor once: both stand on the
 * sequence's first token.
 */
function behaviourOf(factor: Float32Array, { isVespo, old, mask, B, T }: Correction): Float32Array {
  const logOf = (value: number): number => (value > 0 ? Math.log(value) : LOG_ZERO);
  const log = Array.from(perToken(factor, B, T), logOf);
  for (let b = 0; isVespo && b < B; b++) {
    const own = { first: b * T, end: (b + 1) * T };
    const to = mask.indexOf(1, own.first);
    if (to < 0 || to >= own.end) continue;
    if (factor.length === B * T) {
      for (let i = own.first; i < own.end; i++) if (mask[i] !== 1) log[to] += log[i];
    } else log.fill(0, to + 1, own.end);
  }
  return old.map((value, i) => value - log[i]);
}
