// The correction for decoding: what a token's loss is multiplied by because decoding gave it another log-prob;
// src/tensor/objective/policy/correction.ts is the same.
// #include "policy_objective/ratio.wgsl"

// c = exp of (old − behaviour) log-prob is taken of no more than this: verl's bound.
const DECODING_LIMIT = 20.0;

fn correctionOf(p: u32) -> u32 { return choiceOf(p, HYPER_DECODING_CORRECTION); }

// From the token's own old − behaviour log-prob, and the sum and number of them in its trajectory.
fn decodingFactor(p: u32, own: f32, sum: f32, tokens: f32) -> f32 {
  let correction = correctionOf(p);
  if (correction == DECODING_CORRECTION_NONE) { return 1.0; }
  let low = hyperOf(p, HYPER_DECODING_LOW);
  let high = orElse(hyperOf(p, HYPER_DECODING_HIGH), 3e38);
  let mean = sum / max(tokens, 1.0);
  if (correction == DECODING_CORRECTION_SEQUENCE_MASK) {
    let geometric = exp(min(mean, DECODING_LIMIT));
    return select(0.0, exp(min(own, DECODING_LIMIT)), geometric >= low && geometric <= high);
  }
  let level = choiceOf(p, HYPER_DECODING_LEVEL);
  let whole = select(mean, sum, level == DECODING_LEVEL_SEQUENCE);
  let c = exp(min(select(whole, own, level == DECODING_LEVEL_TOKEN), DECODING_LIMIT));
  // Not clamp, which is not the same on every device where the bounds are crossed.
  if (correction == DECODING_CORRECTION_TRUNCATE) { return min(max(c, low), high); }
  return select(0.0, c, c >= low && c <= high);
}
