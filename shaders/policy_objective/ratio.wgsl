// Ratios from log-ratios, which are clamped first, and the roles that carry a policy gradient; the same in TypeScript:
// ratio.ts, surrogates.ts, segments.ts and member.ts of src/tensor/objective/policy.
// #include "lib/layout.wgsl"
// #include "lib/hyper.wgsl"

// Numbers of a token's segment, as src/tensor/operations/policyObjective.ts describes them.
struct Segment {
  logRatio: f32,
  decoding: f32,
  joint: f32,
  selection: f32,
}

fn numbersOf(segment: Segment) -> vec4f {
  return vec4f(segment.logRatio, segment.decoding, segment.joint, segment.selection);
}

fn choiceOf(p: u32, column: u32) -> u32 { return u32(hyperOf(p, column)); }

// x, or another number where x is 0.
fn orElse(x: f32, otherwise: f32) -> f32 { return select(x, otherwise, x == 0.0); }

// (exp of the clamped log-ratio, derivative of the clamp: 1 inside and on the edge, 0 outside).
fn ratioOf(p: u32, logRatio: f32) -> vec2f {
  let choice = choiceOf(p, HYPER_LOG_RATIO_CLAMP);
  var low = -1e30;
  var high = EXPONENT_RATIO;
  if (choice == LOG_RATIO_CLAMP_WITHIN_20) {
    low = -EXPONENT_LOG_RATIO;
    high = EXPONENT_LOG_RATIO;
  } else if (choice == LOG_RATIO_CLAMP_BELOW_10) {
    high = EXPONENT_SEGMENT;
  }
  return vec2f(exp(clamp(logRatio, low, high)), select(0.0, 1.0, logRatio >= low && logRatio <= high));
}

// A token's own log-ratio as the metrics report it.
fn reportedLogRatio(p: u32, logRatio: f32) -> f32 {
  let limit = EXPONENT_LOG_RATIO;
  let clamps = choiceOf(p, HYPER_LOG_RATIO_CLAMP) == LOG_RATIO_CLAMP_WITHIN_20;
  return select(logRatio, clamp(logRatio, -limit, limit), clamps);
}

// k3 estimate exp(d) − 1 − d, by its series where the difference would cancel.
fn klOfLogRatio(d: f32) -> f32 {
  if (abs(d) < 0.1) { return d * d * (0.5 + d * (1.0 / 6.0 + d * (1.0 / 24.0 + d * (1.0 / 120.0 + d / 720.0)))); }
  return exp(min(d, EXPONENT_RATIO)) - 1.0 - d;
}

// Policy-gradient weight of a role; 0 for a role that is never a target.
fn roleWeightOf(p: u32, role: u32) -> f32 {
  if (!isTarget(role)) { return 0.0; }
  return hyperOf(p, HYPER_POLICY_GRADIENT + role);
}

// Role of a row as a target: none at a trajectory's first token.
fn targetRole(row: vec4u) -> u32 { return select(roleOf(row.w), NO_ROLE, row.y == 0u); }

// Kind of segment whose tokens share one ratio. gmpo and vespo need more than a token: `token` is `sequence` for them.
fn ratioLevelOf(p: u32) -> u32 {
  let surrogate = choiceOf(p, HYPER_SURROGATE);
  let level = choiceOf(p, HYPER_RATIO_LEVEL);
  let isJoint = surrogate == SURROGATE_GMPO || surrogate == SURROGATE_VESPO;
  return select(level, RATIO_LEVEL_SEQUENCE, isJoint && level == RATIO_LEVEL_TOKEN);
}

// True if the segment's ratio is differentiated.
fn isShared(p: u32) -> bool {
  return choiceOf(p, HYPER_SURROGATE) == SURROGATE_GMPO || (ratioLevelOf(p) != RATIO_LEVEL_TOKEN &&
    choiceOf(p, HYPER_RATIO_GRADIENT) == RATIO_GRADIENT_DIFFERENTIABLE);
}
