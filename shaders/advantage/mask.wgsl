// Mask of the tokens that have an advantage: targets whose role is action or has a policy-gradient weight. Comments of
// this folder call them action tokens.
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"

fn roleAt(p: u32, b: u32, t: u32) -> u32 { return roles[p * params.rolesStride + b * params.context + t]; }

fn isTarget(role: u32) -> bool { return role <= ROLE_WARNING; }

fn isMasked(p: u32, role: u32) -> bool {
  if (role > ROLE_WARNING) { return false; }
  return role == ROLE_ACTION || hyperOf(p, HYPER_POLICY_GRADIENT + role) != 0.0;
}

// The last token of a run of tokens whose role is action.
fn endsTurn(p: u32, b: u32, t: u32) -> bool {
  if (roleAt(p, b, t) != ROLE_ACTION) { return false; }
  if (t + 1u == params.context) { return true; }
  return roleAt(p, b, t + 1u) != ROLE_ACTION;
}
