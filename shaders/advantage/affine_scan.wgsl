// Parallel scan of affine maps over a workgroup, from the last lane to the first, in a fixed order. Each token maps the
// running (value, sum) to (its own value, α·sum + β·value + κ). Such maps compose: a scan by Hillis and Steele ("Data
// parallel algorithms", 1986) tells each lane where all lanes after it take (0, 0).
// #include "advantage/lanes.wgsl"

struct Affine {
  // Factors of the sum before and of the value before.
  alpha: f32,
  beta: f32,
  kappa: f32,
  // The new value where holds = 1; where holds = 0 the value before passes through.
  value: f32,
  holds: f32,
}

const IDENTITY = Affine(1.0, 0.0, 0.0, 0.0, 0.0);

var<workgroup> scanned: array<Affine, LANES>;

// The map of `before`, followed by `after`.
fn compose(before: Affine, after: Affine) -> Affine {
  if (after.alpha == 1.0 && after.holds == 0.0) { return before; }
  let passes = before.holds == 0.0;
  return Affine(
    after.alpha * before.alpha,
    after.alpha * before.beta + select(0.0, after.beta, passes),
    after.alpha * before.kappa + select(after.beta * before.value, 0.0, passes) + after.kappa,
    select(before.value, after.value, after.holds != 0.0),
    max(before.holds, after.holds));
}

// (value, sum) after the maps of all lanes behind this one, from (0, 0). All lanes call it together.
fn scanFromEnd(lane: u32, own: Affine) -> vec2f {
  workgroupBarrier();
  scanned[lane] = own;
  workgroupBarrier();
  for (var step = 1u; step < LANES; step *= 2u) {
    var joined = scanned[lane];
    if (lane + step < LANES) { joined = compose(scanned[lane + step], joined); }
    workgroupBarrier();
    scanned[lane] = joined;
    workgroupBarrier();
  }
  if (lane + 1u == LANES) { return vec2f(); }
  return vec2f(scanned[lane + 1u].value, scanned[lane + 1u].kappa);
}
