// Gradient of the log-probabilities by the hidden states, without storing logits.
// dHidden[r − 1] = Σ_v gradient[r, v]·head[·, v]; gradient, by the logits, is computed again from hidden·head. 0 for
// rows whose target has no derivative. One workgroup of 64 threads per eight rows; the vocabulary is read in tiles of
// 64 quads: thread t computes the eight rows' gradient at quad t, then adds the tile's share to channels t, t + 64 …;
// each sum runs over the tiles in order. Floor: 4·R·C·V flops, 8·C·V·R/8 bytes of the head.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/layout.wgsl"
// #include "lib/hyper.wgsl"
// #include "log_prob/fused_gradient.wgsl"

// #write dHidden: f32
// #read hidden: vec4f; weight: Weights; table: vec4u; legalSets: u32
// #params weightOffset (quads), width (C/4), quads (V/4), vocabulary, firstRow: u32

// Numbers of the eight rows from log_prob/fused_backward_rows.wgsl: (m, s, dLogProb, dEntropy), and the entropy.
var<workgroup> known: array<vec4f, 8>;
var<workgroup> means: array<f32, 8>;
var<workgroup> anything: u32;
var<workgroup> gradient: array<vec4f, 512>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let first = params.firstRow + lineOf(group) * 8u;
  let rows = rowCount(p);
  if (first >= rows) { return; }
  let inUse = min(rows - first, 8u);
  let C = 4u * params.width;
  let to = p * params.dHiddenStride + first * C;
  if (lane < inUse) {
    let at = to + lane * C;
    known[lane] = vec4f(dHidden[at], dHidden[at + 1u], dHidden[at + 2u], dHidden[at + 3u]);
    means[lane] = dHidden[at + 4u];
  }
  workgroupBarrier();
  storageBarrier();
  if (lane == 0u) {
    for (var i = 0u; i < inUse; i++) { anything |= select(0u, 1u, hasGradient(known[i])); }
  }
  for (var i = 0u; i < inUse; i++) {
    hiddenAt[i] = p * params.hiddenStride + (first + i) * params.width;
    for (var c = lane; c < C; c += 64u) { dHidden[to + i * C + c] = 0.0; }
  }
  if (workgroupUniformLoad(&anything) == 0u) { return; }
  for (var tile = 0u; tile < params.quads; tile += 64u) {
    let q = tile + lane;
    if (q < params.quads) {
      multiply(p, q);
      for (var i = 0u; i < 8u; i++) {
        var own = vec4f();
        if (i < inUse && hasGradient(known[i])) {
          own = gradientOf(p, z[i], q, table[p * params.tableStride + first + i + 1u], known[i], means[i]);
        }
        gradient[64u * i + lane] = own;
      }
    }
    workgroupBarrier();
    let width = min(params.quads - tile, 64u);
    for (var c = lane; c < C; c += 64u) {
      let w = p * params.weightStride + params.weightOffset + c * params.quads + tile;
      // #repeat i 8
      var sum$i = 0.0;
      // #end
      for (var k = 0u; k < width; k++) {
        let column = wide(weight[w + k]);
        // #repeat i 8
        sum$i += dot(gradient[64u * $iu + k], column);
        // #end
      }
      // #repeat i 8
      if ($iu < inUse) { dHidden[to + $iu * C + c] += sum$i; }
      // #end
    }
    workgroupBarrier();
  }
}
