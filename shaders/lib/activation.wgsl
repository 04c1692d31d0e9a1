// Activations of the feed-forward layer: 0 none, 1 relu, 2 gelu (tanh form, arXiv 1606.08415), and their derivatives.
// x·(1 + tanh u)/2 is written x·sigmoid(2u), its exponential held finite: software WebGPU's tanh(100) is NaN.
// Inner loops of the barrier-free kernels call activate0 … activate2 by the size ACTIVATION: a branch there costs more
// than the arithmetic. Everything else passes the number to `activate`.

fn geluGate(x: vec4f) -> vec4f {
  let minusTwoU = -1.5957691216057308 * (x + 0.044715 * x * x * x);
  return 1.0 / (1.0 + exp(min(minusTwoU, vec4f(80.0))));
}

fn activate0(x: vec4f) -> vec4f { return x; }
fn activate1(x: vec4f) -> vec4f { return max(x, vec4f()); }
fn activate2(x: vec4f) -> vec4f { return x * geluGate(x); }

fn activate(x: vec4f, kind: u32) -> vec4f {
  if (kind == 1u) { return activate1(x); }
  if (kind == 2u) { return activate2(x); }
  return activate0(x);
}

fn activateGradient(x: vec4f, kind: u32) -> vec4f {
  if (kind == 1u) { return select(vec4f(), vec4f(1.0), x > vec4f()); }
  if (kind == 2u) {
    let gate = geluGate(x);
    return gate + x * gate * (1.0 - gate) * 1.5957691216057308 * (1.0 + 0.134145 * x * x);
  }
  return vec4f(1.0);
}
