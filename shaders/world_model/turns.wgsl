// Chooses the turns after the most uncertain actions.
// Choice of the N most uncertain turns of the batch or group, N = max(1, nearest(worldModelTurnShare · turns)), the
// earlier of two equals first: in scratch [P,B·trajectoryStride] a turn's uncertainty becomes 1 or 0. The N-th key is
// found bit by bit, then the place of the last turn taken with that key; each bit counts turns once. One workgroup per
// group, or a member's first for the whole batch; a thread takes every 64th trajectory. Floor: 4 bytes a turn, read 57
// times.
// #include "lib/grid.wgsl"
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"
// #include "world_model/scratch.wgsl"

// #write scratch: f32
// #read groupStart: u32
// #params trajectories (B), groups, trajectoryStride (elements of scratch a trajectory takes): u32

const LANES = 64u;
const PLACE_BITS = 24u;

var<workgroup> tally: atomic<u32>;

// Σ over the workgroup; integers, so the order does not matter.
fn total(lane: u32, mine: u32) -> u32 {
  workgroupBarrier();
  if (lane == 0u) { atomicStore(&tally, 0u); }
  workgroupBarrier();
  atomicAdd(&tally, mine);
  workgroupBarrier();
  return atomicLoad(&tally);
}

// Integer in the opposite order of the float, one for both zeros: the most uncertain turn has the smallest.
fn keyOf(at: u32) -> u32 {
  let x = scratch[at];
  if (x == 0.0) { return 0x7fffffffu; }
  let bits = bitcast<u32>(x);
  return select(0x7fffffffu - bits, bits, (bits >> 31u) != 0u);
}

fn placeOf(b: u32, k: u32) -> u32 { return b * (params.trajectoryStride - TRAJECTORY_COUNTS) + k; }

// Turns of this lane's trajectories with a key below `key`, or with that key and a place before `place`.
fn countBefore(p: u32, lane: u32, bounds: vec2u, key: u32, place: u32) -> u32 {
  var before = 0u;
  for (var b = bounds.x + lane; b < bounds.y; b += LANES) {
    let turns = u32(scratch[scratchAt(p, b, TURNS)]);
    for (var k = 0u; k < turns; k++) {
      let own = keyOf(scratchAt(p, b, TRAJECTORY_COUNTS + k));
      if (own < key || (own == key && placeOf(b, k) < place)) { before++; }
    }
  }
  return before;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = workgroup.z;
  let g = lineOf(workgroup);
  if (g >= params.groups || !choosesTurns(p)) { return; }
  var bounds = vec2u(0u, params.trajectories);
  if (u32(hyperOf(p, HYPER_WORLD_MODEL_TURN_SCOPE)) == WORLD_MODEL_TURN_SCOPE_GROUP) {
    let at = p * params.groupStartStride + g;
    bounds = vec2u(groupStart[at], groupStart[at + 1u]);
  } else if (g > 0u) {
    return;
  }

  var mine = 0u;
  for (var b = bounds.x + lane; b < bounds.y; b += LANES) { mine += u32(scratch[scratchAt(p, b, TURNS)]); }
  let all = total(lane, mine);
  let wanted = u32(max(1.0, floor(hyperOf(p, HYPER_WORLD_MODEL_TURN_SHARE) * f32(all) + 0.5001)));
  // The last turn that is chosen has this many before it.
  let rank = max(1u, min(wanted, all)) - 1u;
  var key = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    let tried = key | (0x80000000u >> bit);
    let before = total(lane, countBefore(p, lane, bounds, tried, 0u));
    key = select(key, tried, before <= rank);
  }
  var place = 0u;
  for (var bit = 0u; bit < PLACE_BITS; bit++) {
    let tried = place | (1u << (PLACE_BITS - 1u - bit));
    let before = total(lane, countBefore(p, lane, bounds, key, tried));
    place = select(place, tried, before <= rank);
  }
  for (var b = bounds.x + lane; b < bounds.y; b += LANES) {
    let turns = u32(scratch[scratchAt(p, b, TURNS)]);
    for (var k = 0u; k < turns; k++) {
      let at = scratchAt(p, b, TRAJECTORY_COUNTS + k);
      let own = keyOf(at);
      let isChosen = own < key || (own == key && placeOf(b, k) <= place);
      scratch[at] = select(0.0, 1.0, isChosen);
    }
  }
}
