// The surrogate and what it needs, shared by token_objective.wgsl (derivatives) and token_terms.wgsl (values).
// #include "layout.wgsl"
// #include "hyper.wgsl"

struct Surrogate {
  loss: f32,
  derivative: f32,
  isClipped: bool,
}

// The log-ratio as exp takes it, and whether that has a derivative: 1 within ±LOG_RATIO_LIMIT, 0 outside. verl's clamp.
fn clamped(logRatio: f32) -> f32 { return clamp(logRatio, -f32(LOG_RATIO_LIMIT), f32(LOG_RATIO_LIMIT)); }
fn isWithin(logRatio: f32) -> bool { return abs(logRatio) <= f32(LOG_RATIO_LIMIT); }

// max(−A·ratio, −A·clip(ratio, 1 − low, 1 + high)), its derivative by log-prob, and which branch it is (arXiv
// 1707.06347).
fn surrogateOf(p: u32, logRatio: f32, advantage: f32) -> Surrogate {
  let ratio = exp(clamped(logRatio));
  let low = 1.0 - hyperOf(p, HYPER_CLIP_LOW);
  let high = 1.0 + hyperOf(p, HYPER_CLIP_HIGH);
  let plain = -advantage * ratio;
  let bounded = -advantage * clamp(ratio, low, high);
  let isClipped = bounded > plain;
  return Surrogate(max(plain, bounded), select(0.0, plain, !isClipped && isWithin(logRatio)), isClipped);
}

// exp(d) − d − 1, by its series where the difference would cancel (k3 of joschu.net/blog/kl-approx.html).
fn k3(d: f32) -> f32 {
  if (abs(d) < 0.1) { return d * d * (0.5 + d * (1.0 / 6.0 + d * (1.0 / 24.0 + d * (1.0 / 120.0 + d / 720.0)))); }
  return exp(d) - d - 1.0;
}
