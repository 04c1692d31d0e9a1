// Estimates of KL(policy ‖ reference) at one token, and their derivatives by log-prob, from d = log-prob − reference
// log-prob (joschu.net/blog/kl-approx.html); src/tensor/objective/kl.ts is the same.
// #include "lib/layout.wgsl"
// #include "lib/hyper.wgsl"

struct Estimate {
  value: f32,
  derivative: f32,
}

// (exp(x) − 1 − x, exp(x) − 1), by their series where the differences would cancel.
fn expDifferences(x: f32) -> Estimate {
  if (abs(x) < 0.1) {
    let line = x * x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0 + x / 720.0))));
    return Estimate(line, x + line);
  }
  let power = exp(min(x, EXPONENT_KL));
  return Estimate(power - 1.0 - x, power - 1.0);
}

// Value kept within ±limit; outside, the derivative is 0.
fn bounded(x: Estimate, limit: f32) -> Estimate {
  if (abs(x.value) <= limit) { return x; }
  return Estimate(clamp(x.value, -limit, limit), 0.0);
}

fn clampsLogRatio(choice: u32) -> bool { return choice <= KL_CLAMP_LOG_RATIO_AND_VALUE; }

// Estimate by the choices of three hyperparameters: klEstimator, klClamp, klStraightThrough.
fn klOf(d: f32, estimator: u32, limits: u32, straightThrough: bool) -> Estimate {
  let takesExp = estimator == KL_ESTIMATOR_K3 || estimator == KL_ESTIMATOR_MISMATCH_K3;
  var estimate: Estimate;
  if (takesExp) {
    let backwards = estimator == KL_ESTIMATOR_K3;
    let within = bounded(Estimate(d, 1.0), select(1e30, EXPONENT_LOG_RATIO, clampsLogRatio(limits)));
    let power = expDifferences(select(within.value, -within.value, backwards));
    estimate = Estimate(power.value, select(power.derivative, -power.derivative, backwards) * within.derivative);
  } else if (estimator == KL_ESTIMATOR_K1) {
    estimate = Estimate(d, 1.0);
  } else if (estimator == KL_ESTIMATOR_ABS) {
    estimate = Estimate(abs(d), sign(d));
  } else {
    estimate = Estimate(0.5 * d * d, d);
  }
  if (limits == KL_CLAMP_VALUE || (limits == KL_CLAMP_LOG_RATIO_AND_VALUE && takesExp)) {
    estimate = bounded(estimate, BOUND_KL);
  }
  return Estimate(estimate.value, select(estimate.derivative, d, straightThrough));
}

// Estimate by the member's own hyperparameters.
fn memberKl(p: u32, d: f32) -> Estimate {
  let estimator = u32(hyperOf(p, HYPER_KL_ESTIMATOR));
  let limits = u32(hyperOf(p, HYPER_KL_CLAMP));
  return klOf(d, estimator, limits, hyperOf(p, HYPER_KL_STRAIGHT_THROUGH) != 0.0);
}

// Estimate times the ratio to the old policy, differentiated through both (TRL's use_bias_correction_kl).
fn ratioWeighted(p: u32, estimate: Estimate, logRatio: f32) -> Estimate {
  let limited = clampsLogRatio(u32(hyperOf(p, HYPER_KL_CLAMP)));
  let within = bounded(Estimate(logRatio, 1.0), select(EXPONENT_KL, EXPONENT_LOG_RATIO, limited));
  let ratio = exp(within.value);
  return Estimate(ratio * estimate.value, ratio * (estimate.derivative + within.derivative * estimate.value));
}
