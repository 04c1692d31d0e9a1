// Length of a gradient, or of the difference of two vectors.
// ‖a‖₂ or ‖a − b‖₂ in two passes of this kernel with a fixed order. First: out[block] = Σ (a − b)² over 1,024 elements;
// then: out[0] = √Σ over the blocks. One workgroup per block, each thread every 64th element, then thread 0 adds the
// 64. a, b [P,N], out [P,blocks] and [P,1]. Floor: 4·N bytes (8·N with b), 2·N flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"

// #write out: f32
// #read a, b: f32
// #params aOffset, bOffset, length, block, subtract: u32
// #params last (second pass: a already holds squares, the result is a root): u32

var<workgroup> partial: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let line = lineOf(group);
  let first = line * params.block;
  if (first >= params.length) { return; }
  let end = min(first + params.block, params.length);
  var sum = 0.0;
  for (var i = first + lane; i < end; i += 64u) {
    var value = a[p * params.aStride + params.aOffset + i];
    if (params.subtract != 0u) { value -= b[p * params.bStride + params.bOffset + i]; }
    sum += select(value * value, value, params.last != 0u);
  }
  partial[lane] = sum;
  workgroupBarrier();
  if (lane != 0u) { return; }
  var total = 0.0;
  for (var i = 0u; i < 64u; i++) { total += partial[i]; }
  out[p * params.outStride + line] = select(total, sqrt(total), params.last != 0u);
}
