// Draw from the nucleus mixed with the uniform distribution, w(v) = (1 − ε)·[v in nucleus]·p(v)/Σ_nucleus p + ε/n over
// the n legal tokens; ε = uniformShare. The nucleus is the fewest likeliest legal tokens with a probability of topP
// (0 and 1: all) together, equals in vocabulary order. Its least likely token is found one token after the other, so it
// costs its size times V. Bindings are those of decoding/sample.wgsl.

struct Drawn {
  token: u32,
  logProb: f32,
}

fn topPOf(p: u32) -> f32 {
  let share = hyperOf(p, HYPER_TOP_P);
  return select(1.0, share, share > 0.0 && share < 1.0);
}

fn explores(p: u32) -> bool { return topPOf(p) < 1.0 || hyperOf(p, HYPER_UNIFORM_SHARE) > 0.0; }

fn isLegal(legalSet: u32, v: u32) -> bool { return ((legalWord(legalSet, v / 32u) >> (v % 32u)) & 1u) != 0u; }

// base: where the pick's logits begin; sum: Σ exp((z − highest)/temperature) over the legal set; u in (0, 1).
fn explore(p: u32, legalSet: u32, base: u32, highest: f32, sum: f32, u: f32) -> Drawn {
  let temperature = hyperOf(p, HYPER_TEMPERATURE);
  let epsilon = hyperOf(p, HYPER_UNIFORM_SHARE);
  let wanted = topPOf(p) * sum;
  var legal = 0.0;
  for (var v = 0u; v < params.vocabulary; v++) { legal += select(0.0, 1.0, isLegal(legalSet, v)); }
  // The nucleus: tokens with a logit above `least`, and those equal to it up to `last`.
  var mass = sum;
  var least = -1e30;
  var last = params.vocabulary;
  if (topPOf(p) < 1.0) {
    mass = 0.0;
    least = 1e30;
    for (var taken = 0.0; taken < legal && mass < wanted; taken += 1.0) {
      var next = -1e30;
      var place = params.vocabulary;
      for (var v = 0u; v < params.vocabulary; v++) {
        let z = logits[base + v];
        let isAfter = z < least || (z == least && v > last);
        if (isLegal(legalSet, v) && isAfter && (place == params.vocabulary || z > next)) {
          next = z;
          place = v;
        }
      }
      least = next;
      last = place;
      mass += exp((next - highest) / temperature);
    }
  }
  var drawn = Drawn(0u, 0.0);
  var cumulative = 0.0;
  for (var v = 0u; v < params.vocabulary; v++) {
    if (!isLegal(legalSet, v)) { continue; }
    let z = logits[base + v];
    var weight = epsilon / legal;
    if (z > least || (z == least && v <= last)) {
      weight += (1.0 - epsilon) * (exp((z - highest) / temperature) / mass);
    }
    if (weight == 0.0) { continue; }
    drawn = Drawn(v, log(weight));
    cumulative += weight;
    if (cumulative > u) { break; }
  }
  return drawn;
}
