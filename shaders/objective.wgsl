// The surrogate and what it needs, shared by token_objective.wgsl (derivatives) and token_terms.wgsl (values).
// #include "layout.wgsl"
// #include "hyper.wgsl"

struct Surrogate {
  loss: f32,
  derivative: f32,
  clipped: bool,
}

// max(−A·ratio, −A·clip(ratio, 1 − low, 1 + high)), its derivative by log-prob, and which branch it is (arXiv
// 1707.06347).
fn surrogateOf(p: u32, logRatio: f32, advantage: f32) -> Surrogate {
  let ratio = exp(logRatio);
  let low = 1.0 - hyperOf(p, HYPER_CLIP_LOW);
  let high = 1.0 + hyperOf(p, HYPER_CLIP_HIGH);
  let plain = -advantage * ratio;
  let bounded = -advantage * clamp(ratio, low, high);
  let clipped = bounded > plain;
  return Surrogate(max(plain, bounded), select(plain, 0.0, clipped), clipped);
}

// exp(d) − d − 1, by its series where the difference would cancel (k3 of joschu.net/blog/kl-approx.html).
fn k3(d: f32) -> f32 {
  if (abs(d) < 0.1) { return d * d * (0.5 + d * (1.0 / 6.0 + d * (1.0 / 24.0 + d * (1.0 / 120.0 + d / 720.0)))); }
  return exp(d) - d - 1.0;
}
