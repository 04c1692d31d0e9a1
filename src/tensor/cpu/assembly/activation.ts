/**
 * The feed-forward activations and their derivatives over runs of floats (a multiple of 4).
 * GELU in the tanh form of GPT-2 (arXiv 1606.08415, section 2), written with a sigmoid, which cannot overflow:
 *   x/2·(1 + tanh u) = x·σ(2u),  u = √(2/π)(x + 0.044715x³);  derivative σ + x·σ(1 − σ)·2u′.
 */
import { FLOAT, Simd } from './simd';

export const NONE: u32 = 0;
export const RELU: u32 = 1;

/** −2√(2/π), the cubic's 0.044715 and three times it, 1, 2√(2/π). */
const GELU = memory.data<f32>([-1.5957691216057308, 0.044715, 0.134145, 1, 1.5957691216057308]);

class Gelu {
  /** σ(2u). */
  @inline static gate(x: v128, square: v128): v128 {
    const inner = Simd.madd(f32x4.mul(square, x), Simd.constant(GELU, 1), x);
    const one = Simd.constant(GELU, 3);
    return f32x4.div(one, f32x4.add(one, Simd.exp(f32x4.mul(inner, Simd.constant(GELU, 0)))));
  }

  @inline static slope(x: v128): v128 {
    const square = f32x4.mul(x, x);
    const gate = Gelu.gate(x, square);
    const one = Simd.constant(GELU, 3);
    const rate = f32x4.mul(Simd.madd(square, Simd.constant(GELU, 2), one), Simd.constant(GELU, 4));
    const curve = f32x4.mul(f32x4.mul(gate, f32x4.sub(one, gate)), f32x4.mul(x, rate));
    return f32x4.add(gate, curve);
  }
}

/** out = act(x). */
export function activate(activation: u32, out: usize, x: usize, count: usize): void {
  const end = count * FLOAT;
  if (activation == RELU) {
    const zero = f32x4.splat(0);
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, f32x4.pmax(zero, v128.load(x + i)));
  } else {
    for (let i: usize = 0; i < end; i += 16) {
      const value = v128.load(x + i);
      v128.store(out + i, f32x4.mul(value, Gelu.gate(value, f32x4.mul(value, value))));
    }
  }
}

/** out (=|+=) gradient·act′(x); relu′(0) = 0. */
export function activateBackward(
  activation: u32,
  out: usize,
  gradient: usize,
  x: usize,
  count: usize,
  accumulate: bool,
): void {
  const end = count * FLOAT;
  for (let i: usize = 0; i < end; i += 16) {
    const value = v128.load(x + i);
    const given = v128.load(gradient + i);
    let result: v128;
    if (activation == RELU) result = v128.and(given, f32x4.gt(value, f32x4.splat(0)));
    else result = f32x4.mul(given, Gelu.slope(value));
    if (accumulate) result = f32x4.add(v128.load(out + i), result);
    v128.store(out + i, result);
  }
}
