// Gradient of the log-probabilities by the output layer, without storing logits.
// dHead[c, v] = Σ_r hidden[r − 1, c]·gradient[r, v] over the targets r of each chunk of 16 trajectories; gradient, by
// the logits, is computed again from hidden·head. One thread per (chunk, quad of the vocabulary): it takes the chunk's
// targets eight at a time, in order, and adds into its own quad of partials [P,chunks,N]. Targets without derivative
// cost nothing. Floor: 4·R·C·V flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/layout.wgsl"
// #include "lib/hyper.wgsl"
// #include "log_prob/fused_gradient.wgsl"

// #write partials: vec4f
// #read dHidden, hidden: vec4f; weight: Weights; table: vec4u; start, legalSets: u32
// #params chunkStride (N/4), chunks, sequences, weightOffset, weightGradient (quads), width (C/4): u32
// #params quads (V/4), vocabulary: u32
// #params firstQuad (of this dispatch), rangeQuads: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * 64u + lane;
  let chunk = i / params.rangeQuads;
  let q = params.firstQuad + i % params.rangeQuads;
  if (chunk >= params.chunks) { return; }
  let firstSequence = chunk * GRADIENT_CHUNK;
  let end = start[p * params.startStride + min(firstSequence + GRADIENT_CHUNK, params.sequences)];
  var r = start[p * params.startStride + firstSequence];
  let to = p * params.partialsStride + chunk * params.chunkStride + params.weightGradient + q;
  for (var c = 0u; c < 4u * params.width; c++) { partials[to + c * params.quads] = vec4f(); }
  var taken: array<u32, 8>;
  loop {
    var n = 0u;
    while (r < end && n < 8u) {
      let predicts = table[p * params.tableStride + r].y > 0u;
      if (predicts && hasGradient(dHidden[p * params.dHiddenStride + (r - 1u) * params.width])) {
        taken[n] = r;
        hiddenAt[n] = p * params.hiddenStride + (r - 1u) * params.width;
        n++;
      }
      r++;
    }
    if (n == 0u) { break; }
    for (var k = n; k < 8u; k++) { hiddenAt[k] = hiddenAt[0]; }
    multiply(p, q);
    for (var k = 0u; k < 8u; k++) {
      if (k >= n) {
        z[k] = vec4f();
        continue;
      }
      let known = p * params.dHiddenStride + (taken[k] - 1u) * params.width;
      let row = table[p * params.tableStride + taken[k]];
      z[k] = gradientOf(p, z[k], q, row, dHidden[known], dHidden[known + 1u].x);
    }
    // #repeat k 8
    let g$k = z[$k];
    let at$k = hiddenAt[$k];
    // #end
    for (var c = 0u; c < params.width; c++) {
      let a = to + 4u * c * params.quads;
      var s0 = partials[a];
      var s1 = partials[a + params.quads];
      var s2 = partials[a + 2u * params.quads];
      var s3 = partials[a + 3u * params.quads];
      // #repeat k 8
      let h$k = hidden[at$k + c];
      s0 += h$k.x * g$k;
      s1 += h$k.y * g$k;
      s2 += h$k.z * g$k;
      s3 += h$k.w * g$k;
      // #end
      partials[a] = s0;
      partials[a + params.quads] = s1;
      partials[a + 2u * params.quads] = s2;
      partials[a + 3u * params.quads] = s3;
    }
    if (r >= end) { break; }
  }
}
