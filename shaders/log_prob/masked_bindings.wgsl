// Arguments and results shared by the two kernels of the masked log-prob: one thread per row, or one workgroup per row.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/needed.wgsl"
// #include "log_prob/softmax.wgsl"

// #write logProb, entropy, logSumExp: f32
// #read logits: vec4f; table: vec4u; targets, legalSets: u32
// #params vocabulary, rowQuads (S/4), tokens (K): u32
// #params targetStep (words from one row's first target to the next one's: K, or 4 in the row table itself): u32
// #params firstRow (of this dispatch), endRow: u32; impossible (−∞, for which WGSL has no literal): f32
// #repeat s SCATTER
// #write dense: f32
// #params context (T): u32
// #end

fn isRestricted(row: vec4u) -> bool { return isDrawn(roleOf(row.w)); }

// 1/temperature.
fn inverseOf(p: u32, row: vec4u) -> f32 {
  return 1.0 / select(1.0, hyperOf(p, HYPER_TEMPERATURE), isRestricted(row));
}

fn baseOf(p: u32, r: u32) -> u32 { return p * params.logitsStride + (r - 1u) * params.rowQuads; }

// Puts the log-prob of a row at its place in the batch, [P,B,T], with SCATTER 1: as by log_prob/scatter_rows.wgsl.
fn scatter(p: u32, row: vec4u, value: f32) {
  // #repeat s SCATTER
  if (row.y > 0u) { dense[p * params.denseStride + sequenceOf(row.w) * params.context + row.y] = value; }
  // #end
}

fn writeNothing(p: u32, r: u32, row: vec4u) {
  scatter(p, row, 0.0);
  for (var k = 0u; k < params.tokens; k++) { logProb[p * params.logProbStride + r * params.tokens + k] = 0.0; }
  entropy[p * params.entropyStride + r] = 0.0;
  logSumExp[p * params.logSumExpStride + 2u * r] = 0.0;
  logSumExp[p * params.logSumExpStride + 2u * r + 1u] = 0.0;
}

fn writeResults(p: u32, r: u32, row: vec4u, sums: vec3f, inverse: f32) {
  let logSum = log(sums.y);
  for (var k = 0u; k < params.tokens; k++) {
    let token = targets[p * params.targetsStride + r * params.targetStep + k];
    var result = params.impossible;
    if (!isRestricted(row) || ((legalWord(legalSetOf(row.w), token / 32u) >> (token % 32u)) & 1u) != 0u) {
      result = (logits[baseOf(p, r) + token / 4u][token % 4u] - sums.x) * inverse - logSum;
    }
    logProb[p * params.logProbStride + r * params.tokens + k] = result;
    scatter(p, row, result);
  }
  entropy[p * params.entropyStride + r] = logSum - sums.z / sums.y;
  logSumExp[p * params.logSumExpStride + 2u * r] = sums.x;
  logSumExp[p * params.logSumExpStride + 2u * r + 1u] = logSum;
}

fn masked(x: vec4f, bits: u32) -> vec4f { return select(vec4f(NOTHING.x), x, isSet(bits)); }

fn withSixteen(sums: vec3f, a: vec4f, b: vec4f, c: vec4f, d: vec4f, inverse: f32) -> vec3f {
  let largest = max(sums.x, largestOf(max(max(a, b), max(c, d))));
  let known = raised(sums, largest, inverse);
  let za = (a - largest) * inverse;
  let zb = (b - largest) * inverse;
  let zc = (c - largest) * inverse;
  let zd = (d - largest) * inverse;
  let ea = exp(za);
  let eb = exp(zb);
  let ec = exp(zc);
  let ed = exp(zd);
  let weighted = ea * max(za, LOWEST) + eb * max(zb, LOWEST) + ec * max(zc, LOWEST) + ed * max(zd, LOWEST);
  return known + vec3f(0.0, dot(ea + eb + ec + ed, vec4f(1.0)), dot(weighted, vec4f(1.0)));
}

// Softmax sums of the row at quad `base`, over the part that thread `lane` of `lanes` reads: every lanes-th sixteen
// tokens. Tokens that need no mask come first.
fn softmaxPart(base: u32, lane: u32, lanes: u32, restricted: bool, legalSet: u32, inverse: f32) -> vec3f {
  var sums = NOTHING;
  var first = 16u * lane;
  let free = select(params.vocabulary & ~15u, 0u, restricted);
  for (; first < free; first += 16u * lanes) {
    let at = base + first / 4u;
    sums = withSixteen(sums, logits[at], logits[at + 1u], logits[at + 2u], logits[at + 3u], inverse);
  }
  for (; first < params.vocabulary; first += 16u * lanes) {
    let bits = legalSixteen(restricted, legalSet, first);
    let at = base + first / 4u;
    let a = masked(logits[at], bits);
    let b = masked(logits[at + 1u], bits >> 4u);
    let c = masked(logits[at + 2u], bits >> 8u);
    sums = withSixteen(sums, a, b, c, masked(logits[at + 3u], bits >> 12u), inverse);
  }
  return sums;
}
