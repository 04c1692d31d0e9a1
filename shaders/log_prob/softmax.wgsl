// Online softmax of a row (arXiv 1805.02867): one reading keeps (m, Σ e, Σ e·z), m the largest logit so far, z =
// (x − m)/temperature, e = exp z. In e·z, z is cut off at −200, so that e·z is 0 and not NaN where z is −∞.
// #include "lib/layout.wgsl"
// #include "lib/legal.wgsl"

const NOTHING = vec3f(-1e30, 0.0, 0.0);
const LOWEST = vec4f(BOUND_LOG_PROB);

// The tokens first … first + 15 as bits: 1 for those in the vocabulary and in the row's legal set.
fn legalSixteen(restricted: bool, legalSet: u32, first: u32) -> u32 {
  var bits = 0xffffu;
  if (restricted) { bits = legalWord(legalSet, first / 32u) >> (first % 32u); }
  let left = params.vocabulary - first;
  if (left < 16u) { bits &= (1u << left) - 1u; }
  return bits;
}

fn isSet(bits: u32) -> vec4<bool> { return (vec4u(bits) & vec4u(1u, 2u, 4u, 8u)) != vec4u(); }

fn largestOf(x: vec4f) -> f32 { return max(max(x.x, x.y), max(x.z, x.w)); }

// Sums of the online softmax, rescaled to a larger m.
fn raised(sums: vec3f, largest: f32, inverse: f32) -> vec3f {
  let shift = max((sums.x - largest) * inverse, -200.0);
  let scale = exp(shift);
  return vec3f(largest, sums.y * scale, (sums.z + sums.y * shift) * scale);
}
