// Shared part of the two forms of the sum of squares (a thread a row, a workgroup a row).
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/layout.wgsl"
// #include "lib/hyper.wgsl"
// #include "log_prob/softmax.wgsl"

// #write out: f32
// #read logSumExp: f32; logits: vec4f; table: vec4u; legalSets: u32
// #params vocabulary, rowQuads (S/4), firstRow (of this dispatch), endRow: u32

// Σ p² over the tokens that thread `lane` of `lanes` reads.
fn squaresPart(p: u32, r: u32, rowMeta: u32, lane: u32, lanes: u32) -> f32 {
  let base = p * params.logitsStride + (r - 1u) * params.rowQuads;
  let inverse = 1.0 / hyperOf(p, HYPER_TEMPERATURE);
  let largest = logSumExp[p * params.logSumExpStride + 2u * r];
  let logSum = logSumExp[p * params.logSumExpStride + 2u * r + 1u];
  var sum = 0.0;
  for (var first = 16u * lane; first < params.vocabulary; first += 16u * lanes) {
    var bits = legalSixteen(true, legalSetOf(rowMeta), first);
    for (var q = base + first / 4u; bits != 0u; q++) {
      let chance = exp((logits[q] - largest) * inverse - logSum);
      sum += dot(select(vec4f(), chance * chance, isSet(bits)), vec4f(1.0));
      bits = (bits & 0xffffu) >> 4u;
    }
  }
  return sum;
}
