/**
 * Shared functions of the kernels: sums across lanes and the exponential, four floats at a time. They are static
 * methods because AssemblyScript inlines functions marked @inline, and on methods that mark is ordinary TypeScript. The
 * exponential is Cephes' expf (argument reduction by ln 2 in two parts, degree-5 polynomial), about 1 ulp; it reaches 0
 * and infinity and passes NaN on (pmin and pmax do; they are one instruction, min and max are ten). Every width of the
 * kernels is a multiple of 4.
 */

/** Bytes of a float. */
export const FLOAT: usize = 4;

/** Bounds, 1/ln 2, ln 2 in two parts, polynomial, 1, 1.5·2²³. In memory: engines rebuild literals in each iteration. */
const EXP = memory.data<f32>([
  -110, 90, 1.44269504088896341, 0.693359375, 2.1219444e-4, 1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3,
  4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1, 1, 12582912,
]);

export class Simd {
  /** a·b + c: rounded once in the fused variant, and twice in the plain one, which has no such instruction. */
  @inline static madd(a: v128, b: v128, c: v128): v128 {
    if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
    return f32x4.add(c, f32x4.mul(a, b));
  }

  /** Sum of the four lanes, (a0 + a2) + (a1 + a3). */
  @inline static sum(a: v128): f32 {
    const pairs = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
    return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
  }

  /** The sums of four vectors, each added in the order of `sum`. */
  @inline static sums(a: v128, b: v128, c: v128, d: v128): v128 {
    const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
    const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
    return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
  }

  @inline static maximum(a: v128): f32 {
    const pairs = f32x4.pmax(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
    return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
  }

  /** The largest of each of four vectors. */
  @inline static maxima(a: v128, b: v128, c: v128, d: v128): v128 {
    const ab = f32x4.pmax(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
    const cd = f32x4.pmax(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
    return f32x4.pmax(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
  }

  /** The float at `index` of a table made by memory.data, in every lane. */
  @inline static constant(table: usize, index: usize): v128 {
    return v128.load_splat<f32>(table + index * FLOAT);
  }

  @inline static exp(argument: v128): v128 {
    const x = f32x4.pmin(f32x4.pmax(argument, Simd.constant(EXP, 0)), Simd.constant(EXP, 1));
    // Adding 1.5·2²³ rounds to an integer, which is then in the low bits.
    const rounder = Simd.constant(EXP, 12);
    const rounded = Simd.madd(x, Simd.constant(EXP, 2), rounder);
    const exponent = i32x4.sub(rounded, rounder);
    const n = f32x4.sub(rounded, rounder);
    const high = f32x4.sub(x, f32x4.mul(n, Simd.constant(EXP, 3)));
    const r = Simd.madd(n, Simd.constant(EXP, 4), high);
    // Estrin's scheme: short chains matter more than few operations.
    const square = f32x4.mul(r, r);
    const c54 = Simd.madd(Simd.constant(EXP, 5), r, Simd.constant(EXP, 6));
    const c32 = Simd.madd(Simd.constant(EXP, 7), r, Simd.constant(EXP, 8));
    const c10 = Simd.madd(Simd.constant(EXP, 9), r, Simd.constant(EXP, 10));
    const one = Simd.constant(EXP, 11);
    const tail = Simd.madd(Simd.madd(c54, square, c32), square, c10);
    const y = Simd.madd(tail, square, f32x4.add(r, one));
    // 2ⁿ in two factors, so that subnormal results and infinity come out of the multiplication. The bits of 1 are the
    // exponent's bias.
    const half = i32x4.shr_s(exponent, 1);
    const first = i32x4.add(i32x4.shl(half, 23), one);
    const second = i32x4.add(i32x4.shl(i32x4.sub(exponent, half), 23), one);
    return f32x4.mul(f32x4.mul(y, first), second);
  }

  /** a·b of `length` floats. */
  @inline static dot(a: usize, b: usize, length: usize): f32 {
    let lanes = f32x4.splat(0);
    for (let i: usize = 0; i < length * FLOAT; i += 16) {
      lanes = Simd.madd(v128.load(a + i), v128.load(b + i), lanes);
    }
    return Simd.sum(lanes);
  }
}
