// Adds up the columns of all tokens, always in the same order.
// Stage 0, one thread per (sequence, column): sequenceSums[s, k] = Σ terms[r, k] over the rows of sequence s, in order.
// Stage 1, one thread per column: sums[k] (=|+=) sequenceSums[0, k] + sequenceSums[1, k] + …, in order. terms [P,R,K],
// sequenceSums [P,S,K], sums [P,K]. Floor: 4·K·R bytes.
// #include "lib/grid.wgsl"

// #write sums, sequenceSums: f32
// #read terms: f32; start: u32
// #params sequences, columns (K), stage, accumulate: u32

fn sumSequence(p: u32, s: u32, k: u32) {
  let end = start[p * params.startStride + s + 1u];
  var sum = 0.0;
  for (var r = start[p * params.startStride + s]; r < end; r++) {
    sum += terms[p * params.termsStride + r * params.columns + k];
  }
  sequenceSums[p * params.sequenceSumsStride + s * params.columns + k] = sum;
}

fn sumSequences(p: u32, k: u32) {
  var sum = 0.0;
  if (params.accumulate != 0u) { sum = sums[p * params.sumsStride + k]; }
  for (var s = 0u; s < params.sequences; s++) {
    sum += sequenceSums[p * params.sequenceSumsStride + s * params.columns + k];
  }
  sums[p * params.sumsStride + k] = sum;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = lineOf(block) * 64u + lane;
  if (params.stage == 0u) {
    if (i < params.sequences * params.columns) { sumSequence(block.z, i / params.columns, i % params.columns); }
  } else if (i < params.columns) {
    sumSequences(block.z, i);
  }
}
