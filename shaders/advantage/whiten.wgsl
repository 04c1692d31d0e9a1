// Normalises the advantages once more, where whitening is on.
// advantage [P,B,T] (in place) = (advantage − mean)/deviation, over action tokens of the batch or the task, or over
// trajectories, from the spreads in scratch. Under credit outcome and those of turns, returns = advantage. A workgroup
// per trajectory; its lanes share the trajectories, then its tokens. Floor: 8·B·T bytes.
// #include "lib/grid.wgsl"
// #include "advantage/scratch.wgsl"
// #include "advantage/mask.wgsl"
// #include "advantage/spread.wgsl"
// #include "advantage/gather_lanes.wgsl"

// #write advantage, returns: f32
// #read scratch: f32; roles, groupStart: u32
// #params trajectories, context, turns: u32

fn numberOf(p: u32, b: u32, column: u32) -> f32 { return scratch[trajectoryAt(p, b, column)]; }

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let b = lineOf(group);
  let choice = choiceOf(p, HYPER_WHITENING);
  if (b >= params.trajectories || choice == WHITENING_NONE) { return; }
  var first = 0u;
  var end = params.trajectories;
  if (choice == WHITENING_TASK_TOKENS) {
    let g = u32(numberOf(p, b, TRAJECTORY_GROUP));
    first = groupStart[p * params.groupStartStride + g];
    end = groupStart[p * params.groupStartStride + g + 1u];
  }
  // Each trajectory counts as one number, its mean.
  let byTrajectory = choice == WHITENING_TRAJECTORIES || choice == WHITENING_TRAJECTORY_SCALE;

  // ±1e30: no number yet.
  var sums = vec4f(0.0, 0.0, 1e30, -1e30);
  for (var i = first + lane; i < end; i += LANES) {
    let count = numberOf(p, i, TRAJECTORY_SPREAD_COUNT);
    if (count == 0.0) { continue; }
    let mean = numberOf(p, i, TRAJECTORY_SPREAD_MEAN);
    let n = select(count, 1.0, byTrajectory);
    let low = select(numberOf(p, i, TRAJECTORY_SPREAD_LOW), mean, byTrajectory);
    let high = select(numberOf(p, i, TRAJECTORY_SPREAD_HIGH), mean, byTrajectory);
    sums = vec4f(sums.x + n, sums.y + n * mean, min(sums.z, low), max(sums.w, high));
  }
  let all = gatherLanes(lane, sums);
  let isEqual = all.z >= all.w;
  // Mean 0 where no trajectory has an action token.
  var mean = select(all.z, 0.0, all.x == 0.0);
  if (!isEqual) { mean = all.y / all.x; }
  var squares = vec4f();
  for (var i = first + lane; i < end; i += LANES) {
    let count = numberOf(p, i, TRAJECTORY_SPREAD_COUNT);
    if (count == 0.0 || isEqual) { continue; }
    let d = numberOf(p, i, TRAJECTORY_SPREAD_MEAN) - mean;
    squares.x += select(numberOf(p, i, TRAJECTORY_SPREAD_SQUARES) + count * d * d, d * d, byTrajectory);
  }
  let allSquares = gatherLanes(lane, squares);
  if (numberOf(p, b, TRAJECTORY_USED) == 0.0) { return; }

  let spread = Spread(all.x, mean, allSquares.x, isEqual);
  let scale = reciprocal(
    divisorOf(spread, choiceOf(p, HYPER_WHITENING_DEVIATION), hyperOf(p, HYPER_WHITENING_EPSILON)));
  let subtracted = select(mean, 0.0, choice == WHITENING_TRAJECTORY_SCALE);
  let added = select(0.0, mean, choice == WHITENING_TOKENS_KEEP_MEAN);
  let isCarried = choiceOf(p, HYPER_OFF_MASK) == OFF_MASK_CARRIED;
  let isReturned = returnsAdvantage(choiceOf(p, HYPER_ADVANTAGE_CREDIT));
  for (var t = lane; t < params.context; t += LANES) {
    let role = roleAt(p, b, t);
    if (!isMasked(p, role) && !(isCarried && isTarget(role))) { continue; }
    let token = b * params.context + t;
    let x = (advantage[p * params.advantageStride + token] - subtracted) * scale + added;
    advantage[p * params.advantageStride + token] = x;
    if (isReturned) { returns[p * params.returnsStride + token] = x; }
  }
}
