// Correction for decoding: a factor of a token's loss where decoding recorded another log-prob than training finds;
// src/tensor/objective/policy/correction.ts is the same.
// #include "policy_objective/ratio.wgsl"

fn correctionOf(p: u32) -> u32 { return choiceOf(p, HYPER_DECODING_CORRECTION); }

// Factor of one token. gap: its old − behaviour log-prob; sum, count: of the action tokens of its trajectory.
fn decodingFactor(p: u32, gap: f32, sum: f32, count: f32) -> f32 {
  let correction = correctionOf(p);
  if (correction == DECODING_CORRECTION_NONE) { return 1.0; }
  let low = hyperOf(p, HYPER_DECODING_LOW);
  let high = orElse(hyperOf(p, HYPER_DECODING_HIGH), 1e30);
  let mean = sum / max(count, 1.0);
  if (correction == DECODING_CORRECTION_SEQUENCE_MASK) {
    let geometric = exp(min(mean, EXPONENT_DECODING));
    return select(0.0, exp(min(gap, EXPONENT_DECODING)), geometric >= low && geometric <= high);
  }
  let level = choiceOf(p, HYPER_DECODING_LEVEL);
  let whole = select(mean, sum, level == DECODING_LEVEL_SEQUENCE);
  let c = exp(min(select(whole, gap, level == DECODING_LEVEL_TOKEN), EXPONENT_DECODING));
  // No clamp: with low above high, devices differ in its result.
  if (correction == DECODING_CORRECTION_TRUNCATE) { return min(max(c, low), high); }
  return select(0.0, c, c >= low && c <= high);
}
