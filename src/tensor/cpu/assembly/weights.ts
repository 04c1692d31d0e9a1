/** Weights in the type that they are kept in: float32, or two bytes each (bfloat16, float16), widened exactly as they are read. */
import { FLOAT } from './simd';

/** Types, as in ../kernels.ts. */
export const F32: u32 = 0;
export const BF16: u32 = 1;

export class Weights {
  /** Bytes of one. */
  @inline static bytes(type: u32): usize {
    return type == F32 ? FLOAT : 2;
  }

  /** Four neighbours. */
  @inline static four(from: usize, type: u32): v128 {
    if (type == F32) return v128.load(from);
    return Weights.widened(v128.load_ext<u16>(from), type);
  }

  /** One. */
  @inline static one(from: usize, type: u32): f32 {
    if (type == F32) return load<f32>(from);
    return f32x4.extract_lane(Weights.widened(i32x4.splat(load<u16>(from)), type), 0);
  }

  /** Float32 of the low halves of four words. */
  @inline static widened(words: v128, type: u32): v128 {
    if (type == BF16) return i32x4.shl(words, 16);
    // Exponent and fraction of a float16 are those of a float32 2¹¹² times too small; infinity and NaN have all bits of an exponent.
    const size = i32x4.shl(v128.and(words, i32x4.splat(0x7fff)), 13);
    const value = f32x4.mul(size, i32x4.splat(0x77800000));
    const endless = v128.and(i32x4.ge_s(size, i32x4.splat(0x0f800000)), i32x4.splat(0x7f800000));
    const sign = i32x4.shl(v128.and(words, i32x4.splat(0x8000)), 16);
    return v128.or(v128.or(value, endless), sign);
  }
}
