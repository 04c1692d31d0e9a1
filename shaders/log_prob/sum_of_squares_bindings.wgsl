// Shared part of the two forms of the sum of squares (a thread a row, a workgroup a row).
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/layout.wgsl"
// #include "lib/hyper.wgsl"
// #include "log_prob/softmax.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  logSumExpStride: u32,
  logitsStride: u32,
  tableStride: u32,
  countStride: u32,
  hyperStride: u32,
  vocabulary: u32,
  rowQuads: u32, // S/4
  firstRow: u32, // of this dispatch
  endRow: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@group(0) @binding(4) var<storage, read> logSumExp: array<f32>;
@group(0) @binding(5) var<storage, read> logits: array<vec4f>;
@group(0) @binding(6) var<storage, read> table: array<vec4u>;
@group(0) @binding(7) var<storage, read> legalSets: array<u32>;

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
