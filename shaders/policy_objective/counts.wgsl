// Counts the tokens and trajectories that a loss is averaged over.
// Counts for the aggregation. Stage 0, one thread per trajectory b: scratch[4b …] = (number of carrying tokens, of
// action tokens, Σ old − behaviour log-prob over action tokens, state); the state is 0 in a dropped group, 1 if not
// usable, else 2, and the others are 0 unless it is 2. Stage 1, one thread per member: scratch[4B …] = (tokens N and
// trajectories S for carrying tokens, N and S for action tokens), S by countedSequences. roles, log-probs [P,B,T].
// Floor: 12·B·T bytes. policy_objective/weights.wgsl makes weights of them.
// #include "lib/grid.wgsl"
// #include "policy_objective/decoding.wgsl"

// #write scratch: f32
// #read roles, groupStart: u32; group, outcomes, oldLogProb, behaviourLogProb: f32
// #params trajectories (B), context (T), groups, stage: u32

fn countTrajectory(p: u32, b: u32) {
  var g = 0u;
  while (g + 1u < params.groups && groupStart[p * params.groupStartStride + g + 1u] <= b) { g++; }
  let isKept = group[p * params.groupStride + g * GROUP_COLUMNS + GROUP_KEPT] != 0.0;
  let isUsable = outcomes[p * params.outcomesStride + b * OUTCOME_COLUMNS + OUTCOME_USABLE] != 0.0;
  let corrects = correctionOf(p) != DECODING_CORRECTION_NONE;
  var carrying = 0u;
  var actions = 0u;
  var decoding = 0.0;
  if (isKept && isUsable) {
    for (var at = b * params.context; at < (b + 1u) * params.context; at++) {
      let role = roles[p * params.rolesStride + at];
      if (roleWeightOf(p, role) != 0.0) { carrying++; }
      if (!isDrawn(role)) { continue; }
      actions++;
      if (corrects) {
        let recorded = behaviourLogProb[p * params.behaviourLogProbStride + at];
        decoding += oldLogProb[p * params.oldLogProbStride + at] - recorded;
      }
    }
  }
  let to = p * params.scratchStride + 4u * b;
  scratch[to] = f32(carrying);
  scratch[to + 1u] = f32(actions);
  scratch[to + 2u] = decoding;
  scratch[to + 3u] = select(select(1.0, 2.0, isUsable), 0.0, !isKept);
}

fn countBatch(p: u32) {
  let all = choiceOf(p, HYPER_COUNTED_SEQUENCES) == COUNTED_SEQUENCES_ALL;
  let first = p * params.scratchStride;
  var totals = vec4f();
  for (var b = 0u; b < params.trajectories; b++) {
    let carrying = scratch[first + 4u * b];
    let actions = scratch[first + 4u * b + 1u];
    let counts = scratch[first + 4u * b + 3u] > 0.0;
    totals += vec4f(
      carrying, select(0.0, 1.0, counts && (all || carrying > 0.0)),
      actions, select(0.0, 1.0, counts && (all || actions > 0.0)),
    );
  }
  for (var k = 0u; k < 4u; k++) { scratch[first + 4u * params.trajectories + k] = totals[k]; }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = lineOf(block) * 64u + lane;
  if (params.stage == 0u) {
    if (i < params.trajectories) { countTrajectory(block.z, i); }
  } else if (i == 0u) {
    countBatch(block.z);
  }
}
