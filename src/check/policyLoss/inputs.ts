/** Inputs of a policy-loss case as flat arrays [B,T], by any project's names, and its settings by name. */
import { flagOf, inputOf, numberIn, tableOf } from '../arrays';
import { type Fixture, invalid } from '../format';

export interface PolicyLossInputs {
  readonly B: number;
  readonly T: number;
  /** Mask of the loss: 1 on its tokens. */
  readonly mask: Float32Array;
  readonly logProb: Float32Array;
  readonly oldLogProb: Float32Array;
  /** Advantage of each token. */
  readonly advantage: Float32Array;
  readonly behaviourLogProb: Float32Array;
  /**
   * Place of a given correction for decoding: in behaviourLogProb, or in policyFactor (a factor on each token's policy loss)
   * if decoding's own log-probs are given too.
   */
  readonly correction: 'none' | 'behaviour' | 'factor';
  readonly policyFactor: Float32Array | null;
  readonly referenceLogProb: Float32Array;
  readonly entropy: Float32Array;
}

/** A setting that is a number; `otherwise` where it is null or absent. */
export function numberOf<D>(fixture: Fixture, name: string, otherwise: D): number | D {
  return numberIn(fixture, fixture.params[name], name) ?? otherwise;
}

/** A number inside another setting, such as policy_loss.dro_beta. */
export function innerNumberOf<D>(fixture: Fixture, outer: string, name: string, otherwise: D): number | D {
  const inner = fixture.params[outer] ?? {};
  if (typeof inner !== 'object')
    throw invalid(`${fixture.name} has the ${outer} ${JSON.stringify(inner)}, no settings`);
  return numberIn(fixture, (inner as Record<string, unknown>)[name], `${outer}.${name}`) ?? otherwise;
}

/** Names of inputs that may have one number a sequence. */
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

/** Numbers of each token; those given a sequence are repeated. */
function perToken(values: Float32Array, B: number, T: number): Float32Array {
  if (values.length === B * T) return values;
  return Float32Array.from({ length: B * T }, (_, i) => values[Math.floor(i / T)]);
}

/** Numbers of tokens that add up to one of each sequence: all of it on the first token of the mask. */
function onFirstTokens(whole: Float32Array, mask: Float32Array, T: number): Float32Array {
  return mask.map((_, i) => {
    const b = Math.floor(i / T);
    return mask.indexOf(1, b * T) === i ? whole[b] : 0;
  });
}

/** Log of a factor 0: its exp is 0 in float32. */
const LOG_ZERO = -1000;

interface Correction {
  readonly isVespo: boolean;
  readonly old: Float32Array;
  readonly mask: Float32Array;
  readonly B: number;
  readonly T: number;
}

/**
 * Log-probs of decoding for which the correction is the given factor, of each token or sequence. TRL's vespo multiplies the
 * factors of all tokens, masked ones too, or takes a sequence's factor once. Here the first token of the mask gets the
 * factors of masked tokens, or the sequence's.
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
