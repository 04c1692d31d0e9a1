// Mask of the tokens that have an advantage: targets that were drawn or whose role has a policy-gradient weight.
// Comments of this folder call them action tokens.
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"

fn roleAt(p: u32, b: u32, t: u32) -> u32 { return roles[p * params.rolesStride + b * params.context + t]; }

fn isMasked(p: u32, role: u32) -> bool {
  if (!isTarget(role)) { return false; }
  return isDrawn(role) || hyperOf(p, HYPER_POLICY_GRADIENT + role) != 0.0;
}

// The last token of a run of tokens that were drawn.
fn endsTurn(p: u32, b: u32, t: u32) -> bool {
  if (!isDrawn(roleAt(p, b, t))) { return false; }
  if (t + 1u == params.context) { return true; }
  return !isDrawn(roleAt(p, b, t + 1u));
}
