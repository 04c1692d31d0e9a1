/** Numbers of two bytes, as frozen weights are kept: bfloat16 and float16. Each is a float32, so widening it loses nothing. */

export type HalfType = 'bf16' | 'f16';

/** Numbers of a type in float32. */
export const inFloats = <B extends ArrayBufferLike>(
  values: Float32Array<B> | Uint16Array<B>,
  type: HalfType | 'f32',
): Float32Array<B | ArrayBuffer> =>
  values instanceof Float32Array ? values : widened(values, type === 'f16' ? 'f16' : 'bf16');

/** The float32 of each number. */
export function widened(halves: Uint16Array<ArrayBufferLike>, type: HalfType): Float32Array<ArrayBuffer> {
  const bits = new Uint32Array(halves.length);
  if (type === 'bf16') for (let i = 0; i < bits.length; i++) bits[i] = halves[i] << 16;
  else for (let i = 0; i < bits.length; i++) bits[i] = bitsOfHalf(halves[i]);
  return new Float32Array(bits.buffer);
}

/** Bits of the float32 that equals a float16: 1 sign, 5 exponent with bias 15, 10 fraction. */
function bitsOfHalf(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return sign | 0x7f800000 | (fraction << 13);
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction === 0) return sign;
  // Subnormal: fraction · 2⁻²⁴, normalised.
  const shift = Math.clz32(fraction) - 21;
  return sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}
