// Surrogates: the loss of one token, its derivatives and the bounds that act, in one function each; a member chooses
// one. Formulas and sources: src/hyperparameters/surrogate.ts. In float64: src/tensor/objective/policy/surrogates.ts.
// #include "policy_objective/ratio.wgsl"

struct SurrogateToken {
  logRatio: f32, // of the segment, x
  logProb: f32,
  baseLogProb: f32, // in the ratio's denominator
  advantage: f32,
  selection: f32, // 0 dropped, 1 as usual, 2 with kl-cov's penalty
}

const BOUND_CLIPPED = 1u;
const BOUND_LOW = 2u;
const BOUND_HIGH = 4u;
const BOUND_DUAL = 8u;
const BOUND_OUTSIDE = 16u;

struct Surrogate {
  loss: f32,
  byLogProb: f32, // ∂loss/∂(log-prob of the token itself), the ratio held fixed
  byRatio: f32, // ∂loss/∂x
  ratio: f32, // factor of the advantage, before any bound
  bounds: u32,
}

fn bit(condition: bool, mask: u32) -> u32 { return select(0u, mask, condition); }

fn lowOf(p: u32) -> f32 { return hyperOf(p, HYPER_CLIP_LOW); }
fn highOf(p: u32) -> f32 { return hyperOf(p, HYPER_CLIP_HIGH); }
fn clipRatio(p: u32, ratio: f32) -> f32 { return clamp(ratio, 1.0 - lowOf(p), 1.0 + highOf(p)); }

// Bounds that the ratio is beyond: OUTSIDE if it is below 1 − lo or above 1 + hi; with it LOW or HIGH if the advantage
// pushes further out on that side.
fn sidesOf(p: u32, ratio: f32, a: f32) -> u32 {
  let below = ratio < 1.0 - lowOf(p);
  let above = ratio > 1.0 + highOf(p);
  return bit(below && a < 0.0, BOUND_LOW) | bit(above && a > 0.0, BOUND_HIGH) | bit(below || above, BOUND_OUTSIDE);
}

fn leftOut(keep: bool, a: f32) -> u32 {
  return select(BOUND_CLIPPED | BOUND_OUTSIDE | bit(a < 0.0, BOUND_LOW) | bit(a > 0.0, BOUND_HIGH), 0u, keep);
}

fn ppo(p: u32, r: f32, inside: f32, a: f32) -> Surrogate {
  let plain = -a * r;
  let bounded = -a * clipRatio(p, r);
  let isClipped = bounded > plain;
  let loss = max(plain, bounded);
  let cap = hyperOf(p, HYPER_RATIO_CAP);
  let most = -a * cap;
  let isDual = cap > 0.0 && a < 0.0 && most < loss;
  let slope = select(plain * inside, 0.0, isClipped || isDual);
  let bounds = sidesOf(p, r, a) | bit(isClipped, BOUND_CLIPPED) | bit(isDual, BOUND_DUAL);
  return Surrogate(select(loss, most, isDual), 0.0, slope, r, bounds);
}

fn cispo(p: u32, r: f32, a: f32, logProb: f32) -> Surrogate {
  let isAbsolute = choiceOf(p, HYPER_RATIO_BOUND) == RATIO_BOUND_ABSOLUTE_ABOVE;
  let weight = select(clipRatio(p, r), min(r, highOf(p)), isAbsolute);
  let isOutside = weight != r;
  var bounds = bit(isOutside && a > 0.0, BOUND_HIGH) | bit(isOutside, BOUND_OUTSIDE);
  if (!isAbsolute) { bounds = sidesOf(p, r, a); }
  return Surrogate(-weight * a * logProb, -weight * a, 0.0, r, bounds | bit(isOutside, BOUND_CLIPPED));
}

fn sapo(p: u32, r: f32, inside: f32, a: f32) -> Surrogate {
  let positive = orElse(hyperOf(p, HYPER_SAPO_POSITIVE), 1.0);
  let tau = select(orElse(hyperOf(p, HYPER_SAPO_NEGATIVE), 1.05), positive, a > 0.0);
  let z = tau * (r - 1.0);
  let tail = exp(-abs(z));
  let gate = select(tail, 1.0, z >= 0.0) / (1.0 + tail);
  let slope = tail / ((1.0 + tail) * (1.0 + tail));
  return Surrogate(-a * 4.0 * gate / tau, 0.0, -a * 4.0 * slope * r * inside, r, 0u);
}

fn gmpo(p: u32, r: f32, inside: f32, a: f32, d: f32) -> Surrogate {
  let below = d < -lowOf(p);
  let above = d > highOf(p);
  let isOutside = below || above;
  let bounds = bit((a > 0.0 && above) || (a < 0.0 && below), BOUND_CLIPPED) | bit(isOutside, BOUND_OUTSIDE) |
    bit(isOutside && a < 0.0, BOUND_LOW) | bit(isOutside && a > 0.0, BOUND_HIGH);
  return Surrogate(-a * r, 0.0, -a * r * inside, r, bounds);
}

// −A·sg[min(r, cap)]·log p on the tokens that are kept.
fn divergenceMasked(p: u32, r: f32, a: f32, logProb: f32, keep: bool) -> Surrogate {
  let cap = hyperOf(p, HYPER_RATIO_CAP);
  let isCapped = cap > 0.0 && r > cap;
  let byLogProb = select(0.0, -a * select(r, cap, isCapped), keep);
  return Surrogate(byLogProb * logProb, byLogProb, 0.0, r, leftOut(keep, a) | bit(keep && isCapped, BOUND_DUAL));
}

// True while p − p₀ is within its bound on the side that the advantage pushes to.
fn withinVariation(p: u32, a: f32, change: f32) -> bool {
  return select(change >= -lowOf(p), change <= highOf(p), a > 0.0);
}

fn probabilityOf(logProb: f32) -> f32 { return clamp(exp(logProb), 1e-6, 1.0 - 1e-6); }

// True while KL((p₀, 1 − p₀) ‖ (p, 1 − p)) is within its bound on the side that the advantage pushes to.
fn withinDivergence(p: u32, a: f32, logProb: f32, baseLogProb: f32) -> bool {
  let now = probabilityOf(logProb);
  let before = probabilityOf(baseLogProb);
  let divergence = before * log(before / now) + (1.0 - before) * log((1.0 - before) / (1.0 - now));
  let upwards = now > before && divergence > highOf(p);
  let downwards = now < before && divergence > lowOf(p);
  return !select(downwards, upwards, a > 0.0);
}

// −keep·A·r + penalty·x².
fn penalised(p: u32, r: f32, inside: f32, a: f32, x: f32, keep: bool) -> Surrogate {
  let penalty = hyperOf(p, HYPER_RATIO_PENALTY);
  let plain = select(0.0, -a * r, keep);
  return Surrogate(plain + penalty * x * x, 0.0, plain * inside + 2.0 * penalty * x, r, leftOut(keep, a));
}

fn klCov(p: u32, r: f32, inside: f32, a: f32, x: f32, selection: f32) -> Surrogate {
  let penalty = select(0.0, hyperOf(p, HYPER_RATIO_PENALTY), selection == 2.0);
  return Surrogate(-a * r + penalty * abs(x), 0.0, -a * r * inside + penalty * sign(x), r, sidesOf(p, r, a));
}

fn vespo(p: u32, a: f32, logProb: f32, x: f32) -> Surrogate {
  var power = orElse(hyperOf(p, HYPER_VESPO_POWER_POSITIVE), 2.0);
  var scale = orElse(hyperOf(p, HYPER_VESPO_SCALE_POSITIVE), 3.0);
  if (a < 0.0) {
    power = orElse(hyperOf(p, HYPER_VESPO_POWER_NEGATIVE), 3.0);
    scale = orElse(hyperOf(p, HYPER_VESPO_SCALE_NEGATIVE), 2.0);
  }
  let phi = exp(scale + power * x - scale * exp(x));
  return Surrogate(-phi * a * logProb, -phi * a, 0.0, phi, 0u);
}

fn icepop(p: u32, r: f32, a: f32, logProb: f32) -> Surrogate {
  let keep = r >= 1.0 - lowOf(p) && r <= 1.0 + highOf(p);
  let byLogProb = select(0.0, -r * a, keep);
  return Surrogate(byLogProb * logProb, byLogProb, 0.0, r, leftOut(keep, a));
}

fn reinforceKl(p: u32, r: f32, inside: f32, a: f32, logProb: f32, x: f32) -> Surrogate {
  let backward = hyperOf(p, HYPER_BACKWARD_KL);
  let forward = hyperOf(p, HYPER_FORWARD_KL);
  let weight = -clipRatio(p, r) * a;
  let reached = sidesOf(p, r, a);
  let bounds = reached | bit((reached & BOUND_OUTSIDE) != 0u, BOUND_CLIPPED);
  if (choiceOf(p, HYPER_POLICY_KL_FORM) == POLICY_KL_FORM_ESTIMATOR) {
    let loss = weight * logProb + backward * (r - 1.0 - x) + forward * (r * x - r + 1.0);
    return Surrogate(loss, weight, backward * (r * inside - 1.0) + forward * (r + inside * r * (x - 1.0)), r, bounds);
  }
  let byLogProb = weight - backward + forward * r * x;
  return Surrogate(byLogProb * logProb, byLogProb, 0.0, r, bounds);
}

fn surrogateOf(p: u32, token: SurrogateToken) -> Surrogate {
  let x = token.logRatio;
  let a = token.advantage;
  let logProb = token.logProb;
  let given = ratioOf(p, x);
  let r = given.x;
  let inside = given.y;
  let change = exp(logProb) - exp(token.baseLogProb);
  switch (choiceOf(p, HYPER_SURROGATE)) {
    case SURROGATE_REINFORCE: { return Surrogate(-a * logProb, -a, 0.0, r, 0u); }
    case SURROGATE_CISPO: { return cispo(p, r, a, logProb); }
    case SURROGATE_SAPO: { return sapo(p, r, inside, a); }
    case SURROGATE_GMPO: { return gmpo(p, r, inside, a, logProb - token.baseLogProb); }
    case SURROGATE_DPPO_TV: { return divergenceMasked(p, r, a, logProb, withinVariation(p, a, change)); }
    case SURROGATE_DPPO_KL: {
      return divergenceMasked(p, r, a, logProb, withinDivergence(p, a, logProb, token.baseLogProb));
    }
    case SURROGATE_PRIME: { return penalised(p, r, inside, a, x, withinVariation(p, a, change)); }
    case SURROGATE_IPO: { return penalised(p, r, inside, a, x, abs(change) <= highOf(p)); }
    case SURROGATE_DRO: {
      let penalty = hyperOf(p, HYPER_RATIO_PENALTY);
      return Surrogate(-a * logProb + 0.5 * penalty * x * x, -a, penalty * x, r, 0u);
    }
    case SURROGATE_CLIP_COV: {
      var own = ppo(p, r, inside, a);
      own.bounds = (own.bounds & ~BOUND_CLIPPED) | bit(token.selection == 0.0, BOUND_CLIPPED);
      return own;
    }
    case SURROGATE_KL_COV: { return klCov(p, r, inside, a, x, token.selection); }
    case SURROGATE_VESPO: { return vespo(p, a, logProb, x); }
    case SURROGATE_ICEPOP: { return icepop(p, r, a, logProb); }
    case SURROGATE_REINFORCE_KL: { return reinforceKl(p, r, inside, a, logProb, x); }
    case SURROGATE_IMPORTANCE: { return Surrogate(-a * r, 0.0, -a * r * inside, r, sidesOf(p, r, a)); }
    case SURROGATE_PPO, default: { return ppo(p, r, inside, a); }
  }
}
