/**
 * What the kernels share: sums across lanes and the exponential, four floats at a time.
 * Static methods because AssemblyScript inlines what is marked @inline, and on methods that is ordinary TypeScript syntax.
 * The exponential is Cephes' expf (argument reduction by ln 2 in two parts, degree-5 polynomial), about 1 ulp; it gives 0
 * and infinity where they are due and passes NaN on. Every width and length the kernels see is a multiple of 4.
 */

/** Bytes of a float. */
export const FLOAT: usize = 4;

export class Simd {
  /** (a0 + a2) + (a1 + a3). */
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
    const pairs = f32x4.max(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
    return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
  }

  @inline static exp(argument: v128): v128 {
    const x = f32x4.min(f32x4.max(argument, f32x4.splat(-110)), f32x4.splat(90));
    const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504088896341)));
    const high = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)));
    const r = f32x4.add(high, f32x4.mul(n, f32x4.splat(2.1219444e-4)));
    let y = f32x4.add(f32x4.mul(f32x4.splat(1.98756915e-4), r), f32x4.splat(1.3981999507e-3));
    y = f32x4.add(f32x4.mul(y, r), f32x4.splat(8.3334519073e-3));
    y = f32x4.add(f32x4.mul(y, r), f32x4.splat(4.1665795894e-2));
    y = f32x4.add(f32x4.mul(y, r), f32x4.splat(1.6666665459e-1));
    y = f32x4.add(f32x4.mul(y, r), f32x4.splat(5.0000001201e-1));
    y = f32x4.add(f32x4.add(f32x4.mul(y, f32x4.mul(r, r)), r), f32x4.splat(1));
    // 2ⁿ in two factors, so that subnormal results and infinity come out of the multiplication.
    const exponent = i32x4.trunc_sat_f32x4_s(n);
    const half = i32x4.shr_s(exponent, 1);
    const bias = i32x4.splat(127);
    const first = i32x4.shl(i32x4.add(half, bias), 23);
    const second = i32x4.shl(i32x4.add(i32x4.sub(exponent, half), bias), 23);
    return f32x4.mul(f32x4.mul(y, first), second);
  }

  /** a·b of `length` floats. */
  @inline static dot(a: usize, b: usize, length: usize): f32 {
    let lanes = f32x4.splat(0);
    for (let i: usize = 0; i < length * FLOAT; i += 16) {
      lanes = f32x4.add(lanes, f32x4.mul(v128.load(a + i), v128.load(b + i)));
    }
    return Simd.sum(lanes);
  }
}
