// Adds up a gradient’s parts, always in the same order.
// gradients[i] (=|+=) partials[chunk 0, i] + partials[chunk 1, i] + …, one after the other in chunk order.
// partials [P,chunks,N], gradients [P,N]; a thread takes 4 elements, 64 apart. Floor: 4·N·(chunks + 1) bytes.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"

// #write gradients: f32
// #read partials: f32
// #params gradientsOffset, partialsOffset, length (N), chunks, accumulate: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let first = lineOf(group) * 256u + lane;
  let end = min(first + 256u, params.length);
  for (var i = first; i < end; i += 64u) {
    let at = p * params.gradientsStride + params.gradientsOffset + i;
    var base = p * params.partialsStride + params.partialsOffset + i;
    var sum = 0.0;
    if (params.accumulate != 0u) { sum = gradients[at]; }
    for (var chunk = 0u; chunk < params.chunks; chunk++) {
      sum += partials[base];
      base += params.length;
    }
    gradients[at] = sum;
  }
}
