// Gradient by four logits of one row, as in log_prob/masked_backward.wgsl. `known` = (m, s, dLogProb, dEntropy) and
// `mean` = entropy are from log_prob/fused_backward_rows.wgsl.
// #include "log_prob/fused_logits.wgsl"

fn hasGradient(known: vec4f) -> bool { return !(known.z == 0.0 && known.w == 0.0); }

fn gradientOf(p: u32, x: vec4f, q: u32, row: vec4u, known: vec4f, mean: f32) -> vec4f {
  let inverse = inverseOf(p, row);
  let z = (x - known.x) * inverse - known.y;
  let log = select(z, LOWEST, z < LOWEST);
  let own = select(vec4f(), vec4f(known.z), vec4u(4u * q) + vec4u(0u, 1u, 2u, 3u) == vec4u(row.x));
  let gradient = (exp(log) * (-known.z - known.w * (log + mean)) + own) * inverse;
  return select(vec4f(), gradient, legalFour(row, q));
}
