// Mean and deviation of a set of scores, and the divisor made from them; forms: ADVANTAGE_DEVIATION_….

struct Spread {
  count: f32,
  // Mean score; of equal scores that score itself, from which a floating-point mean of them can differ.
  mean: f32,
  // Σ (x − mean)², exactly 0 where all are equal.
  squares: f32,
  equal: bool,
}

fn varianceOf(spread: Spread, form: u32) -> f32 {
  // Forms alternate between sample and population.
  let degrees = select(spread.count - 1.0, spread.count, form % 2u == 1u);
  if (degrees <= 0.0) { return 0.0; }
  return spread.squares / degrees;
}

fn divisorOf(spread: Spread, form: u32, epsilon: f32) -> f32 {
  let variance = varianceOf(spread, form);
  if (form >= ADVANTAGE_DEVIATION_SAMPLE_FLOOR) { return sqrt(max(variance, epsilon)); }
  if (form >= ADVANTAGE_DEVIATION_SAMPLE_VARIANCE) { return sqrt(variance + epsilon); }
  return sqrt(variance) + epsilon;
}

// 1/x, or 0 where x is not positive.
fn reciprocal(x: f32) -> f32 {
  if (x > 0.0) { return 1.0 / x; }
  return 0.0;
}
