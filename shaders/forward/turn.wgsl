// Turn of two pairs of numbers by their position, as forward/rotary.wgsl says.
// #params frequencies (D / 2 of them): vec4f[16]; turns (the same, in 2⁻³² turns a position): vec4u[16]
// #params turned (queries and keys of a row / 4), headWidth (D / 4): u32; direction: f32

const LONG = 512u;

// Cosine and sine of position·frequency, or its negative.
fn cosineSine(position: u32, frequency: f32, turn: u32) -> vec2f {
  let angle = params.direction * f32(position) * frequency;
  let turns = round(angle * 0.6366197723675814);
  let reduced = ((angle - turns * 1.5703125) - turns * 4.837512969970703e-4) - turns * 7.54978995489188e-8;
  let phase = select(position, 0u - position, params.direction < 0.0) * turn;
  let quarters = (phase + 0x20000000u) >> 30u;
  let rest = f32(bitcast<i32>(phase - (quarters << 30u))) * 1.4629180792671596e-9; // 2π/2³²
  let isLong = position >= LONG;
  let y = select(reduced, rest, isLong);
  let quadrant = select(u32(i32(turns)) & 3u, quarters, isLong);
  let z = y * y;
  let sine = y + y * z * (-1.6666654611e-1 + z * (8.3321608736e-3 - z * 1.9515295891e-4));
  let cosine = 1.0 - 0.5 * z + z * z * (4.166664568298827e-2 + z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
  var result = vec2f(cosine, sine);
  if ((quadrant & 1u) != 0u) { result = vec2f(-sine, cosine); }
  return select(result, -result, quadrant >= 2u);
}

// Quad `c` of a row's queries and keys, turned.
fn turn(v: vec4f, position: u32, c: u32) -> vec4f {
  let d = c % params.headWidth;
  let isOdd = d % 2u == 1u;
  let frequency = select(params.frequencies[d / 2u].xy, params.frequencies[d / 2u].zw, isOdd);
  let each = select(params.turns[d / 2u].xy, params.turns[d / 2u].zw, isOdd);
  let a = cosineSine(position, frequency.x, each.x);
  let b = cosineSine(position, frequency.y, each.y);
  return vec4f(v.x * a.x - v.y * a.y, v.x * a.y + v.y * a.x, v.z * b.x - v.w * b.y, v.z * b.y + v.w * b.x);
}
