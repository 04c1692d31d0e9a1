// Four weights of a type: float32, or two bytes each (bfloat16, float16), which are widened exactly.
// Sizes, 1 for the type: F32, BF16, F16.

// #repeat a F32
alias Weights = vec4f;
fn wide(four: Weights) -> vec4f { return four; }
// #end
// #repeat a BF16
alias Weights = vec2u;
fn wide(four: Weights) -> vec4f {
  return bitcast<vec4f>(vec4u(four.x << 16u, four.x & 0xffff0000u, four.y << 16u, four.y & 0xffff0000u));
}
// #end
// #repeat a F16
alias Weights = vec2u;
// From bits, because unpack2x16float may lose numbers below 2⁻¹⁴: those are a difference of two that are not so small.
fn wide(four: Weights) -> vec4f {
  let halves = vec4u(four.x & 0xffffu, four.x >> 16u, four.y & 0xffffu, four.y >> 16u);
  let size = (halves & vec4u(0x7fffu)) << vec4u(13u);
  let small = bitcast<vec4u>(bitcast<vec4f>(size + vec4u(0x38800000u)) - vec4f(6.103515625e-5));
  let usual = size + vec4u(0x38000000u);
  let endless = size | vec4u(0x7f800000u);
  let bits = select(select(usual, endless, size >= vec4u(0x0f800000u)), small, size < vec4u(0x00800000u));
  return bitcast<vec4f>(bits | ((halves & vec4u(0x8000u)) << vec4u(16u)));
}
// #end
