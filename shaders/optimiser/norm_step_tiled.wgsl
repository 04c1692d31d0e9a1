// Length of a gradient from the sums of its blocks, and the count of the optimiser’s steps, on GPUs.
// The last pass of optimiser/gradient_norm.wgsl and optimiser/adamw_step.wgsl in one dispatch, to the same bits: norm =
// √Σ over the blocks; step += 1 for members that are active and have a finite norm. blocks [P,B], norm, step,
// activeFlag [P,1]. One workgroup of 64 threads per member. Floor: 4·B bytes.
// #include "optimiser/finite.wgsl"

// #write norm, step: f32
// #read blocks: f32; activeFlag: u32
// #params length (B): u32

var<workgroup> partial: array<f32, 64>;
var<workgroup> length: f32;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  var sum = 0.0;
  for (var i = lane; i < params.length; i += 64u) { sum += blocks[p * params.blocksStride + i]; }
  partial[lane] = sum;
  workgroupBarrier();
  if (lane == 0u) {
    var total = 0.0;
    for (var i = 0u; i < 64u; i++) { total += partial[i]; }
    length = sqrt(total);
    norm[p * params.normStride] = length;
  }
  // Read again after a barrier: of a number just computed a compiler may assume that it is finite.
  workgroupBarrier();
  if (lane != 0u || activeFlag[p * params.activeFlagStride] == 0u || !isFinite(length)) { return; }
  step[p * params.stepStride] += 1.0;
}
