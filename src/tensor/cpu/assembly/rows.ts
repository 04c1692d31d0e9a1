/**
 * Operations that move or touch whole rows: embedding and its gradient, rotary positions, storing keys and values,
 * gathering. A row's description is four u32: token, position, keyBase, meta (layout.ts).
 */
import { FLOAT, Simd } from './simd';
import { Weights } from './weights';

export const ROW_BYTES: usize = 16;

/** a += b. */
export function add(a: usize, b: usize, count: usize): void {
  for (let i: usize = 0; i < count * FLOAT; i += 16) v128.store(a + i, f32x4.add(v128.load(a + i), v128.load(b + i)));
}

/** out = tokens[token] + positions[position]; tokens of a type; `positions` may be 0. */
export function embed(
  out: usize,
  table: usize,
  rows: usize,
  C: usize,
  tokens: usize,
  type: u32,
  positions: usize,
): void {
  const bytes = C * FLOAT;
  const each = Weights.bytes(type);
  for (let r: usize = 0; r < rows; r++) {
    const from = tokens + <usize>load<u32>(table) * C * each;
    for (let c: usize = 0; c < C; c += 4) v128.store(out + c * FLOAT, Weights.four(from + c * each, type));
    if (positions) add(out, positions + <usize>load<u32>(table, 4) * bytes, C);
    out += bytes;
    table += ROW_BYTES;
  }
}

/** The gradients of `embed` over these rows: dTokens [V,C] and dPositions [T,C] (or 0) are written. */
export function embedBackward(
  dTokens: usize,
  V: usize,
  dPositions: usize,
  T: usize,
  dx: usize,
  table: usize,
  rows: usize,
  C: usize,
): void {
  const bytes = C * FLOAT;
  memory.fill(dTokens, 0, V * bytes);
  if (dPositions) memory.fill(dPositions, 0, T * bytes);
  for (let r: usize = 0; r < rows; r++) {
    add(dTokens + <usize>load<u32>(table) * bytes, dx, C);
    if (dPositions) add(dPositions + <usize>load<u32>(table, 4) * bytes, dx, C);
    dx += bytes;
    table += ROW_BYTES;
  }
}

/** Largest position in use. */
export function maxPosition(table: usize, rows: usize): u32 {
  let largest: u32 = 0;
  for (let r: usize = 0; r < rows; r++) largest = max(largest, load<u32>(table + r * ROW_BYTES, 4));
  return largest;
}

/**
 * Rotates query and key pairs in place: the first `turned` floats of a row of `width`, by heads of D. `angles` [T, 2, D]:
 * cosines, each twice, then sines as (−sin, sin) pairs.
 */
export function rotary(
  qkv: usize,
  table: usize,
  rows: usize,
  turned: usize,
  width: usize,
  D: usize,
  angles: usize,
  direction: f32,
): void {
  const headBytes = D * FLOAT;
  const signs = f32x4.splat(direction);
  for (let r: usize = 0; r < rows; r++) {
    const cosines = angles + <usize>load<u32>(table, 4) * 2 * headBytes;
    const sines = cosines + headBytes;
    for (let head = qkv; head < qkv + turned * FLOAT; head += headBytes) {
      for (let i: usize = 0; i < headBytes; i += 16) {
        const x = v128.load(head + i);
        const swapped = v128.shuffle<f32>(x, x, 1, 0, 3, 2);
        const turn = f32x4.mul(swapped, f32x4.mul(signs, v128.load(sines + i)));
        v128.store(head + i, Simd.madd(x, v128.load(cosines + i), turn));
      }
    }
    qkv += width * FLOAT;
    table += ROW_BYTES;
  }
}

/** cache [·, stored] at keyBase + position = keys and values, the last `stored` floats of a row of qkv [rows, width]. */
export function storeKeyValue(cache: usize, qkv: usize, table: usize, rows: usize, stored: usize, width: usize): void {
  const bytes = stored * FLOAT;
  for (let r: usize = 0; r < rows; r++) {
    const address: usize = load<u32>(table, 8) + load<u32>(table, 4);
    qkv += width * FLOAT;
    memory.copy(cache + address * bytes, qkv - bytes, bytes);
    table += ROW_BYTES;
  }
}

/** out[i] = x[picks[i].row]. */
export function gatherRows(out: usize, x: usize, picks: usize, count: usize, C: usize): void {
  const bytes = C * FLOAT;
  for (let i: usize = 0; i < count; i++) {
    memory.copy(out + i * bytes, x + <usize>load<u32>(picks + i * ROW_BYTES) * bytes, bytes);
  }
}

export function fill(target: usize, count: usize, value: f32): void {
  for (let i: usize = 0; i < count; i++) store<f32>(target + i * FLOAT, value);
}

export function copy(target: usize, source: usize, bytes: usize): void {
  memory.copy(target, source, bytes);
}
