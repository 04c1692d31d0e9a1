// Activations of the feed-forward layer: 0 none, 1 relu, 2 gelu (tanh form, arXiv 1606.08415), and their derivatives.
// x·(1 + tanh u)/2 is written x·sigmoid(2u), clamped: software WebGPU's tanh(100) is NaN.

fn geluGate(x: vec4f) -> vec4f {
  let u = 1.5957691216057308 * (x + 0.044715 * x * x * x);
  return 1.0 / (1.0 + exp(-clamp(u, vec4f(-80.0), vec4f(80.0))));
}

fn activate(x: vec4f, kind: u32) -> vec4f {
  if (kind == 1u) { return max(x, vec4f()); }
  if (kind == 2u) { return x * geluGate(x); }
  return x;
}

fn activateGradient(x: vec4f, kind: u32) -> vec4f {
  if (kind == 1u) { return select(vec4f(), vec4f(1.0), x > vec4f()); }
  if (kind == 2u) {
    let gate = geluGate(x);
    return gate + x * gate * (1.0 - gate) * 1.5957691216057308 * (1.0 + 0.134145 * x * x);
  }
  return vec4f(1.0);
}

fn activate4(x: mat4x4f, kind: u32) -> mat4x4f {
  return mat4x4f(activate(x[0], kind), activate(x[1], kind), activate(x[2], kind), activate(x[3], kind));
}
