// Chooses the tokens whose loss counts, by covariance or entropy.
// Selection among the tokens with a policyWeight: 1, or 0 where clip-cov or a low entropy drops the loss, or 2 where
// kl-cov adds its penalty; src/tensor/objective/policy/selection.ts is the same. All dense [P,B,T]; scratch [P,B·T]
// holds sort keys. The k-th smallest key is found bit by bit; equal keys are taken in order of place. One workgroup per
// member, each thread every 256th token. The keys are read 59 times for a covariance, 33 times for the entropy. Floor:
// 24·B·T bytes.
// #include "lib/philox.wgsl"
// #include "policy_objective/surrogate.wgsl"

// #write selection: f32; scratch: u32
// #read logProb, entropy, oldLogProb, advantage, policyWeight: f32
// #params tokens (B·T): u32

const LANES = 256u;
// Key of a token that is no candidate.
const NO_KEY = 0xffffffffu;
const PLACE_BITS = 24u;

var<workgroup> tally: atomic<u32>;
var<workgroup> partial: array<vec2f, 256>;

// Σ over the workgroup; integers, so the order does not matter.
fn total(lane: u32, mine: u32) -> u32 {
  workgroupBarrier();
  if (lane == 0u) { atomicStore(&tally, 0u); }
  workgroupBarrier();
  atomicAdd(&tally, mine);
  workgroupBarrier();
  return atomicLoad(&tally);
}

// Σ over the workgroup, lane by lane.
fn sums(lane: u32, mine: vec2f) -> vec2f {
  workgroupBarrier();
  partial[lane] = mine;
  workgroupBarrier();
  var sum = vec2f();
  for (var i = 0u; i < LANES; i++) { sum += partial[i]; }
  return sum;
}

fn keyOf(p: u32, at: u32) -> u32 { return scratch[p * params.scratchStride + at]; }
fn takesPart(p: u32, at: u32) -> bool { return policyWeight[p * params.policyWeightStride + at] != 0.0; }

// Integer in the order of the float, one for both zeros.
fn orderOf(x: f32) -> u32 {
  if (x == 0.0) { return 0x80000000u; }
  let bits = bitcast<u32>(x);
  return select(bits | 0x80000000u, ~bits, (bits >> 31u) != 0u);
}

// Key in place `rank` of the sorted keys, counted from 0.
fn keyOfRank(p: u32, lane: u32, rank: u32) -> u32 {
  var found = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    let tried = found | (0x80000000u >> bit);
    var smaller = 0u;
    for (var at = lane; at < params.tokens; at += LANES) { smaller += select(0u, 1u, keyOf(p, at) < tried); }
    found = select(found, tried, total(lane, smaller) <= rank);
  }
  return found;
}

// Place of the token that has `rank` tokens with the same key before it.
fn placeOfRank(p: u32, lane: u32, key: u32, rank: u32) -> u32 {
  var found = 0u;
  for (var bit = 0u; bit < PLACE_BITS; bit++) {
    let tried = found | (1u << (PLACE_BITS - 1u - bit));
    var before = 0u;
    for (var at = lane; at < min(params.tokens, tried); at += LANES) {
      before += select(0u, 1u, keyOf(p, at) == key);
    }
    found = select(found, tried, total(lane, before) <= rank);
  }
  return found;
}

// Sets selection = value for the `many` candidates with the smallest keys.
fn mark(p: u32, lane: u32, many: u32, value: f32) {
  var mine = 0u;
  for (var at = lane; at < params.tokens; at += LANES) { mine += select(0u, 1u, keyOf(p, at) != NO_KEY); }
  let candidates = total(lane, mine);
  let taken = min(many, candidates);
  let last = keyOfRank(p, lane, max(taken, 1u) - 1u);
  var smaller = 0u;
  for (var at = lane; at < params.tokens; at += LANES) { smaller += select(0u, 1u, keyOf(p, at) < last); }
  let below = total(lane, smaller);
  let place = placeOfRank(p, lane, last, max(taken, below + 1u) - 1u - below);
  for (var at = lane; at < params.tokens; at += LANES) {
    let key = keyOf(p, at);
    let isTaken = key != NO_KEY && (key < last || (key == last && at <= place));
    if (taken > 0u && isTaken) { selection[p * params.selectionStride + at] = value; }
  }
}

fn selectByCovariance(p: u32, lane: u32, tokens: u32) {
  var mine = vec2f();
  for (var at = lane; at < params.tokens; at += LANES) {
    if (takesPart(p, at)) {
      mine += vec2f(advantage[p * params.advantageStride + at], logProb[p * params.logProbStride + at]);
    }
  }
  let mean = sums(lane, mine) / f32(max(tokens, 1u));
  let isPenalty = choiceOf(p, HYPER_SURROGATE) == SURROGATE_KL_COV;
  for (var at = lane; at < params.tokens; at += LANES) {
    var key = NO_KEY;
    if (takesPart(p, at)) {
      let a = advantage[p * params.advantageStride + at];
      let here = logProb[p * params.logProbStride + at];
      let before = oldLogProb[p * params.oldLogProbStride + at];
      let covariance = (a - mean.x) * (here - mean.y);
      if (isPenalty) {
        key = orderOf(-covariance);
      } else if (covariance > hyperOf(p, HYPER_COVARIANCE_LOW) && covariance < hyperOf(p, HYPER_COVARIANCE_HIGH)) {
        let ratio = ratioOf(p, here - before).x;
        let isClipped = ppo(p, SurrogateToken(here - before, ratio, here, before, a, 1.0)).clipped != 0.0;
        let drawn = philox4x32(vec4u(at, bitcast<u32>(before), 0u, 0u), vec2u(0x636c6970u, 0x636f7632u)).x;
        key = select(drawn >> 1u, NO_KEY, isClipped);
      }
    }
    scratch[p * params.scratchStride + at] = key;
  }
  let many = max(1u, u32(hyperOf(p, HYPER_COVARIANCE_SHARE) * f32(tokens)));
  mark(p, lane, many, select(0.0, 2.0, isPenalty));
}

fn dropCertain(p: u32, lane: u32, tokens: u32) {
  for (var at = lane; at < params.tokens; at += LANES) {
    let key = select(NO_KEY, orderOf(entropy[p * params.entropyStride + at]), takesPart(p, at));
    scratch[p * params.scratchStride + at] = key;
  }
  let rank = u32(ceil((1.0 - hyperOf(p, HYPER_ENTROPY_SHARE)) * f32(max(tokens, 1u) - 1u)));
  let threshold = keyOfRank(p, lane, rank);
  for (var at = lane; at < params.tokens; at += LANES) {
    if (keyOf(p, at) < threshold) { selection[p * params.selectionStride + at] = 0.0; }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = block.z;
  let surrogate = choiceOf(p, HYPER_SURROGATE);
  let byCovariance = surrogate == SURROGATE_CLIP_COV || surrogate == SURROGATE_KL_COV;
  let share = hyperOf(p, HYPER_ENTROPY_SHARE);
  let byEntropy = share > 0.0 && share < 1.0;
  for (var at = lane; at < params.tokens; at += LANES) { selection[p * params.selectionStride + at] = 1.0; }
  if (!byCovariance && !byEntropy) { return; }
  var mine = 0u;
  for (var at = lane; at < params.tokens; at += LANES) { mine += select(0u, 1u, takesPart(p, at)); }
  let tokens = total(lane, mine);
  if (byCovariance) { selectByCovariance(p, lane, tokens); }
  if (byEntropy) { dropCertain(p, lane, tokens); }
}
