/** Arrays in lines of JSON: their bytes in base64, the order of this machine. */

export interface Encoded {
  readonly type: 'float32' | 'uint32';
  readonly base64: string;
}

/** By the arrays' names. */
export function encodeAll<Name extends string>(
  arrays: Readonly<Record<Name, Float32Array | Uint32Array>>,
): Record<Name, Encoded> {
  const encoded = Object.entries<Float32Array | Uint32Array>(arrays).map(([name, array]) => [name, encode(array)]);
  return Object.fromEntries(encoded) as Record<Name, Encoded>;
}

function encode(array: Float32Array | Uint32Array): Encoded {
  const { buffer, byteOffset, byteLength } = array;
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { type: array instanceof Float32Array ? 'float32' : 'uint32', base64 };
}

/** Copy of the numbers, because Node's buffers may begin anywhere in their memory. */
export const decodeFloats = ({ base64 }: Pick<Encoded, 'base64'>): Float32Array =>
  new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);
